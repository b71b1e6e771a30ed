#include "plan/queue_admission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "diagnose/answer/headline.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::plan {
namespace {

using admission::QueueOpinion;

/// Pods of one template beyond these are taken to fare as the last one does.
constexpr std::int64_t kMostAlone = 4096;

constexpr std::string_view kGroupLabel = "kueue.x-k8s.io/pod-group-name";
constexpr std::string_view kDefaultQueue = "default";

template <std::size_t count>
bool is_of(const Pod& pod, const std::array<std::string_view, count>& kinds) {
  return !pod.owners.empty() &&
         std::find(kinds.begin(), kinds.end(), pod.owners.front().kind) != kinds.end();
}

PodSet pod_set_of(const PlannedPod& planned, std::int64_t count) {
  const Pod& pod = planned.pod;
  return {.name = planned.template_at.empty() ? pod.name : planned.template_at,
          .count = count,
          .requests = effective_requests(pod),
          .node_selector = pod.node_selector,
          .node_affinity = pod.placement.node_affinity,
          .tolerations = pod.tolerations};
}

admission::QueueOpinion not_judged(std::string why) {
  admission::QueueOpinion opinion;
  opinion.not_checked.push_back(std::move(why));
  return opinion;
}

}  // namespace

QueueAdmission::QueueAdmission(const PlannedObjects& planned, const scheduler::Cluster& cluster)
    : cluster_(cluster) {
  static constexpr std::array<std::string_view, 4> kQueues = {"localqueue/", "clusterqueue/",
                                                              "cohort/", "resourceflavor/"};
  makes_queues_ = std::any_of(planned.beside.begin(), planned.beside.end(), [](const auto& each) {
    return std::any_of(kQueues.begin(), kQueues.end(),
                       [&](std::string_view kind) { return each.starts_with(kind); });
  });
}

// Source: sigs.k8s.io/kueue/pkg/controller/jobframework/defaults.go ApplyDefaultLocalQueue.
std::string QueueAdmission::queue_of(const PlannedPod& planned) const {
  static constexpr std::array<std::string_view, 13> kKinds = {
      "Job",    "JobSet", "PyTorchJob", "TFJob",    "XGBoostJob", "PaddleJob",       "JAXJob",
      "MPIJob", "RayJob", "RayCluster", "TrainJob", "AppWrapper", "SparkApplication"};
  if (!planned.queue.empty() || !is_of(planned.pod, kKinds)) return planned.queue;
  const auto& queues = cluster_.snapshot().scheduling.local_queues;
  const bool has_default = std::any_of(queues.begin(), queues.end(), [&](const LocalQueue& each) {
    return each.ns == planned.pod.ns && each.name == kDefaultQueue;
  });
  return has_default ? std::string(kDefaultQueue) : std::string();
}

bool QueueAdmission::is_queued_alone(const Pod& pod) {
  static constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "ReplicaSet",
                                                             "ReplicationController", "DaemonSet"};
  return pod.owners.empty() || is_of(pod, kKinds);
}

QueuedWorkload QueueAdmission::workload_of(const PlannedPod& planned) const {
  QueuedWorkload workload{
      .ns = planned.pod.ns, .name = planned.pod.name, .queue = queue_of(planned)};
  workload.priority = planned.pod.priority;
  return workload;
}

std::string QueueAdmission::unjudged(const PlannedPod& planned) const {
  static constexpr std::array<std::string_view, 1> kOfGroups = {"LeaderWorkerSet"};
  if (makes_queues_)
    return fmt::format("what Kueue does with it, for its queue {}: the files make queues, too",
                       queue_of(planned));
  if (const std::string* const group = planned.pod.labels.find(kGroupLabel);
      group != nullptr && planned.pod.owners.empty())
    return fmt::format("what Kueue does with its group of pods {}, which it admits together",
                       *group);
  if (is_of(planned.pod, kOfGroups))
    return "what Kueue does with its groups of pods, each of which it admits by itself";
  return {};
}

void QueueAdmission::add_head(admission::QueueOpinion& opinion,
                              const QueuedWorkload& workload) const {
  const auto head = heads_.find(opinion.cluster_queue);
  if (opinion.cluster_queue.empty() || head == heads_.end()) return;
  if (workload.priority.value_or(0) > head->second.priority.value_or(0)) return;
  opinion.hold = admission::held_behind(head->second, opinion.cluster_queue);
  opinion.remarks.clear();
  opinion.takes.clear();
  opinion.admitted = 0;
  opinion.is_head = false;
}

admission::QueueOpinion QueueAdmission::of_object(std::span<const PlannedPod> templates) const {
  static constexpr std::array<std::string_view, 1> kSubmits = {"RayJob"};
  const PlannedPod& first = templates.front();
  if (std::string why = unjudged(first); !why.empty()) return not_judged(std::move(why));
  QueuedWorkload workload = workload_of(first);
  for (const PlannedPod& each : templates)
    workload.pod_sets.push_back(pod_set_of(each, each.count));
  admission::QueueOpinion opinion = admission::queue_opinion(cluster_, workload, taken_);
  add_head(opinion, workload);
  if (is_of(first.pod, kSubmits))
    opinion.not_checked.emplace_back("what the pod that submits it requests from its queue");
  return opinion;
}

admission::QueueOpinion QueueAdmission::one_by_one(const PlannedPod& planned) const {
  if (std::string why = unjudged(planned); !why.empty()) {
    admission::QueueOpinion opinion = not_judged(std::move(why));
    opinion.admitted = planned.count;
    return opinion;
  }
  QueuedWorkload workload = workload_of(planned);
  workload.pod_sets = {pod_set_of(planned, 1)};
  const std::int64_t tried = std::min(planned.count, kMostAlone);
  admission::QueueOpinion opinion =
      admission::each_queue_opinion(cluster_, workload, tried, taken_);
  add_head(opinion, workload);
  if (opinion.hold && opinion.admitted > 0)
    opinion.hold->reason =
        fmt::format("{} of {} pods would be admitted; {}: {}", opinion.admitted, planned.count,
                    diagnose::ordinal(opinion.admitted + 1), opinion.hold->reason);
  if (!opinion.hold && tried < planned.count)
    opinion.not_checked.push_back(
        fmt::format("whether its queue has quota for more than {} of them", tried));
  return opinion;
}

void QueueAdmission::take(const admission::QueueOpinion& opinion, const PlannedPod& planned) {
  admission::add_taken(taken_, opinion.takes);
  if (opinion.hold && opinion.is_head)
    heads_.try_emplace(opinion.cluster_queue, workload_of(planned));
}

PlannedPod QueueAdmission::placed(const PlannedPod& planned, const admission::GivenPlace& place) {
  PlannedPod result = planned;
  for (const auto& [key, value] : place.node_selector) result.pod.node_selector.set(key, value);
  result.pod.tolerations.insert(result.pod.tolerations.end(), place.tolerations.begin(),
                                place.tolerations.end());
  return result;
}

}  // namespace gpu::plan
