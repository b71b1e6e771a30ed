#include "diagnose/fix/eviction.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_eviction_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// A pod of an owner, Running and Ready on a node of its own.
Pod ready(const std::string& name, const std::string& kind, const std::string& owner) {
  Pod pod = make::running(name, "node-" + name, {}, 8);
  pod.owners = {
      {.kind = kind, .name = owner, .uid = "uid-" + owner, .api_version = {}, .controller = true}};
  pod.phase = "Running";
  pod.conditions = {{.type = "Ready", .status = "True"}};
  return pod;
}

std::vector<Pod> three(const std::string& kind) {
  return {ready("x-0", kind, "x"), ready("x-1", kind, "x"), ready("x-2", kind, "x")};
}

/// The commands by which some of the pods, by their place, end; and how many pods do.
std::pair<std::string, std::size_t> ended(const std::vector<Pod>& pods,
                                          const std::vector<std::size_t>& some) {
  std::vector<Node> nodes;
  for (const Pod& pod : pods) nodes.push_back(make::node(pod.node_name, 8));
  const Snapshot snapshot = make::cluster(nodes, pods);
  const Cluster cluster(snapshot);
  std::vector<const Pod*> chosen;
  for (const std::size_t i : some) chosen.push_back(&snapshot.pods[i]);
  const auto endings = evictions_for(cluster, chosen, make::waiting("p", 8));
  if (!endings || endings->size() != 1) return {};
  // All that ends with them is ended in the same way.
  const auto again = evictions_for(cluster, endings->front().pods, make::waiting("p", 8));
  CHECK(again->front().command == endings->front().command);
  return {endings->front().command, endings->front().pods.size()};
}

using Ended = std::pair<std::string, std::size_t>;

const Ended kNone = {"kubectl scale statefulset x -n ml --replicas=0", 3};

}  // namespace

TEST_CASE("a StatefulSet ends its last pods first") {
  CHECK(ended(three("StatefulSet"), {2}) ==
        Ended{"kubectl scale statefulset x -n ml --replicas=2", 1});
  CHECK(ended(three("StatefulSet"), {1}) ==
        Ended{"kubectl scale statefulset x -n ml --replicas=1", 2});
  CHECK(ended(three("StatefulSet"), {0}) == kNone);
}

TEST_CASE("a StatefulSet that waits for a pod ends none before it") {
  std::vector<Pod> pods = three("StatefulSet");
  pods[0].conditions.clear();
  CHECK(ended(pods, {2}) == kNone);
}

TEST_CASE("a StatefulSet whose first ordinals are not there may not start at 0") {
  std::vector<Pod> pods = three("StatefulSet");
  pods.erase(pods.begin());
  CHECK(ended(pods, {1}) == Ended{"kubectl scale statefulset x -n ml --replicas=0", 2});
}

TEST_CASE("pods of a ReplicaSet are marked as the first to go") {
  CHECK(ended(three("ReplicaSet"), {1}) ==
        Ended{"kubectl annotate pod -n ml x-1 --overwrite "
              "controller.kubernetes.io/pod-deletion-cost=-2147483648\n"
              "kubectl scale replicaset x -n ml --current-replicas=3 --replicas=2",
              1});
  CHECK(ended(three("ReplicaSet"), {0, 2}).second == 2);
  CHECK(ended(three("ReplicaSet"), {0, 1, 2}) ==
        Ended{"kubectl scale replicaset x -n ml --replicas=0", 3});
}

TEST_CASE("a pod that is less far goes before one that is marked") {
  std::vector<Pod> pods = three("ReplicaSet");
  pods[0].conditions.clear();
  CHECK(ended(pods, {1}) == Ended{"kubectl scale replicaset x -n ml --replicas=0", 3});
  CHECK(ended(pods, {0}).second == 1);
}

TEST_CASE("a pod that starts goes before one whose node is silent, and that before one that runs") {
  std::vector<Pod> pods = three("ReplicaSet");
  for (const std::size_t i : {0, 1}) pods[i].conditions.clear();
  pods[0].phase = "Pending";
  pods[1].phase = "Unknown";
  CHECK(ended(pods, {0}).second == 1);
  CHECK(ended(pods, {1}).second == 3);
  CHECK(ended(pods, {0, 1}).second == 2);
}

TEST_CASE("a Job is suspended, unless a queue would resume it") {
  std::vector<Pod> pods = three("Job");
  CHECK(ended(pods, {1}) == Ended{"kubectl patch job x -n ml --type merge -p "
                                  "'{\"spec\":{\"suspend\":true}}'",
                                  3});
  pods[1].labels = {{"kueue.x-k8s.io/podset", "main"}};
  CHECK(ended(pods, {1}) == Ended{"kubectl delete job x -n ml", 3});
}

TEST_CASE("a Job that Kueue looks after is deleted: suspended, it would be resumed") {
  Snapshot snapshot = make::cluster({make::node("node-x-0", 8)}, {ready("x-0", "Job", "x")});
  const auto command = [&] {
    const Cluster cluster(snapshot);
    return evictions_for(cluster, {snapshot.pods.data()}, make::waiting("p", 8))->front().command;
  };
  CHECK(command().find("suspend") != std::string::npos);
  QueuedWorkload workload{.ns = "ml", .name = "job-x"};
  workload.owners = {{.kind = "Job", .name = "x", .uid = "uid-x"}};
  snapshot.scheduling.workloads = {workload};
  CHECK(command() == "kubectl delete job x -n ml");
}

}  // namespace fix_eviction_test
