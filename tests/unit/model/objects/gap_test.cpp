#include "model/objects/gap.hpp"

#include <catch2/catch.hpp>

namespace objects_gap_test {

using namespace gpu;

TEST_CASE("the first gap that says what is missing is found by its kind, not by its words") {
  const std::vector<Gap> gaps = {
      {.what = "pods of no kind", .why = "", .help = ""},
      {.what = "a", .why = "first", .help = "", .missing = Missing::pods},
      {.what = "b", .why = "second", .help = "", .missing = Missing::pods}};
  const Gap* const found = gap_of(gaps, Missing::pods);
  REQUIRE(found != nullptr);
  CHECK(found->why == "first");
  CHECK(gap_of(gaps, Missing::window) == nullptr);
  CHECK(gap_of({}, Missing::pods) == nullptr);
}

}  // namespace objects_gap_test
