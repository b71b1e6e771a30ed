#include "report/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "report/machine.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

using Json = nlohmann::ordered_json;

/// Lines of a schema are longer only where a description is.
constexpr std::size_t kLineWidth = 110;

/// "integer", or ["integer", "null"] where it may be unknown.
Json name_with_null(std::string_view name, const Type& type) {
  if (!type.is_nullable()) return name;
  return Json::array({name, "null"});
}

Json schema_of(const Type& type);

Json schema_of(const Field& field) {
  Json schema = Json::object();
  if (!field.says.empty()) schema["description"] = field.says;
  schema.update(schema_of(field.type));
  return schema;
}

/// The keys of all that are called so: `label.` of `label.team`.
std::string pattern_of(const std::string& key) {
  return "^" + key.substr(0, key.find('.')) + "\\.";
}

void add_fields(Json& schema, const std::vector<Field>& fields) {
  Json required = Json::array();
  Json known = Json::object();
  Json by_name = Json::object();
  for (const Field& field : fields) {
    if (field.presence == Presence::always) required.push_back(field.key);
    if (field.presence == Presence::by_name)
      by_name[pattern_of(field.key)] = schema_of(field);
    else
      known[field.key] = schema_of(field);
  }
  schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  if (!by_name.empty()) schema["patternProperties"] = std::move(by_name);
  schema["properties"] = std::move(known);
}

Json words_schema(const Type::Words& words, const Type& type) {
  if (words.words.size() == 1 && !type.is_nullable()) return {{"const", words.words.front()}};
  Json all = words.words;
  if (type.is_nullable()) all.push_back(nullptr);
  return {{"enum", std::move(all)}};
}

Json text_schema(const Type::Text& text, const Type& type) {
  Json schema = {{"type", name_with_null("string", type)}};
  if (text.least_length > 0) schema["minLength"] = text.least_length;
  if (!text.pattern.empty()) schema["pattern"] = text.pattern;
  return schema;
}

template <class Range>
Json range_schema(std::string_view name, const Range& range, const Type& type) {
  Json schema = {{"type", name_with_null(name, type)}};
  if (range.least) schema["minimum"] = *range.least;
  if constexpr (requires { range.most; })
    if (range.most) schema["maximum"] = *range.most;
  return schema;
}

Json record_schema(const Type::Record& record, const Type& type) {
  Json schema = {{"type", name_with_null("object", type)}};
  add_fields(schema, record.fields);
  return schema;
}

Json amounts_schema(const Type& type) {
  return {{"type", name_with_null("object", type)},
          {"additionalProperties", schema_of(Type::amount())}};
}

Json list_schema(const Type::List& list, const Type& type) {
  Json schema = {{"type", name_with_null("array", type)}};
  if (list.least > 0) schema["minItems"] = list.least;
  schema["items"] = schema_of(list.of.front());
  return schema;
}

Json schema_of(const Type& type) {
  return std::visit(
      Overloaded{
          [&](const Type::Text& text) { return text_schema(text, type); },
          [&](const Type::Flag&) {
            return Json{{"type", name_with_null("boolean", type)}};
          },
          [&](const Type::Integer& range) { return range_schema("integer", range, type); },
          [&](const Type::Number& range) { return range_schema("number", range, type); },
          [&](const Type::Words& words) { return words_schema(words, type); },
          [&](const Type::Record& record) { return record_schema(record, type); },
          [&](const Type::Amounts&) { return amounts_schema(type); },
          [&](const Type::List& list) { return list_schema(list, type); },
      },
      type.form());
}

/// On one line: `{"type": "integer", "minimum": 0}`.
std::string one_line(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items())
    text += (text.empty() ? "" : ", ") +
            (json.is_object() ? Json(key).dump() + ": " : std::string()) + one_line(value);
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

bool is_scalar_list(const Json& json) {
  return json.is_array() && std::none_of(json.begin(), json.end(),
                                         [](const Json& item) { return item.is_structured(); });
}

/// As many as fit on each line, aligned with the first, which stands at `at`.
void append_scalars(std::string& out, const Json& list, std::size_t at) {
  std::size_t width = at;
  for (const Json& item : list) {
    const std::string text = item.dump();
    const bool is_first = &item == &list.front();
    if (!is_first && width + text.size() + 2 >= kLineWidth) {
      out += ",\n" + std::string(at, ' ');
      width = at;
    } else if (!is_first) {
      out += ", ";
      width += 2;
    }
    out += text;
    width += text.size();
  }
}

/// As people write it: what fits stands on one line. `at` is the column where it starts.
void append_json(std::string& out, const Json& json, std::size_t indent, std::size_t at) {
  const std::string line = one_line(json);
  if (!json.is_structured() || json.empty() || at + line.size() < kLineWidth) {
    out += line;
    return;
  }
  const bool is_object = json.is_object();
  out += is_object ? "{" : "[";
  if (is_scalar_list(json)) {
    append_scalars(out, json, at + 1);
    out += "]";
    return;
  }
  std::string_view separator = "\n";
  for (const auto& [key, value] : json.items()) {
    const std::string name = is_object ? Json(key).dump() + ": " : std::string();
    out += separator;
    out += std::string(indent + 2, ' ') + name;
    append_json(out, value, indent + 2, indent + 2 + name.size());
    separator = ",\n";
  }
  out += "\n" + std::string(indent, ' ') + (is_object ? "}" : "]");
}

/// The keys of every answer, whatever its kind.
std::vector<Field> envelope_of(const AnswerForm& form) {
  return {{.key = "apiVersion", .type = Type::one_of({std::string(kApiVersion)})},
          {.key = "kind", .type = Type::one_of({form.kind})},
          {.key = "items", .type = Type::list(Type::record(form.fields))},
          {.key = "summary", .type = Type::record(form.summary), .says = form.summary_says},
          {.key = "gaps",
           .type = Type::list(gap_fields().type()),
           .says = "What could not be seen, so that some values are null or items are missing."}};
}

}  // namespace

std::vector<Field> declared_fields(const Table& table) {
  std::vector<Field> fields;
  for (const std::size_t at : machine_columns(table)) {
    const Column& column = table.columns[at];
    if (!column.type) throw std::logic_error("a column without a type: " + column.key);
    fields.push_back({column.key, *column.type, column.says, column.presence});
  }
  return fields;
}

std::string schema_text(const AnswerForm& form) {
  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", fmt::format("{}: the answer of `kubectl gpu {} -o json`", form.kind, form.command)},
      {"description", form.item + " null means unknown, never zero."}};
  schema.update(schema_of(Type::record(envelope_of(form))));
  std::string out;
  append_json(out, schema, 0, 0);
  return out + "\n";
}

}  // namespace gpu::report
