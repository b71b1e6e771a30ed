#include "admission/kai/request.hpp"

#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::admission {
namespace {

/// "nvidia.com/mig-3g.20gb" as 3: KAI counts its compute slices as GPUs of the quota.
std::int64_t slices_of(std::string_view resource) {
  constexpr std::string_view kMig = "nvidia.com/mig-";
  if (!resource.starts_with(kMig)) return 0;
  resource.remove_prefix(kMig.size());
  const std::size_t end = std::min(resource.find('g'), resource.size());
  return whole_number(resource.substr(0, end)).value_or(0);
}

/// Of the node that the pod is bound to, by the label that KAI reads.
std::optional<std::int64_t> card_mib(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto& nodes = cluster.snapshot().nodes;
  const auto node = std::find_if(nodes.begin(), nodes.end(),
                                 [&](const Node& each) { return each.name == pod.node_name; });
  if (pod.node_name.empty() || node == nodes.end()) return std::nullopt;
  return whole_number(value_of(node->labels, kGpuMemoryLabel));
}

std::optional<Quantity> gpus_of(const scheduler::Cluster& cluster, const Pod& pod,
                                const ResourceList& requests) {
  if (pod.claim_references > 0) return std::nullopt;
  Quantity gpus = amount_of(requests, "nvidia.com/gpu") + amount_of(requests, "amd.com/gpu");
  for (const auto& [name, amount] : requests)
    gpus += Quantity::of(capped_product(amount.value(), slices_of(name)));
  if (const auto fraction = gpu_fraction(pod)) {
    const auto part = thousandths_of(*fraction, card_mib(cluster, pod));
    if (!part) return std::nullopt;
    gpus += Quantity::of_milli(capped_product(*part, fraction->devices));
  }
  return gpus;
}

std::optional<std::int32_t> value_of_class(const scheduler::Cluster& cluster,
                                           std::string_view name) {
  const auto& classes = cluster.snapshot().scheduling.priority_classes;
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const PriorityClass& each) { return each.name == name; });
  return found == classes.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

std::optional<Quantity> kai_amount(const scheduler::Cluster& cluster, const Pod& pod,
                                   KaiShare share) {
  const ResourceList requests = effective_requests(pod);
  switch (share) {
    case KaiShare::gpus:
      return gpus_of(cluster, pod, requests);
    case KaiShare::cpu:
      return amount_of(requests, "cpu");
    case KaiShare::memory:
      return amount_of(requests, "memory");
  }
  return std::nullopt;
}

// Source: CalculatePreemptibility() of KAI's pkg/common/podgroup, and its pod-grouper, which takes
// the class of the label before that of the spec.
Preemptible kai_preemptible(const scheduler::Cluster& cluster, const Pod& pod) {
  constexpr std::int32_t kFirstNonPreemptible = 100;
  const std::string said = lower_case(value_of(pod.labels, "kai.scheduler/preemptibility"));
  if (said == "preemptible") return Preemptible::yes;
  if (said == "non-preemptible") return Preemptible::no;
  if (said == "semi-preemptible") return Preemptible::unknown;
  auto priority = value_of_class(cluster, value_of(pod.labels, "priorityClassName"));
  if (!priority && !pod.priority_class.empty()) priority = pod.priority;
  if (!priority) return Preemptible::unknown;
  return *priority < kFirstNonPreemptible ? Preemptible::yes : Preemptible::no;
}

}  // namespace gpu::admission
