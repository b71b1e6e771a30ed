#include "telemetry/dialects/xml_text.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace dialects_xml_text_test {

using gpu::telemetry::read_xml;

namespace {

std::vector<std::string> elements(const std::string& xml) {
  std::vector<std::string> told;
  read_xml(xml, {.start = {}, .end = [&](const std::string& path, std::string_view text) {
                   told.push_back(path + "=" + std::string(text));
                 }});
  return told;
}

std::string problem_of(const std::string& xml) {
  try {
    elements(xml);
  } catch (const gpu::Error& error) {
    CHECK(error.kind() == gpu::ErrorKind::data);
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("elements are told with their paths and texts") {
  CHECK(elements("<?xml version=\"1.0\" ?>\r\n<!DOCTYPE a SYSTEM \"http://x.invalid/a.dtd\">\n"
                 "<!-- b -->\n<a>\n <b> 1 &lt; 2 </b><c/><b>x<d>y</d>z</b>\n</a>\n") ==
        std::vector<std::string>{"a/b=1 < 2", "a/c=", "a/b/d=y", "a/b=xz", "a="});
}

TEST_CASE("an XML text that is not whole or not well-formed is refused") {
  CHECK(problem_of("<a><b>1</b>") == "line 1: no element found");
  CHECK(problem_of("<a>\n<b>1</a>") == "line 2: mismatched tag");
  CHECK(problem_of("") == "line 1: no element found");
  CHECK(problem_of("NVIDIA-SMI has failed\n") == "line 1: syntax error");
  CHECK(problem_of("<a/><b/>") == "line 1: junk after document element");
  CHECK(problem_of("<a>\xff</a>") == "line 1: not well-formed (invalid token)");
}

TEST_CASE("an XML text cannot grow while it is read") {
  std::string laughs = "<!DOCTYPE a [<!ENTITY l0 \"ha\">";
  for (int i = 1; i < 30; ++i) {
    const std::string former = "&l" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY l" + std::to_string(i) + " \"" + former + former + "\">";
  }
  CHECK(problem_of(laughs + "]><a>&l29;</a>") == "it declares entities");
  CHECK(problem_of("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>") ==
        "it declares entities");
  CHECK(problem_of("<!DOCTYPE a SYSTEM \"a.dtd\" [<!ENTITY % x SYSTEM \"b.dtd\"> %x;]><a/>") ==
        "it declares entities");
  CHECK(problem_of("<!DOCTYPE a SYSTEM \"a.dtd\"><a>&x;</a>") ==
        "it uses an entity that is not declared");
  CHECK(problem_of("<a>&x;</a>") == "line 1: undefined entity");
}

TEST_CASE("an XML text is bounded") {
  CHECK(problem_of("<a>" + std::string(std::size_t{8} << 20, ' ') + "</a>") ==
        "it is longer than 8 MiB");
  std::string deep;
  for (int i = 0; i < 21; ++i) deep += "<a>";
  CHECK(problem_of(deep) == "its elements are nested deeply");
  const std::vector<std::string> told = elements("<a>" + std::string(10'000, 'x') + "</a>");
  REQUIRE(told.size() == 1);
  CHECK(told[0].size() == 4096 + 2);
}

}  // namespace dialects_xml_text_test
