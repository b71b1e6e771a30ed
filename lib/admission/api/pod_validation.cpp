#include "admission/api/pod_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include "model/objects/placement.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/objects/selector.hpp"

namespace gpu::admission {
namespace {

using Mistake = std::optional<std::string>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string invalid(const std::string& field, std::string_view value, std::string_view why) {
  return fmt::format("{}: Invalid value: \"{}\": {}", field, value, why);
}

std::string invalid(const std::string& field, std::int64_t value, std::string_view why) {
  return fmt::format("{}: Invalid value: {}: {}", field, value, why);
}

std::string duplicate(const std::string& field, std::string_view value) {
  return fmt::format("{}: Duplicate value: \"{}\"", field, value);
}

std::string unsupported(const std::string& field, std::string_view value,
                        std::string_view supported) {
  return fmt::format("{}: Unsupported value: \"{}\": supported values: {}", field, value,
                     supported);
}

Mistake mistake_in(const Toleration& toleration, const std::string& field) {
  if (!is_one_of(toleration.op, {"", "Equal", "Exists", "Lt", "Gt"}))
    return unsupported(field + ".operator", toleration.op, R"("Equal", "Exists")");
  if (!is_one_of(toleration.effect, {"", "NoSchedule", "PreferNoSchedule", "NoExecute"}))
    return unsupported(field + ".effect", toleration.effect,
                       R"("NoExecute", "NoSchedule", "PreferNoSchedule")");
  if (toleration.key.empty() && toleration.op != "Exists")
    return invalid(field + ".operator", toleration.op,
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  if (toleration.seconds && toleration.effect != "NoExecute")
    return invalid(field + ".effect", toleration.effect,
                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
  if (toleration.op == "Exists" && !toleration.value.empty())
    return invalid(field + ".operator", toleration.value,
                   "value must be empty when `operator` is 'Exists'");
  return std::nullopt;
}

enum class Of { nodes, objects };

Mistake mistake_in(const Requirement& requirement, const std::string& field, Of of) {
  const std::string& op = requirement.op;
  const bool compares = of == Of::nodes && is_one_of(op, {"Gt", "Lt"});
  if (!compares && !is_one_of(op, {"In", "NotIn", "Exists", "DoesNotExist"}))
    return invalid(field + ".operator", op, "not a valid selector operator");
  if (is_one_of(op, {"In", "NotIn"}) && requirement.values.empty())
    return field + ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'";
  if (is_one_of(op, {"Exists", "DoesNotExist"}) && !requirement.values.empty())
    return field +
           ".values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  if (compares && requirement.values.size() != 1)
    return field +
           ".values: Required value: must be specified single value when `operator` is "
           "'Lt' or 'Gt'";
  return std::nullopt;
}

Mistake mistake_in(const std::vector<Requirement>& requirements, const std::string& field, Of of) {
  for (std::size_t i = 0; i < requirements.size(); ++i)
    if (auto mistake = mistake_in(requirements[i], fmt::format("{}[{}]", field, i), of))
      return mistake;
  return std::nullopt;
}

Mistake mistake_in(const std::optional<ObjectSelector>& selector, const std::string& field) {
  if (!selector) return std::nullopt;
  return mistake_in(selector->expressions, field + ".matchExpressions", Of::objects);
}

Mistake mistake_in(const NodeSelector& affinity) {
  const std::string field =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  if (affinity.empty())
    return field + ": Required value: must have at least one node selector term";
  for (std::size_t i = 0; i < affinity.size(); ++i) {
    const std::string term = fmt::format("{}[{}]", field, i);
    if (auto mistake = mistake_in(affinity[i].expressions, term + ".matchExpressions", Of::nodes))
      return mistake;
    if (auto mistake = mistake_in(affinity[i].fields, term + ".matchFields", Of::nodes))
      return mistake;
  }
  return std::nullopt;
}

Mistake mistake_in(const std::vector<PodAffinityTerm>& terms, std::string_view kind) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string field =
        fmt::format("spec.affinity.{}.requiredDuringSchedulingIgnoredDuringExecution[{}]", kind, i);
    if (terms[i].topology_key.empty())
      return field + ".topologyKey: Required value: can not be empty";
    if (auto mistake = mistake_in(terms[i].selector, field + ".labelSelector")) return mistake;
    if (auto mistake = mistake_in(terms[i].namespace_selector, field + ".namespaceSelector"))
      return mistake;
  }
  return std::nullopt;
}

Mistake mistake_in(const TopologySpread& spread, const std::string& field) {
  if (spread.max_skew <= 0)
    return invalid(field + ".maxSkew", spread.max_skew, "must be greater than zero");
  if (spread.topology_key.empty()) return field + ".topologyKey: Required value: can not be empty";
  if (!is_one_of(spread.when_unsatisfiable, {"DoNotSchedule", "ScheduleAnyway"}))
    return unsupported(field + ".whenUnsatisfiable", spread.when_unsatisfiable,
                       R"("DoNotSchedule", "ScheduleAnyway")");
  if (spread.min_domains && *spread.min_domains <= 0)
    return invalid(field + ".minDomains", *spread.min_domains, "must be greater than zero");
  if (spread.min_domains && spread.when_unsatisfiable != "DoNotSchedule")
    return invalid(field + ".minDomains", *spread.min_domains,
                   "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
                       spread.when_unsatisfiable);
  return mistake_in(spread.selector, field + ".labelSelector");
}

/// What a container may ask for without a domain in its name.
bool is_standard(std::string_view name) {
  return is_one_of(name, {"cpu", "memory", "ephemeral-storage"}) || name.starts_with("hugepages-");
}

Mistake mistake_in_name(const std::string& name, const std::string& field) {
  if (name.find('/') != std::string::npos || is_standard(name)) return std::nullopt;
  return invalid(fmt::format("{}[{}]", field, name), name,
                 "must be a standard resource type or fully qualified");
}

/// Of a pod as a whole.
Mistake mistake_in_pod_level(const std::optional<ResourceList>& list, const std::string& field) {
  if (!list) return std::nullopt;
  for (const auto& [name, amount] : *list)
    if (!is_one_of(name, {"cpu", "memory"}) && !name.starts_with("hugepages-"))
      return unsupported(fmt::format("{}[{}]", field, name), name,
                         R"("cpu", "hugepages-", "memory")");
  return std::nullopt;
}

/// "spec.containers[0].resources".
Mistake mistake_in(const ResourceList& requests, const ResourceList& limits,
                   const std::string& field) {
  for (const auto* list : {&limits, &requests}) {
    const std::string path = field + (list == &limits ? ".limits" : ".requests");
    for (const auto& [name, amount] : *list) {
      if (auto mistake = mistake_in_name(name, path)) return mistake;
      if (amount < Quantity{})
        return invalid(fmt::format("{}[{}]", path, name), quantity_text(name, amount),
                       "must be greater than or equal to 0");
    }
  }
  for (const auto& [name, amount] : requests)
    if (limits.contains(name) && amount_of(limits, name) < amount)
      return invalid(field + ".requests", quantity_text(name, amount),
                     fmt::format("must be less than or equal to {} limit of {}", name,
                                 quantity_text(name, amount_of(limits, name))));
  return std::nullopt;
}

Mistake mistake_in(const ContainerPort& port, const std::string& field, const Pod& pod) {
  constexpr std::int32_t kMost = 65535;
  constexpr std::string_view kRange = "must be between 1 and 65535, inclusive";
  if (port.port < 0 || port.port > kMost)
    return invalid(field + ".containerPort", port.port, kRange);
  if (port.host_port < 0 || port.host_port > kMost)
    return invalid(field + ".hostPort", port.host_port, kRange);
  if (pod.host_network && port.host_port != 0 && port.host_port != port.port)
    return invalid(field + ".hostPort", port.host_port,
                   "must match `containerPort` when `hostNetwork` is true");
  return std::nullopt;
}

Mistake mistake_in_ports(const Pod& pod, const std::vector<Container>& containers,
                         std::string_view where) {
  std::set<std::string> on_host;
  for (std::size_t i = 0; i < containers.size(); ++i)
    for (std::size_t k = 0; k < containers[i].ports.size(); ++k) {
      const ContainerPort& port = containers[i].ports[k];
      const std::string field = fmt::format("spec.{}[{}].ports[{}]", where, i, k);
      if (auto mistake = mistake_in(port, field, pod)) return mistake;
      // Init containers that follow one another may use the same.
      if (port.host_port == 0 || where != "containers") continue;
      const std::string all = fmt::format("{}/{}/{}", port.protocol.empty() ? "TCP" : port.protocol,
                                          port.host_ip, port.host_port);
      if (!on_host.insert(all).second) return duplicate(field + ".hostPort", all);
    }
  return std::nullopt;
}

/// `names` are those of containers looked at before.
Mistake mistake_in(const std::vector<Container>& containers, std::string_view field,
                   std::set<std::string_view>& names) {
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string& name = containers[i].name;
    if (!name.empty() && !names.insert(name).second)
      return duplicate(fmt::format("spec.{}[{}].name", field, i), name);
    if (auto mistake = mistake_in(containers[i].requests, containers[i].limits,
                                  fmt::format("spec.{}[{}].resources", field, i)))
      return mistake;
  }
  return std::nullopt;
}

/// A template's claim may be made already: that a slot names both is not seen here.
Mistake mistake_in(const std::vector<ClaimReference>& claims) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ClaimReference& each = claims[i];
    const std::string field = fmt::format("spec.resourceClaims[{}]", i);
    if (each.name.empty()) return field + ".name: Required value";
    if (!names.insert(each.name).second) return duplicate(field + ".name", each.name);
    if (each.claim.empty() && each.claim_template.empty())
      return fmt::format(
          "{}: Invalid value: {{\"Name\":\"{}\",\"ResourceClaimName\":null,"
          "\"ResourceClaimTemplateName\":null}}: must specify one of: `resourceClaimName`, "
          "`resourceClaimTemplateName`",
          field, each.name);
  }
  return std::nullopt;
}

Mistake mistake_in_gates(const Pod& pod) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < pod.scheduling_gates.size(); ++i)
    if (!seen.insert(pod.scheduling_gates[i]).second)
      return duplicate(fmt::format("spec.schedulingGates[{}]", i), pod.scheduling_gates[i]);
  if (!pod.node_name.empty() && !pod.scheduling_gates.empty())
    return "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> invalid_placement(const Pod& pod) {
  if (auto mistake = mistake_in(pod.claim_slots)) return mistake;
  std::set<std::string_view> names;
  if (auto mistake = mistake_in(pod.containers, "containers", names)) return mistake;
  if (auto mistake = mistake_in(pod.init_containers, "initContainers", names)) return mistake;
  if (auto mistake = mistake_in_ports(pod, pod.containers, "containers")) return mistake;
  if (auto mistake = mistake_in_ports(pod, pod.init_containers, "initContainers")) return mistake;
  if (auto mistake = mistake_in_pod_level(pod.pod_limits, "spec.resources.limits")) return mistake;
  if (auto mistake = mistake_in_pod_level(pod.pod_requests, "spec.resources.requests"))
    return mistake;
  for (std::size_t i = 0; i < pod.tolerations.size(); ++i)
    if (auto mistake = mistake_in(pod.tolerations[i], fmt::format("spec.tolerations[{}]", i)))
      return mistake;
  const Placement& placement = pod.placement;
  if (placement.node_affinity)
    if (auto mistake = mistake_in(*placement.node_affinity)) return mistake;
  if (auto mistake = mistake_in(placement.pod_affinity, "podAffinity")) return mistake;
  if (auto mistake = mistake_in(placement.pod_anti_affinity, "podAntiAffinity")) return mistake;
  for (std::size_t i = 0; i < placement.spread.size(); ++i)
    if (auto mistake =
            mistake_in(placement.spread[i], fmt::format("spec.topologySpreadConstraints[{}]", i)))
      return mistake;
  return mistake_in_gates(pod);
}

}  // namespace gpu::admission
