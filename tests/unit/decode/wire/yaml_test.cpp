#include "decode/wire/yaml.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"

namespace wire_yaml_test {

using gpu::decode::yaml_line;
using gpu::decode::yaml_to_json;
using nlohmann::json;

namespace {

std::string error_of(const std::string& text) {
  try {
    yaml_to_json(text);
  } catch (const gpu::Error& error) {
    CHECK(error.kind() == gpu::ErrorKind::data);
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST_CASE("bare values have YAML 1.1 types, quoted ones are text") {
  const json got = yaml_to_json(
      "a: y\nb: \"y\"\nc: 'no'\nd: no\ne: 0x1F\nf: 017\ng: 1_000\nh: 1e3\ni: 1.5\nj: ~\nk: \n"
      "l: 2026-11-28\nm: !!str 12\nt: 12:30\no: |\n  y\n");
  CHECK(got == json::parse(R"({"a": true, "b": "y", "c": "no", "d": false, "e": 31, "f": 15,
      "g": 1000, "h": 1000, "i": 1.5, "j": null, "k": null, "l": "2026-11-28", "m": "12",
      "t": "12:30", "o": "y\n"})"));
}

TEST_CASE("every escape of a quoted text becomes a whole character") {
  CHECK(yaml_to_json(R"("a\Nb\_c\L\x85\u00e9")") == "a\u0085b\u00a0c\u2028\u0085\u00e9");
  CHECK(yaml_to_json(R"({"\_": 1})").begin().key() == "\u00a0");
}

TEST_CASE("a text that ends within a character is not valid UTF-8") {
  for (const char* const cut : {"a: x\xef\xbf", "a: x\xef", "a: x\xe2\x82"})
    CHECK_THROWS_WITH(yaml_to_json(cut), Catch::Contains("line 1: not valid UTF-8"));
}

TEST_CASE("an empty text is null, and only the first document counts") {
  CHECK(yaml_to_json("").is_null());
  CHECK(yaml_to_json("# nothing\n").is_null());
  CHECK(yaml_to_json("---\na: 1\n---\nb: [\n") == json({{"a", 1}}));
  CHECK(yaml_to_json("a: 1\n...\nrubbish: [\n") == json({{"a", 1}}));
}

TEST_CASE("BOM, CRLF, UTF-16 and JSON with tabs are read") {
  CHECK(yaml_to_json("\xef\xbb\xbf"
                     "a: \"1\"\r\nb: |\r\n  x\r\n  y\r\n") == json({{"a", "1"}, {"b", "x\ny\n"}}));
  CHECK(yaml_to_json(std::string("\xff\xfe"
                                 "a\0:\0 \0\"\0z\0\"\0\n\0",
                                 16)) == json({{"a", "z"}}));
  CHECK(yaml_to_json("{\t\"a\":\t1,\n\t\"b\": [\n\t\t\"x\"\n\t]\n}\n") ==
        json({{"a", 1}, {"b", {"x"}}}));
}

TEST_CASE("the last of duplicate keys wins") {
  CHECK(yaml_to_json("a: 1\na: 2\n") == json({{"a", 2}}));
  CHECK(yaml_to_json("a: 1\na: null\n") == json({{"a", nullptr}}));
}

TEST_CASE("merge keys take part in the order, as in go-yaml v2") {
  const std::string base = "x: &x {b: 1, c: 2}\ny: &y {b: 5, d: 6}\n";
  CHECK(yaml_to_json(base + "z: {<<: *x, c: 3}\n")["z"] == json({{"b", 1}, {"c", 3}}));
  CHECK(yaml_to_json(base + "z: {c: 3, <<: *x}\n")["z"] == json({{"b", 1}, {"c", 2}}));
  CHECK(yaml_to_json(base + "z: {<<: [*x, *y]}\n")["z"] == json({{"b", 1}, {"c", 2}, {"d", 6}}));
  CHECK(yaml_to_json("z: {\"<<\": {b: 1}}\n")["z"]["<<"] == json({{"b", 1}}));
  CHECK(error_of("z: {<<: 1}\n") == "line 1: a merge (<<) takes a map or a list of maps");
  CHECK(error_of("x: &x [{b: 1}]\nz: {<<: *x}\n").starts_with("line 2: a merge"));
}

TEST_CASE("anchors and aliases, with a bound") {
  CHECK(yaml_to_json("a: &x {b: [1]}\nc: *x\n")["c"] == json({{"b", {1}}}));
  CHECK(error_of("a: &x [*x]\n") == "line 1: an anchor's value contains itself");
  CHECK(error_of("a: *nope\n").starts_with("line 1: "));
  std::string laughs = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 8; ++k) laughs += ", " + last;
    laughs += "]\n";
  }
  CHECK(error_of(laughs).find("anchors and aliases make this text too large") != std::string::npos);
}

TEST_CASE("keys become text") {
  CHECK(yaml_to_json("1: a\n1.5: b\ntrue: c\ny: d\n") ==
        json::parse(R"({"1": "a", "1.5": "b", "true": "d"})"));
  CHECK(error_of("~: a\n").starts_with("line 1: a key must be"));
  CHECK(error_of("? [a]\n: 1\n") == "line 1: a key may not be a list or a map");
}

TEST_CASE("text that is no YAML names its line") {
  CHECK(error_of("a: 1\nb:\n\tc: 2\n").starts_with("line 3: "));
  CHECK(error_of("a: 1\nb: c: d\n").starts_with("line 2: "));
  CHECK(error_of("a: [1\n").starts_with("line "));
  CHECK(error_of("a: \x01\n") == "line 1: control characters are not allowed");
  CHECK(error_of("a: 1\nb: \xff\n") == "line 2: not valid UTF-8");
  CHECK(error_of("a: 1\nb: .nan\n").starts_with("line 2: "));
  CHECK(error_of("a: !!int x\n").starts_with("line 1: "));
}

TEST_CASE("the parser's words leave out characters of the text") {
  CHECK(error_of("password: \"ab\\qcd\"\n") == "line 1: unknown escape character");
}

TEST_CASE("a file that was cut off is an error") {
  CHECK(error_of("a: 1\ntoken: \"abc\n") == "line 2: a quote that is never closed");
  CHECK(error_of("token: 'it''s\n") == "line 1: a quote that is never closed");
  CHECK(error_of("a:\n  b: 1\n  cluste\n") == "line 3: a key without its colon");
  CHECK(yaml_to_json("a: \"x\\\"y\"\nb: 'it''s'\n") == json({{"a", "x\"y"}, {"b", "it's"}}));
  CHECK(yaml_to_json("{a, b: , c: 1}") == json::parse(R"({"a": null, "b": null, "c": 1})"));
  CHECK(yaml_to_json("? a\n? b\n: 1\n") == json::parse(R"({"a": null, "b": 1})"));
}

TEST_CASE("text below a document that does not belong to it is an error") {
  CHECK(error_of("- a\nb: 1\n") == "line 2: this does not belong to what is above it");
}

TEST_CASE("depth and size are bounded") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(yaml_to_json(nested(100)).is_array());
  CHECK(error_of(nested(101)) == "line 1: more than 100 levels deep");
  CHECK(error_of(std::string(200'000, '[')).starts_with("line 1: "));
  CHECK(error_of(std::string((4U << 20U) + 1, '#')) == "line 1: more than 4 MB");
}

TEST_CASE("yaml_line finds values by their place") {
  const std::string text = "a:\n- b: 1\n  c:\n    d: x\n- e\nf: &f\n  g: 1\nh: *f\n";
  const auto line = [&](const char* pointer) {
    return yaml_line(text, json::json_pointer(pointer));
  };
  CHECK(line("/a/0/b") == 2);
  CHECK(line("/a/0/c/d") == 4);
  CHECK(line("/a/1") == 5);
  CHECK(line("/f/g") == 7);
  CHECK(line("/h/g") == 8);  // came through an alias
  CHECK(line("/nope") == 1);
}

TEST_CASE("yaml_places has every value but those inside an alias") {
  const auto places = gpu::decode::yaml_places("a:\n- b: 1\nf: &f\n  g: 1\nh: *f\n");
  std::string told;
  for (const auto& [pointer, place] : places)
    told += pointer + "@" + std::to_string(place.line) + " ";
  CHECK(told == "@1 /a@2 /a/0@2 /a/0/b@2 /f@3 /f/g@4 /h@5 ");
}

TEST_CASE("what a text says beside its values is read with them") {
  gpu::decode::YamlNotes notes{.depth = 1, .places = {}, .twice = {}};
  CHECK(yaml_to_json("a:\n- b: 1\nc: {d: 1}\n", notes) == yaml_to_json("a: [{b: 1}]\nc: {d: 1}"));
  std::string told;
  for (const auto& [pointer, place] : notes.places)
    told += pointer + "@" + std::to_string(place.line) + " ";
  CHECK(told == "@1 /a@2 /c@3 ");
  CHECK_FALSE(notes.twice);
}

TEST_CASE("the first key that stands twice in a map is noted, with both places") {
  const auto twice = [](std::string_view text) {
    gpu::decode::YamlNotes notes;
    yaml_to_json(text, notes);
    return notes.twice ? notes.twice->key + " " + std::to_string(notes.twice->first.line) + " " +
                             std::to_string(notes.twice->second.line)
                       : "none";
  };
  CHECK(twice("a: 1\nb:\n  a: 1\n  c: 2\n  'a': 3\na: 2\n") == "a 3 5");
  CHECK(twice("- a: 1\n- a: 2\n") == "none");
  CHECK(twice("x: &x {a: 1}\ny: {<<: *x, a: 2}\n") == "none");
  CHECK(twice("1: a\n'1': b\n") == "1 1 2");
}

}  // namespace wire_yaml_test
