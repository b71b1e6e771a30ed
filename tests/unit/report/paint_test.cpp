#include "report/paint.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"

namespace report_paint_test {

using namespace gpu::report;
using fixture::ascii;
using fixture::colored;
using fixture::piped;
using fixture::terminal;

TEST_CASE("colours are the sixteen of ANSI, and only where colour is wanted") {
  CHECK(painted("x", Paint::bold, colored(80)) == "\x1b[1mx\x1b[0m");
  CHECK(painted("x", Paint::dim, colored(80)) == "\x1b[2mx\x1b[0m");
  CHECK(painted("x", paint_of(Concern::good), colored(80)) == "\x1b[32mx\x1b[0m");
  CHECK(painted("x", paint_of(Concern::warning), colored(80)) == "\x1b[33mx\x1b[0m");
  CHECK(painted("x", paint_of(Concern::broken), colored(80)) == "\x1b[31mx\x1b[0m");
  CHECK(painted("x", paint_of(Concern::none), colored(80)) == "x");
  CHECK(painted("", Paint::bold, colored(80)).empty());
  CHECK(painted("x", Paint::bold_red, terminal(80)) == "x");
}

TEST_CASE("text is cleaned for every stream") {
  CHECK(clean("\x1b[2Jé", terminal(80)) == "\\x1b[2Jé");
  CHECK(clean("\x1b[2Jé", piped()) == "\\x1b[2Jé");
}

TEST_CASE("a terminal without UTF-8 gets ASCII") {
  CHECK(clean("66°C … ≥6 8× —", ascii(80)) == "66C ... >=6 8x -");
  CHECK(clean("é 图 😀", ascii(80)) == "\\u00e9 \\u56fe \\U0001f600");
  CHECK(clean("é", {}) == "é");  // a pipe may carry what the locale cannot show
}

TEST_CASE("a line holds spaces back until something follows") {
  std::string out;
  Line line(out, terminal(80));
  line.put("图", Paint::plain);
  line.go_to(4);
  line.put("b", Paint::plain);
  line.go_to(3);  // taken already: two columns off
  line.put("c", Paint::plain);
  line.go_to(20);
  line.put("", Paint::plain);
  line.skip(5);
  line.end();
  line.put("d", Paint::plain);
  line.end();
  CHECK(out == "图  b  c\nd\n");
}

}  // namespace report_paint_test
