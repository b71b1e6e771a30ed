#include "schedule/pod_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "model/placement.hpp"
#include "model/selector.hpp"
#include "schedule/quantity_text.hpp"

namespace gpu::schedule {
namespace {

using Mistake = std::optional<std::string>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string invalid(const std::string& field, std::string_view value, std::string_view why) {
  return fmt::format("{}: Invalid value: \"{}\": {}", field, value, why);
}

std::string unsupported(const std::string& field, std::string_view value,
                        std::string_view supported) {
  return fmt::format("{}: Unsupported value: \"{}\": supported values: {}", field, value,
                     supported);
}

Mistake mistake_in(const Toleration& toleration, const std::string& field) {
  if (!is_one_of(toleration.op, {"", "Equal", "Exists", "Lt", "Gt"}))
    return unsupported(field + ".operator", toleration.op, "\"Equal\", \"Exists\"");
  if (!is_one_of(toleration.effect, {"", "NoSchedule", "PreferNoSchedule", "NoExecute"}))
    return unsupported(field + ".effect", toleration.effect,
                       "\"NoExecute\", \"NoSchedule\", \"PreferNoSchedule\"");
  if (toleration.key.empty() && toleration.op != "Exists")
    return invalid(field + ".operator", toleration.op,
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
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
    return invalid(field + ".maxSkew", std::to_string(spread.max_skew),
                   "must be greater than zero");
  if (spread.topology_key.empty()) return field + ".topologyKey: Required value: can not be empty";
  if (!is_one_of(spread.when_unsatisfiable, {"DoNotSchedule", "ScheduleAnyway"}))
    return unsupported(field + ".whenUnsatisfiable", spread.when_unsatisfiable,
                       "\"DoNotSchedule\", \"ScheduleAnyway\"");
  if (spread.min_domains && *spread.min_domains <= 0)
    return invalid(field + ".minDomains", std::to_string(*spread.min_domains),
                   "must be greater than zero");
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
                         "\"cpu\", \"hugepages-\", \"memory\"");
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

Mistake mistake_in(const std::vector<Container>& containers, std::string_view field) {
  for (std::size_t i = 0; i < containers.size(); ++i)
    if (auto mistake = mistake_in(containers[i].requests, containers[i].limits,
                                  fmt::format("spec.{}[{}].resources", field, i)))
      return mistake;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> invalid_placement(const Pod& pod) {
  if (auto mistake = mistake_in(pod.init_containers, "initContainers")) return mistake;
  if (auto mistake = mistake_in(pod.containers, "containers")) return mistake;
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
  return std::nullopt;
}

}  // namespace gpu::schedule
