#include "report/marks.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "report/fixture.hpp"

namespace report_marks_test {

using namespace gpu::report;

namespace {

std::string marks(std::int64_t allocated, std::int64_t total, std::int64_t unavailable = 0) {
  const MarkCounts counts = mark_counts({allocated, total, unavailable});
  return repeated("#", counts.allocated) + repeated(".", counts.free) +
         repeated("x", counts.unavailable);
}

std::string bar(double ratio, std::size_t width = 10) {
  const Bar parts = bar_of(ratio, width, glyphs_of(fixture::terminal(100)));
  return parts.filled + parts.empty;
}

std::string ascii_bar(double ratio) {
  const Bar parts = bar_of(ratio, 10, glyphs_of(fixture::ascii(100)));
  return parts.filled + parts.empty;
}

}  // namespace

TEST_CASE("up to eight GPUs have a mark each") {
  CHECK(marks(6, 8) == "######..");
  CHECK(marks(1, 4) == "#...");
  CHECK(marks(0, 8, 8) == "xxxxxxxx");
  CHECK(marks(3, 8, 2) == "###...xx");
  CHECK(marks(0, 1) == ".");
  CHECK(marks(0, 0).empty());
}

TEST_CASE("more GPUs share eight marks") {
  CHECK(marks(9, 14) == "#####...");
  CHECK(marks(16, 16) == "########");
  CHECK(marks(0, 16) == "........");
  CHECK(marks(15, 16) == "#######.");
  CHECK(marks(1, 16) == "#.......");
  CHECK(marks(1, 1000, 1) == "#......x");
  CHECK(marks(998, 1000, 1) == "######.x");
  CHECK(marks(500, 1000, 500) == "####xxxx");
}

TEST_CASE("there are always eight marks, none of them for nothing") {
  for (std::int64_t total = 9; total <= 40; ++total)
    for (std::int64_t allocated = 0; allocated <= total; ++allocated)
      for (std::int64_t unavailable = 0; unavailable <= total - allocated; ++unavailable) {
        const MarkCounts counts = mark_counts({allocated, total, unavailable});
        REQUIRE(counts.all() == 8);
        REQUIRE((counts.allocated > 0) == (allocated > 0));
        REQUIRE((counts.unavailable > 0) == (unavailable > 0));
        REQUIRE((counts.free > 0) == (total > allocated + unavailable));
      }
}

TEST_CASE("counts that do not add up are cut to what there is") {
  CHECK(marks(8, 4) == "####");
  CHECK(marks(3, 4, 4) == "###x");
  CHECK(marks(-1, 4, -1) == "....");
  CHECK(marks(-1, -1).empty());
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(marks(most / 2, most) == "####....");
}

TEST_CASE("a bar has half steps, is empty only at 0 and full only at 1") {
  CHECK(bar(.91) == "━━━━━━━━━─");
  CHECK(bar(.84) == "━━━━━━━━╸─");
  CHECK(bar(.02) == "╸─────────");
  CHECK(bar(.98) == "━━━━━━━━━╸");
  CHECK(bar(0) == "──────────");
  CHECK(bar(1) == "━━━━━━━━━━");
  CHECK(bar(.0001) == "╸─────────");
  CHECK(bar(.9999) == "━━━━━━━━━╸");
  CHECK(bar(1.5) == "━━━━━━━━━━");
  CHECK(bar(-1) == "──────────");
  CHECK(bar(.38, 6) == "━━╸───");
}

TEST_CASE("ASCII has no half steps, and still shows what is not 0") {
  CHECK(ascii_bar(.91) == "=========-");
  CHECK(ascii_bar(.99) == "=========-");
  CHECK(ascii_bar(.45) == "====------");
  CHECK(ascii_bar(.02) == "=---------");
  CHECK(ascii_bar(0) == "----------");
  CHECK(ascii_bar(1) == "==========");
}

}  // namespace report_marks_test
