#include "manifest/read/document.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace gpu::manifest::read_document_test {
namespace {

/// "LINE:VALUE", one for each document.
std::string documents(std::string_view text) {
  std::string all;
  for (const ManifestDocument& document : documents_of(text))
    all += (all.empty() ? "" : " ") + std::to_string(document.first_line) + ":" +
           document.object.dump();
  return all;
}

std::string problem_of(std::string_view text) {
  try {
    return documents(text);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::data ? error.message() : "another kind";
  }
}

std::string place(std::string_view text, const char* pointer) {
  return documents_of(text).back().place_of(nlohmann::json::json_pointer(pointer));
}

std::string nested(std::size_t depth) {
  return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

}  // namespace

TEST_CASE("YAML is split at separators, and each document knows its first line") {
  CHECK(documents("a: 1\n---\nb: 2\n--- # two\n\nc: 3\n") == R"(1:{"a":1} 3:{"b":2} 5:{"c":3})");
  CHECK(documents("\n---\na: 1\n---\nb: 2") == R"(3:{"a":1} 5:{"b":2})");
  CHECK(documents("---\na: 1\n---") == R"(2:{"a":1})");
  CHECK(documents("---\n---\n# none\n---\na: 1") == R"(5:{"a":1})");
  CHECK(documents("a: |\n  x\n  ---\n  y\n") == R"(1:{"a":"x\n---\ny\n"})");
  CHECK(documents("a: 1\n---\t\r\nb: 2") == R"(1:{"a":1} 3:{"b":2})");
  CHECK(documents("").empty());
  CHECK(documents("\n\n").empty());
}

TEST_CASE("directives belong to the document behind their separator") {
  CHECK(documents("%YAML 1.2\n---\na: 1\n---\nb: 2") == R"(1:{"a":1} 5:{"b":2})");
  CHECK(documents("# one\n\n%YAML 1.2\n---\na: 1") == R"(1:{"a":1})");
}

TEST_CASE("JSON values stand one after another, with or without separators") {
  CHECK(documents(R"({"a":1}{"b":"}\""})") == R"(1:{"a":1} 1:{"b":"}\""})");
  CHECK(documents("\n {\"a\":[{}]}\n---\n\n{\"b\":2}\n") == R"(2:{"a":[{}]} 5:{"b":2})");
  CHECK(documents("{\"a\":1}\n--- # two\n{\"b\":2}") == R"(1:{"a":1} 3:{"b":2})");
  CHECK(documents("\xef\xbb\xbf{\"a\":1}") == R"(1:{"a":1})");
}

TEST_CASE("what is no JSON says where, and what was expected") {
  CHECK(problem_of("{\"a\":1}\n{\"b\" 2}") ==
        "line 2, column 6: not JSON: unexpected number literal; expected ':'");
  CHECK(problem_of("{\"a\":1") ==
        "line 1, column 7: not JSON: unexpected end of input; expected '}'");
  CHECK(problem_of("{\"a\" x}").ends_with(": not JSON: invalid literal; expected ':'"));
  CHECK(problem_of("{\"a\": x}").ends_with(": not JSON: invalid literal"));
  CHECK(problem_of("\n {\"a\":1e999}") ==
        "line 2, column 2: this value has a number that is too large");
}

TEST_CASE("JSON may be 100 levels deep, and brackets in strings are none") {
  CHECK(documents_of(nested(100)).size() == 1);
  CHECK(problem_of("\n" + nested(101)) == "line 2, column 1: more than 100 levels deep");
  CHECK(documents_of("{\"a\":\"\\\"" + std::string(200, '[') + "\"}").size() == 1);
  std::string wide = "{\"a\":[";
  for (int i = 0; i < 200; ++i) wide += "{},";
  CHECK(documents_of(wide + "[]]}").size() == 1);
}

TEST_CASE("a manifest has at most 4 MB") {
  const std::string most = "a: 1\n#" + std::string((std::size_t{4} << 20) - 6, ' ');
  CHECK(documents(most) == R"(1:{"a":1})");
  CHECK(problem_of(most + " ") == "more than 4 MB");
}

TEST_CASE("what is no YAML says where in the manifest, and whether a tab indents it") {
  CHECK(problem_of("a: 1\n---\nb: [1\nc: 2}\n").starts_with("line 4, column "));
  CHECK(problem_of("a:\n\tb: 1\n").ends_with(" (a tab cannot indent)"));
  CHECK(problem_of("a:\n \tb: 1\n").ends_with(" (a tab cannot indent)"));
  CHECK_FALSE(problem_of("a: [1\nc:\t2}\n").ends_with(" (a tab cannot indent)"));
}

TEST_CASE("a value's place is counted from the manifest's first line") {
  CHECK(place("x: 1\n---\na:\n  b: 2\n", "/a/b") == "line 4, column 6");
  const std::string json =
      "{}\n{\"a\": {\"b,\": [1, {\"c\": \"x]\"},\n  \"y\\\"\", [2] ]}, \"z\" : 7}";
  CHECK(place(json, "") == "line 2, column 1");
  CHECK(place(json, "/a") == "line 2, column 7");
  CHECK(place(json, "/a/b,") == "line 2, column 14");
  CHECK(place(json, "/a/b,/0") == "line 2, column 15");
  CHECK(place(json, "/a/b,/1/c") == "line 2, column 24");
  CHECK(place(json, "/a/b,/2") == "line 3, column 3");
  CHECK(place(json, "/a/b,/3/0") == "line 3, column 11");
  CHECK(place(json, "/z") == "line 3, column 24");
  CHECK(place(json, "/z/none") == "line 3, column 24");
  CHECK(place(json, "/a/none") == "line 2, column 7");
}

}  // namespace gpu::manifest::read_document_test
