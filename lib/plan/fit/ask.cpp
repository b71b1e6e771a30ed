#include "plan/fit/ask.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "diagnose/lifecycle/before_scheduling.hpp"

namespace gpu::plan {
namespace {

bool has_one_object(const PlannedPod& a, const PlannedPod& b) {
  if (a.pod.owners.empty() || b.pod.owners.empty()) return false;
  return a.file == b.file && a.pod.ns == b.pod.ns && a.pod.owners == b.pod.owners;
}

std::int64_t replicas_of(const std::vector<AskedPods>& parts) {
  return std::accumulate(
      parts.begin(), parts.end(), std::int64_t{0},
      [](std::int64_t sum, const AskedPods& each) { return sum + each.planned.count; });
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

/// What Kueue says of an object, and of its pods.
class QueueReader {
 public:
  QueueReader(const PlannedObjects& planned, const scheduler::Cluster& cluster)
      : admission_(planned, cluster) {}

  void ask(std::vector<AskedPods>& parts) {
    if (admission_.queue_of(parts.front().planned).empty()) return;
    if (QueueAdmission::is_queued_alone(parts.front().planned.pod)) {
      for (AskedPods& each : parts) ask_alone(each);
      return;
    }
    std::vector<PlannedPod> templates;
    for (const AskedPods& each : parts) templates.push_back(each.planned);
    const admission::QueueOpinion opinion = admission_.of_object(templates);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].opinion = opinion;
      if (opinion.hold) parts[i].admitted = 0;
      if (i < opinion.given.size())
        parts[i].planned = QueueAdmission::placed(parts[i].planned, opinion.given[i]);
    }
    admission_.take(opinion, templates.front());
  }

 private:
  void ask_alone(AskedPods& part) {
    if (part.planned.count == 0) return;
    const PlannedPod written = part.planned;
    part.opinion = admission_.one_by_one(written);
    if (part.opinion->hold) part.admitted = part.opinion->admitted;
    if (!part.opinion->given.empty())
      part.planned = QueueAdmission::placed(written, part.opinion->given.front());
    admission_.take(*part.opinion, written);
  }

  QueueAdmission admission_;
};

/// Whether the scheduler would not look at the pods at all: they have gates, or a scheduler that
/// does not run.
bool is_kept_back(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto held = diagnose::before_scheduling(cluster, pod, {});
  return held && held->is_blocked &&
         (held->code == diagnose::Code::scheduling_gated ||
          held->code == diagnose::Code::unknown_scheduler);
}

}  // namespace

std::int64_t AskedObject::pods() const { return replicas_of(parts); }

Gang gang_of(const std::vector<AskedPods>& parts) {
  if (replicas_of(parts) < 2) return Gang::none;
  const bool together = std::any_of(parts.begin(), parts.end(), [](const AskedPods& each) {
    return works_together(each.planned.pod);
  });
  if (!together) return Gang::none;
  return std::all_of(parts.begin(), parts.end(),
                     [](const AskedPods& each) { return starts_groups_whole(each.planned.pod); })
             ? Gang::whole
             : Gang::partial;
}

std::vector<AskedObject> asked_objects(const PlannedObjects& planned,
                                       const scheduler::Cluster& cluster) {
  QueueReader queues(planned, cluster);
  std::vector<AskedObject> objects;
  for (std::size_t i = 0; i < planned.pods.size();) {
    AskedObject object;
    const std::size_t first = i;
    do {
      object.parts.push_back(
          {.planned = planned.pods[i], .row = i, .admitted = planned.pods[i].count});
      ++i;
    } while (i < planned.pods.size() && has_one_object(planned.pods[first], planned.pods[i]));
    queues.ask(object.parts);
    for (AskedPods& each : object.parts)
      if (is_kept_back(cluster, each.planned.pod)) each.admitted = 0;
    object.gang = gang_of(object.parts);
    object.priority = planned.pods[first].pod.priority.value_or(0);
    objects.push_back(std::move(object));
  }
  std::stable_sort(objects.begin(), objects.end(), [](const AskedObject& a, const AskedObject& b) {
    return a.priority > b.priority;
  });
  return objects;
}

}  // namespace gpu::plan
