#include "plan/fit/ask.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "diagnose/lifecycle/before_scheduling.hpp"

namespace gpu::plan {
namespace {

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

std::int64_t AskedObject::pods() const {
  return std::accumulate(
      parts.begin(), parts.end(), std::int64_t{0},
      [](std::int64_t sum, const AskedPods& each) { return sum + each.planned.count; });
}

std::vector<AskedObject> asked_objects(const PlannedObjects& planned,
                                       const scheduler::Cluster& cluster) {
  std::vector<AskedObject> objects;
  for (std::size_t i = 0; i < planned.pods.size();) {
    AskedObject object;
    const std::size_t first = i;
    do {
      object.parts.push_back(
          {.planned = planned.pods[i], .row = i, .admitted = planned.pods[i].count});
      ++i;
    } while (i < planned.pods.size() && has_one_gang(planned.pods[first], planned.pods[i]));
    const GangRule rule = gang_rule({planned.pods.data() + first, i - first}, cluster);
    object.gang = rule.gang;
    object.least = rule.least;
    object.priority = planned.pods[first].pod.priority.value_or(0);
    objects.push_back(std::move(object));
  }
  std::stable_sort(objects.begin(), objects.end(), [](const AskedObject& a, const AskedObject& b) {
    return a.priority > b.priority;
  });
  QueueReader queues(planned, cluster);
  for (AskedObject& object : objects) {
    queues.ask(object.parts);
    for (AskedPods& each : object.parts)
      if (is_kept_back(cluster, each.planned.pod)) each.admitted = 0;
  }
  return objects;
}

}  // namespace gpu::plan
