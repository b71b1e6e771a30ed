#include "base/duration.hpp"

#include <catch2/catch.hpp>

namespace gpu::base_duration_test {

TEST_CASE("a length of time as one types it") {
  using namespace std::chrono_literals;
  CHECK(typed_duration(0s) == "0s");
  CHECK(typed_duration(60min) == "1h");
  CHECK(typed_duration(90min) == "1h30m");
  CHECK(typed_duration(330min) == "5h30m");
  CHECK(typed_duration(168h) == "7d");
  CHECK(typed_duration(36h + 61s) == "1d12h1m1s");
}

TEST_CASE("a length of time is read back as it is typed") {
  using namespace std::chrono_literals;
  CHECK(parse_duration("90m") == 90min);
  CHECK(parse_duration("1d12h") == 36h);
  CHECK(parse_duration("2w") == 336h);
  CHECK(parse_duration("0s") == 0s);
  for (const char* bad : {"", "1", "h", "1x", "1h ", "-1h", "1.5h", "9999999999s", "999999999w"})
    CHECK(!parse_duration(bad));
}

}  // namespace gpu::base_duration_test
