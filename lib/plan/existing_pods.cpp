#include "plan/existing_pods.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/ascii.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::plan {

ExistingPods::ExistingPods(const Snapshot& snapshot, const PlannedObjects& planned) {
  std::set<std::string_view> ours;
  std::set<Key> asked;
  for (const PlannedPod& each : planned.pods) {
    ours.insert(each.pod.uid);
    const Owner maker = top_owner(each.pod, snapshot);
    asked.emplace(maker.kind, each.pod.ns, maker.name);
  }
  for (const Pod& pod : snapshot.pods) {
    if (pod.phase == "Succeeded" || pod.phase == "Failed" || ours.contains(pod.uid)) continue;
    const Owner maker = top_owner(pod, snapshot);
    if (Key key(maker.kind, pod.ns, maker.name); asked.contains(key)) ++counts_[std::move(key)];
  }
}

std::optional<diagnose::Remark> ExistingPods::remark_on(const Pod& planned) const {
  const bool is_pod = planned.owners.empty();
  const std::string kind = is_pod ? "Pod" : planned.owners.front().kind;
  const std::string name = is_pod ? planned.name : planned.owners.front().name;
  const auto found = counts_.find(Key(kind, planned.ns, name));
  if (found == counts_.end()) return std::nullopt;
  if (is_pod)
    return diagnose::Remark{
        fmt::format("the pod {} exists already, and is counted beside it", name)};
  const std::int64_t count = found->second;
  return diagnose::Remark{
      fmt::format("{}/{} exists already: its {} counted beside these", lower_case(kind), name,
                  count == 1 ? "pod that runs or waits is"
                             : fmt::format("{} pods that run or wait are", count))};
}

}  // namespace gpu::plan
