#include "plan/gang.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

#include "admission/volcano/index.hpp"

namespace gpu::plan {
namespace {

std::string_view volcano_group(const Pod& pod) {
  return value_of(pod.annotations, "scheduling.k8s.io/group-name");
}

/// Kinds whose pods train or serve one thing together: without all of them the others wait.
bool works_together(const Pod& pod) {
  static constexpr std::array<std::string_view, 14> kKinds = {
      "JobSet",     "LeaderWorkerSet", "MPIJob",           "PyTorchJob", "TFJob",
      "JAXJob",     "PaddleJob",       "XGBoostJob",       "TrainJob",   "RayJob",
      "RayCluster", "PodCliqueSet",    "SparkApplication", "AppWrapper"};
  const bool is_such_kind =
      !pod.owners.empty() &&
      std::find(kKinds.begin(), kKinds.end(), pod.owners.front().kind) != kKinds.end();
  const bool is_of_volcano = !pod.owners.empty() && pod.owners.front().kind == "Job" &&
                             pod.owners.front().api_version.starts_with("batch.volcano.sh/");
  return is_such_kind || is_of_volcano || !pod.pod_group.empty() ||
         pod.annotations.contains("scheduling.k8s.io/group-name") ||
         pod.labels.contains("scheduling.x-k8s.io/pod-group") ||
         pod.labels.contains("pod-group.scheduling.sigs.k8s.io");
}

/// Schedulers that start a group whole, by the names that their charts give them.
bool starts_groups_whole(const Pod& pod) {
  static constexpr std::array<std::string_view, 6> kSchedulers = {
      "volcano",  "kai-scheduler",   "scheduler-plugins-scheduler",
      "yunikorn", "runai-scheduler", "coscheduling"};
  return std::find(kSchedulers.begin(), kSchedulers.end(), pod.scheduler_name) !=
             kSchedulers.end() ||
         !pod.pod_group.empty();
}

/// How many pods start together as the object, or the PodGroup of Volcano that they name, says;
/// those of the group that run already count.
std::optional<std::int64_t> typed_least(std::span<const PlannedPod> templates,
                                        const scheduler::Cluster& cluster) {
  const PlannedPod& first = templates.front();
  if (first.group.least) return first.group.least;
  if (!admission::is_of_volcano(first.pod)) return std::nullopt;
  const auto& index = cluster.shared<admission::VolcanoIndex>();
  const VolcanoPodGroup* const group = index.group_of(first.pod);
  if (group == nullptr) return std::nullopt;
  const std::vector<Pod>& pods = cluster.snapshot().pods;
  const auto running = std::count_if(pods.begin(), pods.end(), [&](const Pod& pod) {
    return !pod.node_name.empty() && !is_finished(pod) && index.group_of(pod) == group;
  });
  return std::max<std::int64_t>(0, group->min_member - running);
}

}  // namespace

bool has_one_gang(const PlannedPod& a, const PlannedPod& b) {
  if (const std::string_view group = volcano_group(a.pod);
      !group.empty() && a.pod.ns == b.pod.ns && group == volcano_group(b.pod))
    return true;
  if (a.pod.owners.empty() || b.pod.owners.empty()) return false;
  return a.file == b.file && a.pod.ns == b.pod.ns && a.pod.owners == b.pod.owners;
}

std::int64_t pods_of(std::span<const PlannedPod> templates) {
  return std::accumulate(templates.begin(), templates.end(), std::int64_t{0},
                         [](std::int64_t sum, const PlannedPod& each) { return sum + each.count; });
}

GangRule gang_rule(std::span<const PlannedPod> templates, const scheduler::Cluster& cluster) {
  const std::optional<std::int64_t> typed = typed_least(templates, cluster);
  const std::int64_t pods = pods_of(templates);
  const std::int64_t least = typed.value_or(pods);
  const bool together =
      typed || std::any_of(templates.begin(), templates.end(),
                           [](const PlannedPod& each) { return works_together(each.pod); });
  if (pods < 2 || least < 2 || !together) return {};
  const bool is_whole = std::all_of(templates.begin(), templates.end(), [](const PlannedPod& each) {
    return starts_groups_whole(each.pod);
  });
  return {.gang = is_whole ? Gang::whole : Gang::partial, .least = least};
}

}  // namespace gpu::plan
