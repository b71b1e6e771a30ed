#include "diagnose/fix/pod_patch.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace fix_pod_patch_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

std::string patch(const Pod& before, const Pod& after, PatchedSpec spec = PatchedSpec::of_pod,
                  std::size_t indent = 0) {
  return pod_patch(before, after, spec, indent);
}

Toleration toleration(std::string key, std::string effect, std::string op = "Exists") {
  return {.key = std::move(key), .op = std::move(op), .effect = std::move(effect)};
}

Pod tolerating(std::vector<Toleration> tolerations) {
  Pod made = make::pod("p", "", 1);
  made.tolerations = std::move(tolerations);
  return made;
}

const Toleration kNew{.key = "a", .op = "Equal", .value = "b", .effect = "NoSchedule"};
const std::string kNewLine = "- {key: a, operator: Equal, value: b, effect: NoSchedule}    # new\n";

}  // namespace

TEST_CASE("a patch of what is equal is empty") {
  CHECK(patch(make::pod("p", "", 1), make::pod("p", "", 1)).empty());
}

TEST_CASE("the list of tolerations is written whole, at its indentation") {
  Toleration timed = toleration("t", "NoExecute");
  timed.seconds = 30;
  CHECK(patch(tolerating({timed}), tolerating({timed, kNew}), PatchedSpec::of_pod, 2) ==
        "  tolerations:\n"
        "  - {key: t, operator: Exists, effect: NoExecute, tolerationSeconds: 30}    # already "
        "there\n  " +
            kNewLine);
}

TEST_CASE("tolerations that admission gives stay out of a template") {
  const auto counts = [](const Toleration& given) {
    const std::string text =
        patch(tolerating({given}), tolerating({given, kNew}), PatchedSpec::of_template);
    CHECK(text.ends_with(kNewLine));
    return text != "tolerations:\n" + kNewLine;
  };
  for (const std::string key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    CHECK_FALSE(counts(toleration(key, "NoExecute")));
    CHECK(counts(toleration(key, "NoSchedule")));
    CHECK(counts(toleration(key, "NoExecute", "Equal")));
  }
  CHECK(counts(toleration("node.kubernetes.io/other", "NoExecute")));
  const Toleration given = toleration("node.kubernetes.io/not-ready", "NoExecute");
  for (const PatchedSpec spec : {PatchedSpec::of_pod, PatchedSpec::of_new_pod})
    CHECK_THAT(patch(tolerating({given}), tolerating({given, kNew}), spec),
               Catch::Contains("# already there"));
}

TEST_CASE("tolerations that the DaemonSet controller gives stay out of its template") {
  const auto counts = [](const Toleration& given, const std::string& kind) {
    Pod before = tolerating({given});
    before.owners = {{.kind = kind, .name = "d"}};
    Pod after = before;
    after.tolerations.push_back(kNew);
    return patch(before, after, PatchedSpec::of_template) != "tolerations:\n" + kNewLine;
  };
  const std::string group = "node.kubernetes.io/";
  for (const std::string key : {"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable",
                                "network-unavailable"}) {
    CHECK_FALSE(counts(toleration(group + key, "NoSchedule"), "DaemonSet"));
    CHECK(counts(toleration(group + key, "NoSchedule"), "ReplicaSet"));
    CHECK(counts(toleration(group + key, "NoExecute"), "DaemonSet"));
    CHECK(counts(toleration(group + key, "NoSchedule", "Equal"), "DaemonSet"));
  }
  CHECK(counts(toleration(group + "other", "NoSchedule"), "DaemonSet"));
  CHECK(counts(toleration("node.example.com/x/disk-pressure", "NoSchedule"), "DaemonSet"));
  Pod before = make::pod("p", "", 1);
  before.owners = {{.kind = "DaemonSet", .name = "d"}};
  Pod after = before;
  after.tolerations = {toleration(group + "unschedulable", "NoSchedule")};
  CHECK_THAT(patch(before, after, PatchedSpec::of_template), Catch::Contains("# new"));
}

TEST_CASE("labels of the node selector that go, come and change are written, others are not") {
  Pod before = make::pod("p", "", 1);
  before.node_selector = {{"gone", "1"}, {"kept", "1"}, {"other", "old"}};
  Pod after = before;
  after.node_selector = {{"kept", "1"}, {"more", "x"}, {"other", "now"}};
  CHECK(patch(before, after) ==
        "nodeSelector:\n"
        "  gone: null\n"
        "  more: x    # new\n"
        "  other: now    # was old\n");
}

TEST_CASE("the terms of node affinity are written whole") {
  const auto affine = [](std::vector<NodeSelectorTerm> terms) {
    Pod made = make::pod("p", "", 1);
    made.placement.node_affinity = NodeSelector{std::move(terms)};
    return made;
  };
  const Requirement zone{.key = "zone", .op = "In", .values = {"a", "b"}};
  const Requirement model{.key = "model", .op = "Exists"};
  const Requirement name{.key = "metadata.name", .op = "In", .values = {"n1"}};
  NodeSelectorTerm old_term;
  old_term.expressions = {zone};
  NodeSelectorTerm new_term;
  new_term.expressions = {zone, model};
  new_term.fields = {name};
  NodeSelectorTerm fields_alone;
  fields_alone.fields = {name};
  const std::string head =
      "affinity:\n"
      "  nodeAffinity:\n"
      "    requiredDuringSchedulingIgnoredDuringExecution:\n"
      "      nodeSelectorTerms:\n";
  CHECK(patch(affine({old_term}), affine({new_term, fields_alone, {}})) ==
        head +
            "      - matchExpressions:\n"
            "        - {key: zone, operator: In, values: [a, b]}    # already there\n"
            "        - {key: model, operator: Exists}    # new\n"
            "        matchFields:\n"
            "        - {key: metadata.name, operator: In, values: [n1]}    # new\n"
            "      - matchFields:\n"
            "        - {key: metadata.name, operator: In, values: [n1]}    # new\n"
            "      - {}\n");
  CHECK(patch(affine({old_term}), affine({old_term})).empty());
  CHECK(patch(make::pod("p", "", 1), affine({old_term})).empty());
  CHECK(patch(affine({old_term}), make::pod("p", "", 1)).empty());
}

TEST_CASE("a spread rule that becomes a wish is found by its key") {
  TopologySpread zone;
  zone.topology_key = "zone";
  zone.when_unsatisfiable = "DoNotSchedule";
  zone.min_domains = 3;
  TopologySpread host = zone;
  host.topology_key = "host";
  host.match_label_keys = {"hash"};
  Pod before = make::pod("p", "", 1);
  before.placement.spread = {zone, host};
  Pod after = before;
  after.placement.spread[0].when_unsatisfiable = "ScheduleAnyway";
  after.placement.spread[0].min_domains.reset();
  const std::string relaxed =
      "topologySpreadConstraints:\n"
      "- topologyKey: zone\n"
      "  whenUnsatisfiable: ScheduleAnyway    # was DoNotSchedule\n"
      "  minDomains: null    # was 3\n";
  CHECK(patch(before, after) == relaxed);
  CHECK(patch(before, after, PatchedSpec::of_template) == relaxed);
  const std::string merged =
      "- topologyKey: host\n"
      "  matchLabelKeys: null    # its labels are in the selector\n";
  CHECK(patch(before, after, PatchedSpec::of_new_pod) == relaxed + merged);
  CHECK(patch(before, before, PatchedSpec::of_new_pod) == "topologySpreadConstraints:\n" + merged);
  after.placement.spread[0].min_domains = 3;
  CHECK_THAT(patch(before, after), !Catch::Contains("minDomains"));
}

TEST_CASE("amounts of containers that go, come and change are written under the container's name") {
  Pod before = make::pod("p", "", 2);
  before.containers.front().requests.set("cpu", Quantity::of(4));
  before.containers.front().limits.set("cpu", Quantity::of(8));
  before.containers.push_back({.name = "side"});
  before.containers.push_back({.name = "third"});
  before.init_containers = {{.name = "first"}};
  Pod after = before;
  after.containers[0].requests.set("cpu", Quantity::of(2));
  after.containers[0].requests.set("memory", Quantity::of(1024));
  after.containers[2].limits.set("cpu", Quantity::of(1));
  after.init_containers[0].requests.set("amd.com/gpu", Quantity::of(1));
  CHECK(patch(before, after) ==
        "containers:\n"
        "- name: main\n"
        "  resources:\n"
        "    requests:\n"
        "      cpu: \"2\"    # was 4\n"
        "      memory: 1Ki    # new\n"
        "- name: third\n"
        "  resources:\n"
        "    limits:\n"
        "      cpu: \"1\"    # new\n"
        "initContainers:\n"
        "- name: first\n"
        "  resources:\n"
        "    requests:\n"
        "      amd.com/gpu: \"1\"    # new\n");
  CHECK_THAT(patch(make::pod("p", "", 2), make::pod("p", "", 0)),
             Catch::Contains("      nvidia.com/gpu: null\n"));
}

}  // namespace fix_pod_patch_test
