#include "diagnose/lifecycle/kubelet_refusal.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_kubelet_refusal_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod refused(std::string reason, std::string message) {
  Pod pod = make::running("train-0", "g1", {}, 4);
  pod.phase = "Failed";
  pod.reason = std::move(reason);
  pod.message = std::move(message);
  return pod;
}

Trouble told(const Pod& pod, std::vector<Pod> others = {}, std::int64_t gpus = 8) {
  others.push_back(pod);
  const Snapshot snapshot = make::cluster({make::node("g1", gpus)}, std::move(others));
  const Cluster cluster(snapshot);
  const auto trouble = kubelet_refusal(cluster, pod);
  REQUIRE(trouble);
  CHECK(trouble->code == Code::kubelet_rejected);
  REQUIRE_FALSE(trouble->advice.empty());
  return *trouble;
}

Trouble told(std::string words) {
  return told(refused("UnexpectedAdmissionError", "Pod was rejected: " + std::move(words)));
}

bool mentions(const Trouble& trouble, std::string_view word) {
  for (const Advice& each : trouble.advice)
    if (each.summary.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a pod that the kubelet took is not refused, however it ended") {
  const Snapshot snapshot = make::cluster({make::node("g1", 8)}, {});
  const Cluster cluster(snapshot);
  CHECK_FALSE(kubelet_refusal(cluster, refused("Evicted", "")));
  CHECK_FALSE(kubelet_refusal(cluster, make::running("r", "g1", {}, 1)));
}

TEST_CASE("a plugin that had not registered is ready later: create the pod again") {
  const Trouble it = told(
      "Allocate failed due to can't allocate unregistered device nvidia.com/gpu, which is "
      "unexpected");
  CHECK(it.advice.front().command == "kubectl delete pod train-0 -n ml");
  CHECK(mentions(it, "has not registered"));
  CHECK_FALSE(mentions(it, "Xid"));
}

TEST_CASE("a lost card is dealt with on its node first, one that is back is not") {
  const Pod pod = refused("UnexpectedAdmissionError",
                          "Pod was rejected: Allocate failed due to no healthy devices present; "
                          "cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected");
  Node node = make::node("g1", 8);
  const auto first = [&] {
    const Snapshot snapshot = make::cluster({node}, {pod});
    return kubelet_refusal(Cluster(snapshot), pod)->advice.front().command;
  };
  CHECK(first() == "kubectl delete pod train-0 -n ml");
  node.allocatable.set("nvidia.com/gpu", Quantity::of(7));
  CHECK(first() == "kubectl cordon g1");
}

TEST_CASE("whatever a kubelet rejects is a refusal, of whatever reason") {
  CHECK(is_refused_by_kubelet(refused("SomethingNew", "Pod was rejected: of something new")));
  CHECK(is_refused_by_kubelet(refused("SMTAlignmentError", "")));
  CHECK(is_refused_by_kubelet(refused("OutOfnvidia.com/gpu", "")));
  CHECK_FALSE(is_refused_by_kubelet(refused("Error", "Pod was deleted")));
}

TEST_CASE("of devices of which a pod requests one it cannot request less") {
  const Trouble it = told(refused("OutOfnvidia.com/gpu",
                                  "Node didn't have enough resource: nvidia.com/gpu, requested: 1, "
                                  "used: 1, capacity: 1"));
  CHECK_FALSE(mentions(it, "request less"));
  CHECK(mentions(it, "let the scheduler choose"));
}

TEST_CASE("more than the node has is not had by trying again") {
  const std::string words =
      "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. "
      "Requested: 4, Available: 1, which is unexpected";
  const Pod pod = refused("UnexpectedAdmissionError", words);
  const Trouble few = told(pod, {}, 1);
  CHECK(few.advice.front().summary.starts_with("request 1 or less: g1 has no more nvidia.com/gpu"));
  const Trouble held = told(pod, {}, 4);
  CHECK(held.advice.front().command == "kubectl delete pod train-0 -n ml");
  CHECK(held.advice.back().command == "kubectl describe node g1");
}

TEST_CASE("a request for more shares than one pod gets is refused for ever: request fewer") {
  const Trouble it = told(
      "Allocate failed due to rpc error: code = Unknown desc = request for 'nvidia.com/gpu: 2' too "
      "large: maximum request size for shared resources is 1; found 2, which is unexpected");
  REQUIRE(it.advice.size() == 1);
  CHECK(it.advice.front().summary.starts_with("request 1: "));
  CHECK(it.advice.front().command.empty());
}

TEST_CASE("of memory, CPU and pods it says who requests them, and nothing of devices") {
  Pod etl = make::running("etl", "g1", {}, 0);
  etl.containers.front().requests.set("memory", Quantity::of(std::int64_t{30} << 30));
  Pod pod = refused("OutOfmemory",
                    "Node didn't have enough resource: memory, requested: 2147483648, used: "
                    "32290433792, capacity: 32457011200");
  pod.scheduler_name = "kai-scheduler";
  const Trouble it = told(pod, {etl});
  CHECK(it.summary ==
        "the kubelet of g1 refused the pod: not enough memory: the pod requests 2.0Gi, others "
        "30.1Gi of 30.2Gi");
  CHECK(mentions(it, "most of it is requested by ml/etl (30.0Gi)"));
  CHECK(mentions(it, "kai-scheduler bound the pod although"));
  CHECK_FALSE(mentions(it, "device plugin"));
  pod.scheduler_name = "default-scheduler";
  CHECK_FALSE(mentions(told(pod, {etl}), "default-scheduler"));

  const Trouble pods = told(
      refused("OutOfpods",
              "Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110"));
  CHECK(pods.summary.ends_with("it has 110 of the 110 pods that it may have"));
  CHECK(mentions(pods, "maxPods"));
}

TEST_CASE("a NUMA node and a node that does not match have advice of their own") {
  const Trouble numa = told(
      refused("TopologyAffinityError", "Resources cannot be allocated with Topology locality"));
  CHECK(mentions(numa, "one NUMA node"));
  CHECK_FALSE(mentions(numa, "device plugin"));
  const Trouble node = told(refused("NodeAffinity", "Predicate NodeAffinity failed"));
  CHECK(node.advice.front().command == "kubectl describe node g1");
}

}  // namespace lifecycle_kubelet_refusal_test
