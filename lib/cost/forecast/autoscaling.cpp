#include "cost/forecast/autoscaling.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/quantity.hpp"

namespace gpu::cost {
namespace {

bool scales(const PlannedAutoscaler& autoscaler, const PlannedPod& planned) {
  if (planned.pod.owners.empty() || planned.pod.ns != autoscaler.ns) return false;
  const OwnerReference& owner = planned.pod.owners.front();
  return owner.name == autoscaler.target_name &&
         equal_ignoring_case(owner.kind, autoscaler.target_kind);
}

PodGrowth further(const PodGrowth& a, const PodGrowth& b) {
  if (!a.most) return a;
  return !b.most || *b.most > *a.most ? b : a;
}

/// `each`: pods of one replica.
void apply(const PlannedAutoscaler& autoscaler, std::int64_t each, RunBounds& bounds) {
  PodGrowth growth{.most = {}, .by = autoscaler.by};
  if (autoscaler.most) growth.most = capped_product(*autoscaler.most, each);
  bounds.growth = bounds.growth ? further(*bounds.growth, growth) : growth;
  // Nothing is scaled from 0 by a HorizontalPodAutoscaler, and by KEDA only when there is work.
  if (bounds.pods_at_once == 0) return;
  bounds.pods_at_once = std::max(bounds.pods_at_once, capped_product(autoscaler.least, each));
  bounds.pods_in_all = std::max(bounds.pods_in_all, bounds.pods_at_once);
}

bool has_target(const PlannedAutoscaler& autoscaler, const PlannedObjects& planned) {
  const auto is_its = [&](const PlannedPod& each) { return scales(autoscaler, each); };
  const std::string name = lower_case(autoscaler.target_kind) + "/" + autoscaler.target_name;
  return std::any_of(planned.pods.begin(), planned.pods.end(), is_its) ||
         std::any_of(planned.outlines.begin(), planned.outlines.end(), is_its) ||
         std::find(planned.unknown.begin(), planned.unknown.end(), name) != planned.unknown.end();
}

}  // namespace

void apply_autoscalers(std::vector<PlannedPod>& pods,
                       const std::vector<PlannedAutoscaler>& autoscalers) {
  for (const PlannedAutoscaler& autoscaler : autoscalers)
    for (PlannedPod& each : pods)
      if (const auto size = each.bounds.pods_per_replica; size && scales(autoscaler, each))
        apply(autoscaler, *size, each.bounds);
}

std::vector<std::string> autoscalers_without_target(const PlannedObjects& planned) {
  std::vector<std::string> names;
  for (const PlannedAutoscaler& each : planned.autoscalers)
    if (!has_target(each, planned)) names.push_back(each.object);
  return names;
}

}  // namespace gpu::cost
