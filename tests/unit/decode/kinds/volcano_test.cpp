#include "decode/kinds/volcano.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace gpu::decode::kinds_volcano_test {
namespace {

nlohmann::json parsed(std::string_view text) { return nlohmann::json::parse(text); }

TEST_CASE("a queue of Volcano") {
  const VolcanoQueue queue = volcano_queue_from_json(parsed(R"({"metadata": {"name": "ml"},
    "spec": {"parent": "root", "capability": {"nvidia.com/gpu": "8"}, "deserved": {"nvidia.com/gpu": 4},
             "guarantee": {"resource": {"nvidia.com/gpu": "2"}}},
    "status": {"state": "Open", "allocated": {"nvidia.com/gpu": "3"}, "pending": 1, "inqueue": 2, "running": 5}})"));
  CHECK(queue.name == "ml");
  CHECK(queue.parent == "root");
  CHECK(amount_of(queue.capability, "nvidia.com/gpu") == Quantity::of(8));
  CHECK(amount_of(queue.deserved, "nvidia.com/gpu") == Quantity::of(4));
  CHECK(amount_of(queue.guarantee, "nvidia.com/gpu") == Quantity::of(2));
  REQUIRE(queue.allocated);
  CHECK(amount_of(*queue.allocated, "nvidia.com/gpu") == Quantity::of(3));
  CHECK(queue.pending == 1);
  CHECK(queue.inqueue == 2);
  CHECK(queue.running == 5);
}

TEST_CASE("what a queue's status does not say is not known") {
  const VolcanoQueue queue = volcano_queue_from_json(parsed(R"({"metadata": {"name": "ml"}})"));
  CHECK_FALSE(queue.allocated);
  CHECK_FALSE(queue.pending);
  CHECK(queue.capability.begin() == queue.capability.end());
}

TEST_CASE("a group of pods of Volcano") {
  const VolcanoPodGroup group = volcano_pod_group_from_json(parsed(R"({
    "metadata": {"name": "train", "namespace": "ml", "creationTimestamp": "2026-11-30T08:00:00Z",
                 "ownerReferences": [{"kind": "Job", "name": "train", "uid": "u", "apiVersion": "batch.volcano.sh/v1alpha1"}]},
    "spec": {"queue": "research", "minMember": 2, "minResources": {"nvidia.com/gpu": "8"}},
    "status": {"phase": "Pending", "conditions": [{"type": "Unschedulable", "status": "True", "message": "no"}]}})"));
  CHECK(group.ns == "ml");
  CHECK(group.queue == "research");
  CHECK(group.min_member == 2);
  CHECK(amount_of(group.min_resources, "nvidia.com/gpu") == Quantity::of(8));
  CHECK(group.phase == "Pending");
  CHECK(group.owners.front().name == "train");
  CHECK(group.created.has_value());
  CHECK(group.conditions.front().message == "no");
}

TEST_CASE("an amount that is none names its place") {
  try {
    static_cast<void>(volcano_queue_from_json(parsed(
        R"({"metadata": {"name": "ml"}, "spec": {"capability": {"nvidia.com/gpu": "eight"}}})")));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.message().find("Queue ml: spec.capability") != std::string::npos);
  }
}

}  // namespace
}  // namespace gpu::decode::kinds_volcano_test
