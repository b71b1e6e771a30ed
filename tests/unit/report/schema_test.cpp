#include "report/schema.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "fixture.hpp"
#include "report/columns.hpp"

namespace report_schema_test {

using namespace gpu::report;
using nlohmann::json;

namespace {

/// The schema of an answer whose items have `fields`.
json schema_with(std::vector<Field> fields) {
  return json::parse(schema_text({.kind = "TestList",
                                  .command = "test",
                                  .item = "One item per test.",
                                  .fields = std::move(fields),
                                  .summary = {}}));
}

json item_with(std::vector<Field> fields) {
  return schema_with(std::move(fields))["properties"]["items"]["items"];
}

/// The schema of one key of that type.
json schema_of(Type type) { return item_with({{"key", std::move(type)}})["properties"]["key"]; }

}  // namespace

TEST_CASE("a schema says what stands in every answer") {
  const json schema = schema_with({});
  CHECK(schema["title"] == "TestList: the answer of `kubectl gpu test -o json`");
  CHECK(schema["description"] == "One item per test. null means unknown, never zero.");
  CHECK(schema["required"] == json({"apiVersion", "kind", "items", "summary", "gaps"}));
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["properties"]["kind"] == json({{"const", "TestList"}}));
  CHECK(schema["properties"]["gaps"]["items"]["required"] == json({"what", "why", "help"}));
}

TEST_CASE("each type has its own schema") {
  CHECK(schema_of(Type::text()) == json({{"type", "string"}, {"minLength", 1}}));
  CHECK(schema_of(Type::any_text()) == json({{"type", "string"}}));
  CHECK(schema_of(Type::text_like("^a$")) == json({{"type", "string"}, {"pattern", "^a$"}}));
  CHECK(schema_of(Type::flag()) == json({{"type", "boolean"}}));
  CHECK(schema_of(Type::integer()) == json({{"type", "integer"}}));
  CHECK(schema_of(Type::count(1)) == json({{"type", "integer"}, {"minimum", 1}}));
  CHECK(schema_of(Type::number()) == json({{"type", "number"}}));
  CHECK(schema_of(Type::amount()) == json({{"type", "number"}, {"minimum", 0}}));
  CHECK(schema_of(Type::ratio()) == json({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}));
  CHECK(schema_of(Type::one_of({"a", "b"})) == json({{"enum", {"a", "b"}}}));
  CHECK(schema_of(Type::amounts()) ==
        json({{"type", "object"}, {"additionalProperties", {{"type", "number"}, {"minimum", 0}}}}));
  CHECK(schema_of(Type::list(Type::flag(), 1)) ==
        json({{"type", "array"}, {"minItems", 1}, {"items", {{"type", "boolean"}}}}));
}

TEST_CASE("what may be unknown may be null") {
  CHECK(schema_of(Type::count().or_null())["type"] == json({"integer", "null"}));
  CHECK(schema_of(Type::record({}).or_null())["type"] == json({"object", "null"}));
  CHECK(schema_of(Type::one_of({"a"}).or_null()) == json({{"enum", {"a", nullptr}}}));
}

TEST_CASE("a record has all its keys and no others") {
  const json record = schema_of(Type::record({{"a", Type::text(), "An a."}, {"b", Type::flag()}}));
  CHECK(record["required"] == json({"a", "b"}));
  CHECK(record["additionalProperties"] == false);
  CHECK(record["properties"]["a"]["description"] == "An a.");
  CHECK(record["properties"]["b"].contains("description") == false);
}

TEST_CASE("a key of a flag need not stand there") {
  const json item = item_with({{"name", Type::text()},
                               {"pods", Type::text(), "", Presence::on_request},
                               {"label.team", Type::any_text(), "", Presence::by_name}});
  CHECK(item["required"] == json({"name"}));
  CHECK(item["properties"].contains("pods"));
  CHECK_FALSE(item["properties"].contains("label.team"));
  CHECK(item["patternProperties"].contains("^label\\."));
}

TEST_CASE("what fits stands on one line") {
  const std::string text = schema_text({.kind = "TestList",
                                        .command = "test",
                                        .item = "One.",
                                        .fields = {{"flag", Type::flag(), "Whether."}},
                                        .summary = {}});
  CHECK(
      text.find(
          "\"properties\": {\"flag\": {\"description\": \"Whether.\", \"type\": \"boolean\"}}\n") !=
      std::string::npos);
  CHECK(text.ends_with("\n}\n"));
}

TEST_CASE("long lists of words fill their lines") {
  std::vector<std::string> words;
  for (int i = 0; i < 30; ++i) words.push_back("word-" + std::to_string(i));
  const std::string text = schema_text({.kind = "TestList",
                                        .command = "test",
                                        .item = "One.",
                                        .fields = {{"word", Type::one_of(words)}},
                                        .summary = {}});
  CHECK(text.find("\"enum\": [\"word-0\", \"word-1\", ") != std::string::npos);
  CHECK(text.find(",\n                     \"word-") != std::string::npos);
  CHECK(json::parse(text)["properties"]["items"]["items"]["properties"]["word"]["enum"] == words);
}

TEST_CASE("columns of machines are declared, those of people are not") {
  Columns<int> columns;
  columns.text("NAME", kPeople, [](int) { return "a"; });
  columns.number({"amount", Type::count(), "How many."}, "AMOUNT", kPlain, [](int n) { return n; });
  const std::vector<Field> fields = declared_fields(columns.table({}));
  REQUIRE(fields.size() == 1);
  CHECK(fields[0].key == "amount");
  CHECK(fields[0].says == "How many.");
}

TEST_CASE("a machine's column that was not declared is a mistake") {
  const Table table{.columns = {fixture::left("key", "", fixture::kMachine)}, .rows = {}};
  CHECK_THROWS_AS(declared_fields(table), std::logic_error);
}

}  // namespace report_schema_test
