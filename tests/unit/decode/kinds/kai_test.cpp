#include "decode/kinds/kai.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpu::decode::kinds_kai_test {

using nlohmann::json;

TEST_CASE("a Queue's numbers are GPUs, thousandths of a CPU and megabytes, and below 0 no bound") {
  const KaiQueue queue = kai_queue_from_json(json::parse(R"({
    "metadata": {"name": "team"},
    "spec": {"displayName": "Team", "parentQueue": "top", "resources": {
      "gpu": {"quota": 0.5, "limit": -1}, "cpu": {"quota": 1500, "limit": 2000},
      "memory": {"quota": -1, "limit": 64}}},
    "status": {"allocated": {"nvidia.com/gpu": "500m"}}})"));
  CHECK(queue.name == "team");
  CHECK(queue.display_name == "Team");
  CHECK(queue.parent == "top");
  REQUIRE(queue.allowances.size() == 3);
  CHECK(queue.allowances[0] == KaiAllowance{"nvidia.com/gpu", Quantity::of_milli(500), {}});
  CHECK(queue.allowances[1] ==
        KaiAllowance{"cpu", Quantity::of_milli(1500), Quantity::of_milli(2000)});
  CHECK(queue.allowances[2] == KaiAllowance{"memory", {}, Quantity::of(64'000'000)});
  REQUIRE(queue.allocated);
  CHECK(amount_of(*queue.allocated, "nvidia.com/gpu") == Quantity::of_milli(500));
  CHECK_FALSE(queue.allocated_non_preemptible);
}

TEST_CASE("what a Queue leaves out is 0") {
  const KaiQueue queue = kai_queue_from_json(json::parse(R"({"metadata": {"name": "team"}})"));
  REQUIRE(queue.allowances.size() == 3);
  CHECK(queue.allowances[0].limit == Quantity{});
  CHECK_FALSE(queue.allocated);
}

}  // namespace gpu::decode::kinds_kai_test
