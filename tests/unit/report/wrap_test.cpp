#include "report/wrap.hpp"

#include <catch2/catch.hpp>

#include "report/diagnostic.hpp"
#include "report/fixture.hpp"

namespace report_wrap_test {

using namespace gpu::report;
using Catch::Contains;

TEST_CASE("a text of a megabyte is cut for people, and says so") {
  CHECK(cut_for_people("short", "x") == "short");
  CHECK(cut_for_people(std::string(2000, 'a'), "x") == std::string(2000, 'a'));
  CHECK(cut_for_people(std::string(2001, 'a'), {}) ==
        std::string(2000, 'a') + "... (2001 bytes in all)");
  CHECK(cut_for_people(std::string(1 << 20, 'a'), "there") ==
        std::string(2000, 'a') + "... (1048576 bytes in all: there)");
}

TEST_CASE("a character is not cut in two") {
  for (std::size_t before = 1996; before <= 2000; ++before) {
    std::string text(before, 'a');
    for (int i = 0; i < 9; ++i) text += "\u20ac";
    const std::string cut = cut_for_people(text, {});
    const std::string kept = cut.substr(0, cut.find("..."));
    CAPTURE(before);
    CHECK((kept.size() - before) % 3 == 0);
    CHECK(text.starts_with(kept));
  }
  CHECK(cut_for_people(std::string(3000, '\x80'), {}).size() < 2030);  // broken UTF-8
}

TEST_CASE("an answer's texts are cut, its commands are not") {
  const std::string longest(1 << 20, 'x');
  const Diagnostic diagnostic{
      .severity = "error",
      .code = {},
      .headline = longest,
      .place = longest,
      .evidence = {{"only on", longest}},
      .count_title = "NODES",
      .what_title = "BY",
      .names_title = "NAMES",
      .rows = {{.count = 1, .what = longest, .names = {{"a"}}, .detail = longest}},
      .advised = {{.label = "note", .text = longest}}};
  for (const Style& style : {fixture::piped(), fixture::terminal(80)}) {
    const std::string text = render_diagnostic(diagnostic, Names::first, style);
    CHECK(text.size() < 30'000);
    CHECK_THAT(text, Contains("-o json has the whole"));
  }
  const std::string command(5000, 'c');
  CHECK_THAT(render_diagnostic({.severity = "error",
                                .code = {},
                                .headline = "h",
                                .place = {},
                                .evidence = {},
                                .count_title = {},
                                .what_title = {},
                                .names_title = {},
                                .rows = {},
                                .advised = {{.label = "help", .text = "t", .commands = {command}}}},
                               Names::first, fixture::piped()),
             Contains(command));
}

}  // namespace report_wrap_test
