#include "plan/api_refusal.hpp"

#include <catch2/catch.hpp>

#include "plan/claims.hpp"
#include "plan/explain_planned.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace plan_api_refusal_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::plan;
using namespace gpu::scheduler;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

/// One that the API server takes: as much asked for as it is limited to.
Pod planned(std::int64_t gpus = 2) {
  Pod pod = make::waiting("p", gpus);
  pod.containers[0].limits = pod.containers[0].requests;
  return pod;
}

Explanation opinion(const Snapshot& snapshot, const Pod& pod, bool is_blocked = false) {
  Explanation answer{.ns = "ml", .name = "p"};
  answer.is_blocked = is_blocked;
  answer.code = is_blocked ? Code::insufficient_gpus : Code::starting;
  answer.summary = "as it was";
  add_api_opinion(answer, Cluster(snapshot), pod);
  return answer;
}

Snapshot cluster() {
  Snapshot snapshot = make::cluster({make::node("a", 8)});
  snapshot.scheduling.coverages["priorityclasses"] = Coverage::whole;
  snapshot.scheduling.coverages["runtimeclasses"] = Coverage::whole;
  snapshot.scheduling.priority_classes = {{.name = "high", .value = 10}};
  snapshot.scheduling.runtime_classes = {{.name = "nvidia"}};
  return snapshot;
}

}  // namespace

TEST_CASE("what the API server takes is left as it is") {
  Pod pod = planned();
  pod.priority_class = "high";
  pod.runtime_class = "nvidia";
  const Explanation answer = opinion(cluster(), pod);
  CHECK_FALSE(answer.is_blocked);
  CHECK(answer.summary == "as it was");
  CHECK(answer.not_checked.empty());
  pod.priority_class = "system-node-critical";
  CHECK_FALSE(opinion(cluster(), pod).is_blocked);
}

TEST_CASE("a namespace that is not there, or ends, takes no pods") {
  Snapshot snapshot = cluster();
  CHECK_FALSE(opinion(snapshot, planned()).is_blocked);  // none was read
  snapshot.scheduling.namespaces = {{.name = "mll"}};
  Explanation answer = opinion(snapshot, planned());
  CHECK(answer.code == Code::admission_rejected);
  CHECK(answer.summary == "the API server would refuse it: namespaces \"ml\" not found");
  CHECK(answer.advice.at(0).summary == "use the namespace mll, or make ml first");
  snapshot.scheduling.coverages["namespaces"] = Coverage::partial;
  CHECK_FALSE(opinion(snapshot, planned()).is_blocked);
  snapshot.scheduling.coverages["namespaces"] = Coverage::whole;
  add_namespace(snapshot.scheduling, {.name = "ml"});
  CHECK_FALSE(opinion(snapshot, planned()).is_blocked);
  CHECK(value_of(snapshot.scheduling.namespaces.at(0).labels, "kubernetes.io/metadata.name") ==
        "ml");
  snapshot.scheduling.namespaces.at(0).is_terminating = true;
  add_namespace(snapshot.scheduling, {.name = "ml"});
  CHECK(snapshot.scheduling.namespaces.size() == 2);
  CHECK_THAT(opinion(snapshot, planned()).summary, Contains("it is being terminated"));
}

TEST_CASE("a class that does not exist is a refusal, and one that was not read is not checked") {
  Pod pod = planned();
  pod.priority_class = "hihg";
  Explanation answer = opinion(cluster(), pod);
  CHECK(answer.is_blocked);
  CHECK(answer.code == Code::admission_rejected);
  CHECK(answer.summary ==
        "the API server would refuse it: no PriorityClass with name hihg was found");
  CHECK(answer.advice.at(0).summary == "name the PriorityClass high");
  pod.priority_class.clear();
  pod.runtime_class = "gvisor-x";
  answer = opinion(cluster(), pod, true);
  CHECK_THAT(answer.summary, Contains("pod rejected: RuntimeClass \"gvisor-x\" not found"));
  CHECK(answer.remarks.at(0).text == "once it is admitted: as it was");
  Snapshot unseen = cluster();
  unseen.scheduling.coverages.clear();
  answer = opinion(unseen, pod);
  CHECK_FALSE(answer.is_blocked);
  CHECK_THAT(answer.not_checked.at(0), Contains("RuntimeClass gvisor-x"));
}

TEST_CASE("a priority of one's own has to be that of the class") {
  Pod pod = planned();
  pod.priority = 5;
  CHECK(opinion(cluster(), pod).summary ==
        "the API server would refuse it: the integer value of priority (5) must not be provided in "
        "pod spec; priority admission controller computed 0 from the given PriorityClass name");
  pod.priority_class = "high";
  CHECK_THAT(opinion(cluster(), pod).summary, Contains("computed 10 from"));
  pod.priority = 10;
  CHECK_FALSE(opinion(cluster(), pod).is_blocked);
}

TEST_CASE("devices are whole, and asked for as they are limited") {
  Pod more = planned();
  more.containers[0].limits.set(kGpu, Quantity::of(4));
  CHECK_THAT(opinion(cluster(), more).summary,
             Contains("request 2 must be equal to nvidia.com/gpu limit of 4"));
  Pod unlimited = planned();
  unlimited.containers[0].limits = {};
  CHECK_THAT(opinion(cluster(), unlimited).summary, Contains("limit must be set"));
  Pod half = planned();
  half.containers[0].requests.set(kGpu, Quantity::of_milli(500));
  CHECK_THAT(opinion(cluster(), half).summary, Contains("nvidia.com/gpu must be an integer"));
  // Not so of cpu.
  Pod cpu = planned(0);
  cpu.containers[0].requests.set("cpu", Quantity::of_milli(500));
  CHECK_FALSE(opinion(cluster(), cpu).is_blocked);
}

TEST_CASE("quotas and LimitRanges that do not let it in are the reason") {
  Snapshot snapshot = cluster();
  ResourceQuota quota{.ns = "ml", .name = "gpus"};
  quota.hard.set("requests.nvidia.com/gpu", Quantity::of(8));
  quota.used.set("requests.nvidia.com/gpu", Quantity::of(7));
  snapshot.scheduling.quotas = {quota};
  const Explanation full = opinion(snapshot, planned());
  CHECK(full.is_blocked);
  CHECK(full.code == Code::quota_exceeded);
  CHECK(full.summary ==
        "the quota gpus of namespace ml has no room for it: 7 of 8 requests.nvidia.com/gpu are "
        "taken, and the pod requests 2");
  CHECK(full.advice.at(0).command == "kubectl describe resourcequota -n ml");
  CHECK_FALSE(opinion(snapshot, planned(1)).is_blocked);
  // Quotas come last.
  snapshot.scheduling.limit_ranges = {
      {.ns = "ml",
       .name = "bounds",
       .limits = {{.type = "Container", .max = {{kGpu, Quantity::of(1)}}}}}};
  const Explanation bounded = opinion(snapshot, planned());
  CHECK(bounded.code == Code::limit_range);
  CHECK(bounded.summary ==
        "the LimitRange bounds of namespace ml would refuse it: maximum nvidia.com/gpu usage per "
        "Container is 1, but limit is 2");
  CHECK_FALSE(is_let_in(Cluster(snapshot), planned()));
  CHECK(is_let_in(Cluster(snapshot), planned(1)));
}

TEST_CASE("what of admission was not read is named with what nobody can know") {
  SchedulingFacts facts;
  const std::string others =
      "admission webhooks and policies, and fields that scheduling does not read: `kubectl create "
      "--dry-run=server -f FILE` checks these";
  CHECK(unseen_admission(facts) == "ResourceQuota, LimitRange, " + others);
  facts.coverages = {{"resourcequotas", Coverage::whole}};
  CHECK(unseen_admission(facts) == "LimitRange, " + others);
  facts.coverages["limitranges"] = Coverage::whole;
  CHECK(unseen_admission(facts) == others);
}

TEST_CASE("a planned pod would start without a doubt only where quotas and LimitRanges were read") {
  Snapshot snapshot = cluster();
  const auto summary = [&] {
    return explain_planned(Cluster(snapshot), planned(), {.manifest = "a.yaml"}).summary;
  };
  CHECK(summary() == "it would start, as far as could be checked: it fits on a");
  snapshot.scheduling.coverages["resourcequotas"] = Coverage::whole;
  CHECK(summary() == "it would start, as far as could be checked: it fits on a");
  snapshot.scheduling.coverages["limitranges"] = Coverage::whole;
  CHECK(summary() == "it would start: it fits on a");
}

TEST_CASE("tolerations that a cluster may add are named where they would matter") {
  Snapshot snapshot = cluster();
  snapshot.nodes[0].taints = {{.key = kGpu, .value = "present", .effect = "NoSchedule"}};
  CHECK_THAT(opinion(snapshot, planned(), true).not_checked.at(0),
             Contains("adds a toleration of the taint nvidia.com/gpu"));
  CHECK(opinion(snapshot, planned()).not_checked.empty());
  Pod tolerant = planned();
  tolerant.tolerations = {{.key = kGpu, .op = "Exists"}};
  CHECK(opinion(snapshot, tolerant, true).not_checked.empty());
}

TEST_CASE("claims, gates, ports and names of containers are those that the API server takes") {
  const auto refusal = [](const auto& edit) {
    Pod pod = planned();
    pod.containers[0].name = "main";
    pod.claim_slots = {{.name = "g", .claim = "x"}, {.name = "h", .claim_template = "t"}};
    pod.scheduling_gates = {"a/b", "a/c"};
    pod.containers[0].ports = {{.port = 65535, .host_port = 80}};
    pod.tolerations = {{.key = "a", .op = "Exists", .effect = "NoExecute", .seconds = 3}};
    edit(pod);
    constexpr std::string_view kWho = "the API server would refuse it: ";
    const std::string summary = opinion(cluster(), pod).summary;
    return summary.starts_with(kWho) ? summary.substr(kWho.size()) : summary;
  };
  CHECK(refusal([](Pod&) {}) == "as it was");
  CHECK(refusal([](Pod& pod) { pod.claim_slots[1].name = "g"; }) ==
        "spec.resourceClaims[1].name: Duplicate value: \"g\"");
  CHECK(refusal([](Pod& pod) { pod.claim_slots[0].claim.clear(); }) ==
        "spec.resourceClaims[0]: Invalid value: {\"Name\":\"g\",\"ResourceClaimName\":null,"
        "\"ResourceClaimTemplateName\":null}: must specify one of: `resourceClaimName`, "
        "`resourceClaimTemplateName`");
  CHECK(refusal([](Pod& pod) { pod.claim_slots[0].name.clear(); }) ==
        "spec.resourceClaims[0].name: Required value");
  CHECK(refusal([](Pod& pod) { pod.scheduling_gates[1] = "a/b"; }) ==
        "spec.schedulingGates[1]: Duplicate value: \"a/b\"");
  CHECK(refusal([](Pod& pod) { pod.node_name = "a"; }) ==
        "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
  CHECK(refusal([](Pod& pod) { pod.init_containers = {{.name = "main"}}; }) ==
        "spec.initContainers[0].name: Duplicate value: \"main\"");
  CHECK(refusal([](Pod& pod) { pod.containers[0].ports[0].port = 70000; }) ==
        "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and "
        "65535, inclusive");
  CHECK(refusal([](Pod& pod) {
          pod.containers.push_back({.name = "other", .ports = {{.port = 1, .host_port = 80}}});
        }) == "spec.containers[1].ports[0].hostPort: Duplicate value: \"TCP//80\"");
  CHECK(refusal([](Pod& pod) {
          pod.init_containers = {{.name = "a", .ports = {{.port = 1, .host_port = 80}}},
                                 {.name = "b", .ports = {{.port = 1, .host_port = 80}}}};
        }) == "as it was");
  CHECK(
      refusal([](Pod& pod) {
        pod.placement.spread = {{.max_skew = 1,
                                 .topology_key = "zone",
                                 .when_unsatisfiable = "ScheduleAnyway",
                                 .min_domains = 2}};
      }) ==
      "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if "
      "whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway");
  CHECK(refusal([](Pod& pod) {
          pod.overhead = {{"cpu", Quantity::of(1)}};
        }) == "pod rejected: Pod Overhead set without corresponding RuntimeClass defined");
  CHECK(refusal([](Pod& pod) { pod.host_network = true; }) ==
        "spec.containers[0].ports[0].hostPort: Invalid value: 80: must match `containerPort` when "
        "`hostNetwork` is true");
  CHECK(
      refusal([](Pod& pod) { pod.tolerations[0].effect = "NoSchedule"; }) ==
      "spec.tolerations[0].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when "
      "`tolerationSeconds` is set");
}

TEST_CASE("a mistyped operator, effect or amount is a refusal, not a rule that matches nothing") {
  const auto refusal = [](const auto& edit) {
    Pod pod = planned();
    edit(pod);
    const Explanation answer = opinion(cluster(), pod);
    CHECK(answer.is_blocked);
    CHECK(answer.code == Code::admission_rejected);
    return answer.summary;
  };
  CHECK(refusal([](Pod& pod) { pod.tolerations = {{.key = "a", .op = "exists"}}; }) ==
        "the API server would refuse it: spec.tolerations[0].operator: Unsupported value: "
        "\"exists\": supported values: \"Equal\", \"Exists\"");
  CHECK_THAT(refusal([](Pod& pod) {
               pod.tolerations = {{.key = "a", .op = "Exists", .effect = "NoSchedul"}};
             }),
             Contains("spec.tolerations[0].effect: Unsupported value: \"NoSchedul\""));
  CHECK_THAT(refusal([](Pod& pod) {
               pod.placement.node_affinity =
                   NodeSelector{{.expressions = {{.key = "pool", .op = "in", .values = {"a"}}}}};
             }),
             Contains("nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value: \"in\": "
                      "not a valid selector operator"));
  CHECK_THAT(refusal([](Pod& pod) { pod.placement.spread = {{.max_skew = 1}}; }),
             Contains("spec.topologySpreadConstraints[0].topologyKey: Required value"));
  CHECK_THAT(refusal([](Pod& pod) { pod.containers[0].requests.set(kGpu, Quantity::of(-3)); }),
             Contains("spec.containers[0].resources.requests[nvidia.com/gpu]: Invalid value"));
  CHECK_THAT(refusal([](Pod& pod) {
               pod.containers[0].requests.set("cpu", Quantity::of(8));
               pod.containers[0].limits.set("cpu", Quantity::of(2));
             }),
             Contains("spec.containers[0].resources.requests: Invalid value: \"8\": must be less "
                      "than or equal to cpu limit of 2"));
}

}  // namespace plan_api_refusal_test
