#include <catch2/catch.hpp>

#include "model/objects/node.hpp"

namespace objects_condition_test {

using namespace gpu;

TEST_CASE("the first condition of a type counts") {
  const std::vector<Condition> conditions = {{.type = "Ready", .status = "False"},
                                             {.type = "Ready", .status = "True"},
                                             {.type = "MemoryPressure", .status = "True"},
                                             {.type = "DiskPressure", .status = "Unknown"}};
  CHECK(condition_of(conditions, "Ready") == &conditions.front());
  CHECK(condition_of(conditions, "ready") == nullptr);
  CHECK_FALSE(is_true(conditions, "Ready"));
  CHECK(is_true(conditions, "MemoryPressure"));
  CHECK_FALSE(is_true(conditions, "DiskPressure"));
  CHECK_FALSE(is_true(conditions, "PIDPressure"));
  CHECK_FALSE(is_true({}, "Ready"));
}

}  // namespace objects_condition_test
