#include "diagnose/lifecycle/autoscaler.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_autoscaler_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

const Time kNow{std::chrono::hours{10}};

/// An event of the pod, so long ago.
Event event(std::string reporter, std::string reason, std::string message,
            std::chrono::seconds ago = {}) {
  Event made{.ns = "ml", .type = "Normal", .reason = std::move(reason)};
  made.message = std::move(message);
  made.kind = "Pod";
  made.object = "p";
  made.reporter = std::move(reporter);
  made.last = kNow - ago;
  return made;
}

Event karpenter(std::string message) {
  return event("karpenter", "FailedScheduling", std::move(message));
}

Event cluster_autoscaler(std::string message) {
  return event("cluster-autoscaler", "NotTriggerScaleUp", std::move(message));
}

std::optional<AutoscalerWord> word(std::vector<Event> events, std::int64_t gpus = 1,
                                   Code reason = Code::insufficient_gpus,
                                   const std::string& selected = "") {
  Pod pod = make::waiting("p", gpus);
  if (!selected.empty()) pod.node_selector.set("karpenter.sh/nodepool", selected);
  Snapshot snapshot = make::cluster({make::labelled("c1", {{"karpenter.sh/nodepool", "cpu"}}),
                                     make::labelled("g1", {{"karpenter.sh/nodepool", "gpu"}}, 8)},
                                    {pod});
  snapshot.nodes[1].allocatable.set("nvidia.com/gpu", Quantity::of(8));
  snapshot.scheduling.events = std::move(events);
  return autoscaler_word(Cluster(snapshot), pod, reason, kNow);
}

/// "CODE | summary | text | advice | command".
std::string told(std::vector<Event> events, std::int64_t gpus = 1,
                 Code reason = Code::insufficient_gpus, const std::string& selected = "") {
  const auto it = word(std::move(events), gpus, reason, selected);
  if (!it) return "nothing";
  const std::string code = !it->code                                ? "none"
                           : *it->code == Code::autoscaler_limit    ? "limit"
                           : *it->code == Code::autoscaler_no_match ? "no match"
                                                                    : "other";
  const std::string advice =
      it->advice
          ? it->advice->summary + (it->advice->command.empty() ? "" : " $ " + it->advice->command)
          : "-";
  return code + " | " + it->summary + " | " + it->text + " | " + advice;
}

}  // namespace

TEST_CASE("a NodePool at its limits is named, with the command that edits it") {
  const std::string summary =
      "limit | no node has room, and Karpenter may add none: the limits of NodePool gpu are "
      "reached | ";
  const std::string advice =
      " | raise spec.limits of NodePool gpu, or end what runs on its nodes $ kubectl edit nodepool "
      "gpu";
  for (const std::string said :
       {"all available instance types exceed limits for nodepool: \"gpu\"",
        "all available instance types exceed limits for nodepool (NodePool=gpu)"}) {
    // The part about the other NodePool is quoted, and does not count.
    const std::string all =
        "Failed to schedule pod, " + said + "; incompatible with nodepool \"cpu\", no GPUs";
    CHECK(told({karpenter(all)}) == summary + "Karpenter says: " + all + advice);
  }
}

TEST_CASE("a limit without a NodePool's name is quoted in the headline alone") {
  CHECK(told({karpenter("Failed to schedule pod, limits have been exhausted")}) ==
        "limit | no node has room, and Karpenter may add none: limits have been exhausted |  | "
        "raise the NodePool's spec.limits, or end what runs on its nodes");
  CHECK(told({karpenter("limits have been exhausted")}, 1, Code::node_selector_mismatch) ==
        "limit | no node has the labels that it selects, and Karpenter may add none: limits have "
        "been exhausted |  | raise the NodePool's spec.limits, or end what runs on its nodes");
}

TEST_CASE("each of cluster-autoscaler's refusals has its code and its advice") {
  const auto limit = [](const std::string& why, const std::string& advice) {
    return "limit | no node has room, and cluster-autoscaler may add none: " + why + " |  | " +
           advice;
  };
  const auto no_match = [](const std::string& why, const std::string& advice) {
    return "no match | no node has room, and none that cluster-autoscaler could add would fit: " +
           why + " |  | " + advice;
  };
  const auto said = [](const std::string& why) {
    return told({cluster_autoscaler("pod didn't trigger scale-up: " + why)});
  };
  std::string why = "1 max node group size reached, 2 Insufficient nvidia.com/gpu";
  CHECK(said(why) == limit(why,
                           "raise the largest size of the node group, or end what runs on its "
                           "nodes"));
  why = "1 in backoff after failed scale-up";
  CHECK(said(why) ==
        limit(why,
              "the last scale-up failed, often for want of the cloud's quota or stock: see what it "
              "says $ kubectl get configmap cluster-autoscaler-status -n kube-system -o yaml"));
  why = "max total nodes in cluster reached";
  CHECK(said(why) == limit(why, "raise cluster-autoscaler's --max-nodes-total"));
  why = "1 max cluster gpu limit reached";
  CHECK(said(why) == limit(why, "raise cluster-autoscaler's --gpu-total"));
  why = "1 max cluster cpu limit reached";
  CHECK(said(why) == limit(why, "raise cluster-autoscaler's --cores-total"));
  why = "1 max cluster memory limit reached";
  CHECK(said(why) == limit(why, "raise cluster-autoscaler's limits for the whole cluster"));
  why = "1 node(s) had untolerated taint {a: b}";
  CHECK(said(why) ==
        no_match(why, "tolerate the taint of a node group that has what the pod needs"));
  why = "1 node(s) didn't match Pod's node affinity/selector";
  CHECK_THAT(said(why), Catch::StartsWith(no_match(why, "give it a node group with the labels")));
  why = "1 something new";
  CHECK(said(why) == no_match(why, "-"));
}

TEST_CASE("what Karpenter says of the NodePool that the pod is for counts") {
  const std::string cpu = "incompatible with nodepool \"cpu\", label a";
  const std::string gpu = "incompatible with nodepool \"gpu\", label b";
  const std::string other =
      "incompatible with nodepool \"other\", did not tolerate taint a=b:NoRun";
  const std::string taint =
      "incompatible with nodepool \"third\", did not tolerate taint "
      "nvidia.com/gpu=true:NoSchedule";
  const auto counted = [](const std::string& message, std::int64_t gpus, std::string selected) {
    const std::string lead = "no node has room, and none that Karpenter could add would fit: ";
    return word({karpenter(message)}, gpus, Code::insufficient_gpus, selected)
        ->summary.substr(lead.size());
  };
  const std::string all = other + "; " + cpu + "; " + gpu + "; " + taint;
  CHECK(counted(all, 1, "other") == other);
  CHECK(counted(all, 0, "cpu") == cpu);
  CHECK(counted(all, 1, "missing") == taint);
  CHECK(counted(all, 1, "") == taint);
  CHECK(counted(other + "; " + cpu + "; " + gpu, 1, "") == gpu);
  CHECK(counted(all, 0, "") == all);
  CHECK(counted(other + "; " + cpu, 1, "") == other + "; " + cpu);
}

TEST_CASE("a GPU's taint is read with and without the name that newer versions give") {
  const std::string old = "a; did not tolerate taint amd.com/gpu:NoSchedule";
  const std::string now = "a; did not tolerate taint (taint=amd.com/gpu=x:NoSchedule)";
  CHECK_THAT(told({karpenter(old)}),
             Catch::Contains("would fit: did not tolerate taint amd.com/gpu:NoSchedule | Karpenter "
                             "says: " +
                             old + " | tolerate the NodePool's taint"));
  CHECK_THAT(told({karpenter(now)}),
             Catch::Contains("would fit: did not tolerate taint (taint=amd.com/gpu=x"));
}

TEST_CASE("a node that was promised is waited for a quarter of an hour") {
  const auto promised = [](std::chrono::seconds ago) {
    return told({event("cluster-autoscaler", "TriggeredScaleUp", "pool 1->2", ago)});
  };
  CHECK(promised(std::chrono::minutes{15}) ==
        "none |  |  | wait for the node: cluster-autoscaler said 15m ago that it brings one: pool "
        "1->2");
  CHECK(promised(std::chrono::minutes{15} + std::chrono::seconds{1}) ==
        "none |  | cluster-autoscaler says: pool 1->2 | see why the node has not come: "
        "cluster-autoscaler said 15m ago that it brings one, and nodes take at most 15m $ kubectl "
        "describe configmap -n kube-system cluster-autoscaler-status");
  CHECK(promised(std::chrono::seconds{0}) ==
        "none |  |  | wait for the node: cluster-autoscaler said 0s ago that it brings one: pool "
        "1->2");
  CHECK(promised(std::chrono::seconds{-1}) == "none |  | cluster-autoscaler says: pool 1->2 | -");
  CHECK(told({event("karpenter", "Nominated", "claim x", std::chrono::seconds{5})}) ==
        "none |  |  | wait for the node: Karpenter said 5s ago that it brings one: claim x");
  CHECK(told({event("karpenter", "TriggeredScaleUp", "claim x")}) ==
        "none |  | Karpenter says: claim x | -");
}

TEST_CASE("only an autoscaler's newest event counts") {
  CHECK(told({event("default-scheduler", "FailedScheduling", "incompatible")}) == "nothing");
  CHECK(told({event("default-scheduler", "FailedScheduling", "incompatible"),
              event("karpenter", "NoCompatibleInstanceTypes", "nope", std::chrono::seconds{1}),
              event("karpenter", "Nominated", "claim x", std::chrono::seconds{2})}) ==
        "no match | no node has room, and none that Karpenter could add would fit: nope |  | -");
  CHECK(told({event("cluster-autoscaler", "FailedScheduling", "x")}) ==
        "none |  | cluster-autoscaler says: x | -");
}

TEST_CASE("more nodes help where nodes lack room, and where labels are those of a full NodePool") {
  for (const Code lacking :
       {Code::insufficient_gpus, Code::insufficient_extended_resource, Code::gpus_scattered,
        Code::request_exceeds_every_node, Code::insufficient_cpu, Code::insufficient_memory,
        Code::insufficient_storage, Code::too_many_pods, Code::resource_not_advertised})
    CHECK(may_help_by_nodes(lacking, Code::autoscaler_no_match));
  CHECK_FALSE(may_help_by_nodes(Code::untolerated_taint, Code::autoscaler_limit));
  CHECK(may_help_by_nodes(Code::node_selector_mismatch, Code::autoscaler_limit));
  CHECK_FALSE(may_help_by_nodes(Code::node_selector_mismatch, Code::autoscaler_no_match));
}

}  // namespace lifecycle_autoscaler_test
