#include "admission/api/quota_scopes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpu::admission {
namespace {

bool has_compute(const ResourceList& list) {
  static constexpr std::array<std::string_view, 2> kCompute = {"cpu", "memory"};
  return std::any_of(kCompute.begin(), kCompute.end(), [&](std::string_view name) {
    const Quantity* const amount = list.find(name);
    return amount != nullptr && *amount > Quantity{};
  });
}

/// Asks for no cpu and no memory. GPUs alone leave a pod in this class.
bool is_best_effort(const Pod& pod) {
  if (pod.pod_requests || pod.pod_limits)
    return !has_compute(pod.pod_requests.value_or(ResourceList{})) &&
           !has_compute(pod.pod_limits.value_or(ResourceList{}));
  for (const auto* list : {&pod.containers, &pod.init_containers})
    for (const Container& container : *list)
      if (has_compute(container.requests) || has_compute(container.limits)) return false;
  return true;
}

bool is_of_class(const Pod& pod, const QuotaScope& scope) {
  if (scope.op == "Exists") return !pod.priority_class.empty();
  if (scope.op == "DoesNotExist") return pod.priority_class.empty();
  const bool is_named =
      !pod.priority_class.empty() &&
      std::find(scope.values.begin(), scope.values.end(), pod.priority_class) != scope.values.end();
  return scope.op == "NotIn" ? !is_named : is_named;
}

bool is_of_other_namespaces(const PodAffinityTerm& term) {
  return !term.namespaces.empty() || term.namespace_selector;
}

std::optional<bool> holds(const QuotaScope& scope, const Pod& pod) {
  if (scope.name == "Terminating") return pod.has_deadline;
  if (scope.name == "NotTerminating") return !pod.has_deadline;
  if (scope.name == "BestEffort") return is_best_effort(pod);
  if (scope.name == "NotBestEffort") return !is_best_effort(pod);
  if (scope.name == "PriorityClass") return is_of_class(pod, scope);
  // The others are of other kinds of objects.
  if (scope.name != "CrossNamespacePodAffinity") return false;
  for (const auto* terms : {&pod.placement.pod_affinity, &pod.placement.pod_anti_affinity})
    if (std::any_of(terms->begin(), terms->end(), is_of_other_namespaces)) return true;
  return std::nullopt;
}

}  // namespace

std::optional<bool> counts(const ResourceQuota& quota, const Pod& pod) {
  bool is_known = true;
  for (const QuotaScope& scope : quota.scopes) {
    const std::optional<bool> it_holds = holds(scope, pod);
    if (it_holds == false) return false;
    is_known = is_known && it_holds;
  }
  if (!is_known) return std::nullopt;
  return true;
}

}  // namespace gpu::admission
