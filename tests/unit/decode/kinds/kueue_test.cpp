#include "decode/kinds/kueue.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace gpu::decode::kinds_kueue_test {
namespace {

nlohmann::json workload(std::string_view status) {
  return {{"metadata", {{"name", "train"}, {"namespace", "ml"}}},
          {"status", nlohmann::json::parse(status)}};
}

TEST_CASE("what a Workload holds, by flavor and resource") {
  const QueuedWorkload read =
      queued_workload_from_json(workload(R"({"admission": {"clusterQueue": "q",
    "podSetAssignments": [
      {"name": "head", "count": 1, "flavors": {"cpu": "any"}, "resourceUsage": {"cpu": "4"}},
      {"name": "worker", "count": 4, "flavors": {"nvidia.com/gpu": "h100"}, "resourceUsage": {"nvidia.com/gpu": "8", "memory": "1Gi"}}]}})"));
  CHECK(read.cluster_queue == "q");
  REQUIRE(read.held.size() == 2);  // memory has no flavor: nobody counts it
  CHECK(read.held.back() == HeldQuota{"h100", "nvidia.com/gpu", Quantity::of(8)});
}

TEST_CASE("pods that are needed no more give their quota back") {
  const QueuedWorkload read =
      queued_workload_from_json(workload(R"({"admission": {"clusterQueue": "q",
    "podSetAssignments": [{"name": "main", "count": 4, "flavors": {"nvidia.com/gpu": "h100"}, "resourceUsage": {"nvidia.com/gpu": "8"}}]},
    "reclaimablePods": [{"name": "main", "count": 3}, {"name": "other", "count": 9}]})"));
  REQUIRE(read.held.size() == 1);
  CHECK(read.held.front().amount == Quantity::of(2));
}

TEST_CASE("more pods than there were leave nothing") {
  const QueuedWorkload read =
      queued_workload_from_json(workload(R"({"admission": {"clusterQueue": "q",
    "podSetAssignments": [{"name": "main", "count": 2, "flavors": {"nvidia.com/gpu": "h100"}, "resourceUsage": {"nvidia.com/gpu": "8"}}]},
    "reclaimablePods": [{"name": "main", "count": 3}]})"));
  CHECK(read.held.front().amount == Quantity{});
}

TEST_CASE("the status of queues, of both versions") {
  for (const char* const member : {"flavorsUsage", "flavorUsage"}) {
    nlohmann::json object =
        nlohmann::json::parse(R"({"metadata": {"name": "main", "namespace": "ml"},
      "spec": {"clusterQueue": "q"},
      "status": {"pendingWorkloads": 1, "reservingWorkloads": 2, "admittedWorkloads": 3,
                 "flavorsReservation": [{"name": "h100", "resources": [{"name": "nvidia.com/gpu", "total": "5"}]}]}})");
    object["status"][member] = object["status"]["flavorsReservation"];
    const LocalQueue queue = local_queue_from_json(object);
    CHECK(queue.status.pending == 1);
    CHECK(queue.status.reserving == 2);
    CHECK(queue.status.running == 3);
    REQUIRE(queue.status.reserved.size() == 1);
    CHECK(queue.status.reserved.front().total == Quantity::of(5));
    CHECK(queue.status.admitted == queue.status.reserved);
  }
}

TEST_CASE("a ClusterQueue says what it has borrowed") {
  const ClusterQueue queue =
      cluster_queue_from_json(nlohmann::json::parse(R"({"metadata": {"name": "q"},
    "spec": {"cohortName": "all", "resourceGroups": [{"flavors": [{"name": "h100", "resources": [{"name": "nvidia.com/gpu", "nominalQuota": 4}]}]}]},
    "status": {"flavorsReservation": [{"name": "h100", "resources": [{"name": "nvidia.com/gpu", "total": "5", "borrowed": 1}]}]}})"));
  CHECK(queue.quotas.front().reserved == Quantity::of(5));
  CHECK(queue.status.reserved.front().borrowed == Quantity::of(1));
  CHECK_FALSE(queue.status.pending);
}

}  // namespace
}  // namespace gpu::decode::kinds_kueue_test
