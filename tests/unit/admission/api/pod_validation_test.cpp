#include "admission/api/pod_validation.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu::admission::api_pod_validation_test {
namespace {

std::string mistake(const Pod& pod) { return invalid_placement(pod).value_or("none"); }

std::string of_toleration(const Toleration& toleration) {
  Pod pod = make::pod("a", "", 1);
  pod.tolerations = {{.op = "Exists"}, toleration};
  return mistake(pod);
}

std::string of_node_affinity(const NodeSelector& affinity) {
  Pod pod = make::pod("a", "", 1);
  pod.placement.node_affinity = affinity;
  const std::string text = mistake(pod);
  const std::string start =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

std::string of_requirement(const char* op, std::vector<std::string> values) {
  return of_node_affinity({{.expressions = {{"a", op, std::move(values)}}, .fields = {}}});
}

std::string of_spread(const TopologySpread& spread) {
  Pod pod = make::pod("a", "", 1);
  pod.placement.spread = {spread};
  return mistake(pod);
}

Container with_ports(std::vector<ContainerPort> ports) {
  Container container{.name = "main"};
  container.ports = std::move(ports);
  return container;
}

std::string of_port(const ContainerPort& port) {
  Pod pod = make::pod("a", "", 0);
  pod.containers = {with_ports({port})};
  return mistake(pod);
}

std::string of_resources(const ResourceList& requests, const ResourceList& limits) {
  Pod pod = make::pod("a", "", 0);
  pod.containers.front().requests = requests;
  pod.containers.front().limits = limits;
  return mistake(pod);
}

Quantity amount(std::string_view text) { return *Quantity::parse(text); }

}  // namespace

TEST_CASE("a toleration has a known operator and effect that fit what else it says") {
  CHECK(of_toleration({.key = "a", .op = "Equal", .value = "b", .effect = "NoSchedule"}) == "none");
  for (const char* op : {"", "Exists", "Lt", "Gt"})
    CHECK(of_toleration({.key = "a", .op = op}) == "none");
  for (const char* effect : {"", "PreferNoSchedule", "NoExecute"})
    CHECK(of_toleration({.key = "a", .effect = effect}) == "none");
  CHECK(of_toleration({.key = "a", .op = "exists"}) ==
        "spec.tolerations[1].operator: Unsupported value: \"exists\": supported values: "
        "\"Equal\", \"Exists\"");
  CHECK(of_toleration({.key = "a", .effect = "No"}) ==
        "spec.tolerations[1].effect: Unsupported value: \"No\": supported values: \"NoExecute\", "
        "\"NoSchedule\", \"PreferNoSchedule\"");
  CHECK(of_toleration({.op = "Equal"}) ==
        "spec.tolerations[1].operator: Invalid value: \"Equal\": operator must be Exists when "
        "`key` is empty, which means \"match all values and all keys\"");
  CHECK(of_toleration({.key = "a", .effect = "NoSchedule", .seconds = 5}) ==
        "spec.tolerations[1].effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' "
        "when `tolerationSeconds` is set");
  CHECK(of_toleration({.key = "a", .effect = "NoExecute", .seconds = 5}) == "none");
  CHECK(of_toleration({.key = "a", .op = "Exists", .value = "b"}) ==
        "spec.tolerations[1].operator: Invalid value: \"b\": value must be empty when `operator` "
        "is 'Exists'");
}

TEST_CASE("a requirement on nodes has the values that its operator takes") {
  CHECK(of_requirement("In", {"x", "y"}) == "none");
  CHECK(of_requirement("NotIn", {"x"}) == "none");
  CHECK(of_requirement("Exists", {}) == "none");
  CHECK(of_requirement("DoesNotExist", {}) == "none");
  CHECK(of_requirement("Gt", {"1"}) == "none");
  CHECK(of_requirement("Lt", {"1"}) == "none");
  CHECK(of_requirement("Is", {"x"}) ==
        "[0].matchExpressions[0].operator: Invalid value: \"Is\": not a valid selector operator");
  const std::string needs_values =
      "[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' "
      "or 'NotIn'";
  CHECK(of_requirement("In", {}) == needs_values);
  CHECK(of_requirement("NotIn", {}) == needs_values);
  const std::string has_values =
      "[0].matchExpressions[0].values: Forbidden: may not be specified when `operator` is "
      "'Exists' or 'DoesNotExist'";
  CHECK(of_requirement("Exists", {"x"}) == has_values);
  CHECK(of_requirement("DoesNotExist", {"x"}) == has_values);
  const std::string needs_one =
      "[0].matchExpressions[0].values: Required value: must be specified single value when "
      "`operator` is 'Lt' or 'Gt'";
  CHECK(of_requirement("Gt", {}) == needs_one);
  CHECK(of_requirement("Lt", {"1", "2"}) == needs_one);
}

TEST_CASE("node affinity has terms, and the mistake says which requirement it is in") {
  const Requirement right{"a", "Exists", {}};
  const Requirement wrong{"a", "Is", {}};
  CHECK(of_node_affinity({}) == ": Required value: must have at least one node selector term");
  CHECK(of_node_affinity({{{right}, {}}, {{right, wrong}, {}}}) ==
        "[1].matchExpressions[1].operator: Invalid value: \"Is\": not a valid selector operator");
  CHECK(of_node_affinity({{{right}, {wrong}}}) ==
        "[0].matchFields[0].operator: Invalid value: \"Is\": not a valid selector operator");
}

TEST_CASE("affinity to pods has a topology key, and selectors that do not compare") {
  const ObjectSelector wrong{{}, {{"a", "Gt", {"1"}}}};
  const PodAffinityTerm right{.selector = ObjectSelector{}, .topology_key = "zone"};
  Pod pod = make::pod("a", "", 1);
  pod.placement.pod_affinity = {right};
  CHECK(mistake(pod) == "none");
  pod.placement.pod_affinity = {right, {.selector = ObjectSelector{}}};
  CHECK(mistake(pod) ==
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].topologyKey: "
        "Required value: can not be empty");
  pod.placement.pod_affinity = {{.selector = wrong, .topology_key = "zone"}};
  CHECK(mistake(pod) ==
        "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
        "labelSelector.matchExpressions[0].operator: Invalid value: \"Gt\": not a valid selector "
        "operator");
  pod.placement.pod_affinity = {};
  pod.placement.pod_anti_affinity = {right};
  pod.placement.pod_anti_affinity.front().namespace_selector = wrong;
  CHECK(mistake(pod) ==
        "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]."
        "namespaceSelector.matchExpressions[0].operator: Invalid value: \"Gt\": not a valid "
        "selector operator");
}

TEST_CASE("a spread has a skew from 1 on, a topology key, and domains only where it blocks") {
  const TopologySpread right{.topology_key = "zone", .when_unsatisfiable = "DoNotSchedule"};
  const std::string field = "spec.topologySpreadConstraints[0].";
  CHECK(of_spread(right) == "none");
  TopologySpread spread = right;
  spread.max_skew = 0;
  CHECK(of_spread(spread) == field + "maxSkew: Invalid value: 0: must be greater than zero");
  spread = right;
  spread.topology_key = "";
  CHECK(of_spread(spread) == field + "topologyKey: Required value: can not be empty");
  spread = right;
  spread.when_unsatisfiable = "Never";
  CHECK(of_spread(spread) == field +
                                 "whenUnsatisfiable: Unsupported value: \"Never\": supported "
                                 "values: \"DoNotSchedule\", \"ScheduleAnyway\"");
  spread = right;
  spread.min_domains = 0;
  CHECK(of_spread(spread) == field + "minDomains: Invalid value: 0: must be greater than zero");
  spread.min_domains = 1;
  CHECK(of_spread(spread) == "none");
  spread.when_unsatisfiable = "ScheduleAnyway";
  CHECK(of_spread(spread) == field +
                                 "minDomains: Invalid value: 1: can only use minDomains if "
                                 "whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway");
  spread = right;
  spread.selector = ObjectSelector{{}, {{"a", "In", {}}}};
  CHECK(
      of_spread(spread).starts_with(field + "labelSelector.matchExpressions[0].values: Required"));
}

TEST_CASE("a container requests no less than 0 of known resources, and no more than its limit") {
  const std::string field = "spec.containers[0].resources.";
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu"})
    CHECK(of_resources({{name, amount("1")}}, {{name, amount("1")}}) == "none");
  CHECK(of_resources({{"gpu", amount("1")}}, {}) ==
        field +
            "requests[gpu]: Invalid value: \"gpu\": must be a standard resource type or fully "
            "qualified");
  CHECK(of_resources({}, {{"cpu", amount("-1")}}) ==
        field + "limits[cpu]: Invalid value: \"-1\": must be greater than or equal to 0");
  CHECK(of_resources({{"cpu", amount("0")}}, {}) == "none");
  CHECK(of_resources({{"cpu", amount("2")}}, {{"cpu", amount("1500m")}}) ==
        field + "requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1500m");
  CHECK(of_resources({{"cpu", amount("2")}}, {{"memory", amount("1")}}) == "none");
}

TEST_CASE("a pod as a whole requests cpu, memory and huge pages alone") {
  Pod pod = make::pod("a", "", 1);
  pod.pod_requests =
      ResourceList{{"cpu", amount("1")}, {"hugepages-2Mi", amount("1")}, {"memory", amount("1")}};
  CHECK(mistake(pod) == "none");
  pod.pod_limits = ResourceList{{"nvidia.com/gpu", amount("1")}};
  CHECK(mistake(pod) ==
        "spec.resources.limits[nvidia.com/gpu]: Unsupported value: \"nvidia.com/gpu\": supported "
        "values: \"cpu\", \"hugepages-\", \"memory\"");
  pod.pod_limits.reset();
  pod.pod_requests = ResourceList{{"ephemeral-storage", amount("1")}};
  CHECK(mistake(pod).starts_with("spec.resources.requests[ephemeral-storage]: Unsupported"));
}

TEST_CASE("ports are from 0 to 65535") {
  const std::string field = "spec.containers[0].ports[0].";
  const std::string range = ": must be between 1 and 65535, inclusive";
  CHECK(of_port({.port = 65535, .host_port = 65535}) == "none");
  CHECK(of_port({.port = 0, .host_port = 0}) == "none");
  CHECK(of_port({.port = 65536}) == field + "containerPort: Invalid value: 65536" + range);
  CHECK(of_port({.port = -1}) == field + "containerPort: Invalid value: -1" + range);
  CHECK(of_port({.port = 80, .host_port = 65536}) ==
        field + "hostPort: Invalid value: 65536" + range);
  CHECK(of_port({.port = 80, .host_port = -1}) == field + "hostPort: Invalid value: -1" + range);
}

TEST_CASE("on the host's network, a port is the host's") {
  Pod pod = make::pod("a", "", 0);
  pod.host_network = true;
  pod.containers = {with_ports({{.port = 80, .host_port = 80}, {.port = 81}})};
  CHECK(mistake(pod) == "none");
  pod.containers = {with_ports({{.port = 80, .host_port = 81}})};
  CHECK(mistake(pod) ==
        "spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when "
        "`hostNetwork` is true");
}

TEST_CASE("containers, unlike init containers, cannot share a port of the host") {
  Pod pod = make::pod("a", "", 0);
  const ContainerPort port{.port = 80, .host_port = 8080};
  ContainerPort udp = port;
  udp.protocol = "UDP";
  ContainerPort elsewhere = port;
  elsewhere.host_ip = "10.0.0.1";
  pod.containers = {with_ports({port, udp, elsewhere, {.port = 81}, {.port = 81}})};
  CHECK(mistake(pod) == "none");
  ContainerPort tcp = port;
  tcp.protocol = "TCP";
  pod.containers.push_back(with_ports({{.port = 81}, tcp}));
  pod.containers.back().name = "other";
  CHECK(mistake(pod) == "spec.containers[1].ports[1].hostPort: Duplicate value: \"TCP//8080\"");
  pod.containers = {with_ports({})};
  pod.init_containers = {with_ports({port, tcp})};
  pod.init_containers.front().name = "init";
  CHECK(mistake(pod) == "none");
}

TEST_CASE("containers have names of their own, init containers too") {
  Pod pod = make::pod("a", "", 0);
  pod.containers = {{.name = "a"}, {.name = ""}, {.name = ""}, {.name = "a"}};
  CHECK(mistake(pod) == "spec.containers[3].name: Duplicate value: \"a\"");
  pod.containers = {{.name = "a"}};
  pod.init_containers = {{.name = "b"}, {.name = "a"}};
  CHECK(mistake(pod) == "spec.initContainers[1].name: Duplicate value: \"a\"");
}

TEST_CASE("a claim has a name of its own and says where it comes from") {
  Pod pod = make::pod("a", "", 1);
  pod.claim_slots = {{.name = "a", .claim = "x"}, {.name = "b", .claim_template = "y"}};
  CHECK(mistake(pod) == "none");
  pod.claim_slots[1].name = "";
  CHECK(mistake(pod) == "spec.resourceClaims[1].name: Required value");
  pod.claim_slots[1].name = "a";
  CHECK(mistake(pod) == "spec.resourceClaims[1].name: Duplicate value: \"a\"");
  pod.claim_slots[1] = {.name = "b"};
  CHECK(mistake(pod) ==
        "spec.resourceClaims[1]: Invalid value: {\"Name\":\"b\",\"ResourceClaimName\":null,"
        "\"ResourceClaimTemplateName\":null}: must specify one of: `resourceClaimName`, "
        "`resourceClaimTemplateName`");
}

TEST_CASE("scheduling gates differ, and are gone before a pod is bound") {
  Pod pod = make::pod("a", "", 1);
  pod.scheduling_gates = {"one", "two"};
  CHECK(mistake(pod) == "none");
  pod.node_name = "n1";
  CHECK(mistake(pod) ==
        "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared");
  pod.scheduling_gates = {};
  CHECK(mistake(pod) == "none");
  pod.scheduling_gates = {"one", "two", "one"};
  CHECK(mistake(pod) == "spec.schedulingGates[2]: Duplicate value: \"one\"");
}

}  // namespace gpu::admission::api_pod_validation_test
