#include "scheduler/filters/node_declared_features.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "scheduler/cycle/judge.hpp"

namespace filters_node_declared_features_test {

namespace {

using gpu::Pod;
using gpu::Snapshot;
using gpu::scheduler::Cluster;
using gpu::scheduler::NodeDeclaredFeatures;
using gpu::scheduler::rules_for;
using Features = std::vector<std::string_view>;

constexpr const char* kRestart = "RestartAllContainersOnContainerExits";

Pod restarting() {
  Pod pod = gpu::make::pod("p", "", 0);
  pod.containers[0].restarts_all = true;
  return pod;
}

std::string message(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  return predicted_message(cluster, pod, judge(cluster, pod));
}

}  // namespace

TEST_CASE("pods need features of their nodes from 1.36 on") {
  const gpu::Node node = gpu::make::node("a", 0);
  Pod pod = gpu::make::pod("p", "", 0);
  const auto missing = [&](const char* version) {
    return NodeDeclaredFeatures(rules_for(version), pod).missing(node);
  };
  CHECK(missing("v1.36.1").empty());
  pod.isolates_users = true;
  CHECK(missing("v1.36.1").empty());
  pod.host_network = true;
  CHECK(missing("v1.36.1") == Features{"UserNamespacesHostNetworkSupport"});
  pod.init_containers = {{.name = "init", .restarts_all = true}};
  CHECK(missing("v1.36.1") == Features{kRestart, "UserNamespacesHostNetworkSupport"});
  CHECK(missing("v1.35.3").empty());
  CHECK(missing("v1.34.4").empty());
}

TEST_CASE("a node that does not declare a feature refuses the pod, and no preemption helps") {
  Snapshot snapshot = gpu::make::snapshot({gpu::make::node("a", 0), gpu::make::node("b", 0)}, {});
  snapshot.server_version = "v1.36.1";
  CHECK(message(snapshot, restarting()) ==
        "0/2 nodes are available: 2 node(s) didn't match Pod's required features. no new claims to "
        "deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for "
        "scheduling.");
  snapshot.nodes[1].declared_features = {"Other", kRestart};
  CHECK(message(snapshot, restarting()).empty());
}

TEST_CASE("features are asked for last") {
  Snapshot snapshot = gpu::make::snapshot({gpu::make::node("a", 0)}, {});
  snapshot.server_version = "v1.36.1";
  Pod pod = restarting();
  pod.containers[0].requests.set("nvidia.com/gpu", gpu::Quantity::of(1));
  CHECK(message(snapshot, pod)
            .starts_with("0/1 nodes are available: 1 Insufficient nvidia.com/gpu."));
}

}  // namespace filters_node_declared_features_test
