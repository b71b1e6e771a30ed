#include "scheduler/devices/shortage.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::devices_shortage_test {

TEST_CASE("what a request lacks is counted, what there is none of is left out") {
  RequestShortage shortage{.claim = "c", .request = "r", .device_class = "gpu"};
  shortage.of_class = 4;
  shortage.matching = 4;
  shortage.in_use = 1;
  CHECK(text_of(shortage) == "4 match, 1 in use");
  shortage.tainted = 1;
  CHECK(text_of(shortage) == "4 match, 1 in use, 1 tainted");
  shortage.incomplete = 1;
  CHECK(text_of(shortage) == "4 match, 1 in use, 1 tainted, 1 in pools that lack slices");
  shortage.tainted = 0;
  CHECK(text_of(shortage) == "4 match, 1 in use, 1 in pools that lack slices");
}

TEST_CASE("selectors that rule out all devices of the class are shown") {
  RequestShortage shortage{.claim = "c", .request = "r", .device_class = "gpu"};
  CHECK(text_of(shortage) == "0 match, 0 in use");
  shortage.of_class = 1;
  CHECK(text_of(shortage) == "0 match, 0 in use");
  shortage.selectors = {"a"};
  CHECK(text_of(shortage) ==
        "none of its 1 device of that class matches the request's selector: a");
  shortage.of_class = 2;
  shortage.selectors = {"a", "b"};
  CHECK(text_of(shortage) ==
        "none of its 2 devices of that class matches the request's selectors, the first of which "
        "is: a");
  shortage.selectors = {std::string(160, 'a')};
  CHECK(text_of(shortage).ends_with(": " + std::string(160, 'a')));
  shortage.selectors = {std::string(161, 'a')};
  CHECK(text_of(shortage).find("...") != std::string::npos);
  shortage.of_class = 0;
  CHECK(text_of(shortage) == "0 match, 0 in use");
}

}  // namespace gpu::scheduler::devices_shortage_test
