#include "diagnose/lifecycle/scale_up_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "diagnose/lifecycle/autoscaler_event.hpp"
#include "diagnose/lifecycle/cloud_refusal.hpp"
#include "diagnose/stack/scale_up_groups.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

/// A cloud did not give the node that an autoscaler asked for.
bool is_failure(const Event& event) {
  const auto autoscaler = autoscaler_of(event);
  if (!autoscaler) return false;
  if (*autoscaler == Autoscaler::cluster_autoscaler) return event.reason == "FailedScaleUp";
  return event.reason == "InsufficientCapacityError" ||
         cloud_refusal(event.message).why != CloudRefusal::Why::other;
}

/// Failures that are said of NodeClaims, oldest first: Cluster::shared().
class NodeClaimFailures {
 public:
  explicit NodeClaimFailures(const scheduler::Cluster& cluster) {
    for (const Event& event : cluster.snapshot().scheduling.events)
      if (event.kind == "NodeClaim" && event.last && is_failure(event)) failures_.push_back(&event);
  }

  /// Null for none.
  [[nodiscard]] const Event* newest_since(const Time& time) const {
    return failures_.empty() || *failures_.back()->last < time ? nullptr : failures_.back();
  }

 private:
  std::vector<const Event*> failures_;
};

/// Whether nodes of a group that the event names are there, and have GPUs that the pod asks for.
bool are_of_such_gpus(const scheduler::Cluster& cluster, const Pod& pod,
                      const std::vector<std::string>& groups) {
  const ResourceList requests = effective_requests(pod);
  const auto has_them = [&](const Node& node) {
    return std::any_of(requests.begin(), requests.end(), [&](const auto& each) {
      return each.second.value() > 0 && gpu_resource(each.first) &&
             amount_of(node.allocatable, each.first).value() > 0;
    });
  };
  return std::any_of(cluster.nodes().begin(), cluster.nodes().end(), [&](const auto& state) {
    return has_them(*state.node) &&
           std::any_of(groups.begin(), groups.end(),
                       [&](const std::string& group) { return is_in_group(*state.node, group); });
  });
}

}  // namespace

const Event* newest_failure(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod))
    if (is_failure(*event)) return event;
  return pod.created ? cluster.shared<NodeClaimFailures>().newest_since(*pod.created) : nullptr;
}

bool is_of_another_group(const scheduler::Cluster& cluster, const Pod& pod, const Event& newest,
                         const Event& failure) {
  if (newest.reason != "TriggeredScaleUp" || !newest.last || !failure.last ||
      *newest.last <= *failure.last || !asks_for_gpus(pod))
    return false;
  const std::vector<std::string> groups = groups_in(newest.message);
  bool was_another = false;
  for (const Event* event : events_of(cluster, pod)) {
    const std::optional<Time> first = event->first ? event->first : event->last;
    if (event->reason != "TriggeredScaleUp" || !first || *first > *failure.last) continue;
    for (const std::string& refused : groups_in(event->message)) {
      if (std::find(groups.begin(), groups.end(), refused) != groups.end()) return false;
      was_another = true;
    }
  }
  return was_another && !are_of_such_gpus(cluster, pod, groups);
}

AutoscalerWord failed_scale_up(const Event& failure, const Pod& pod, Code reason) {
  const CloudRefusal refused = cloud_refusal(failure.message);
  const std::string_view by = name_of(*autoscaler_of(failure));
  return {.code = Code::autoscaler_limit,
          .text = fmt::format("{} says: {}", by, failure.message),
          .summary = fmt::format("{}, and the cloud refuses a new one{}", lead_of(reason),
                                 reason_text(refused)),
          .advice = Advice{.summary = advice_text(refused, failure.message, pod), .command = {}}};
}

}  // namespace gpu::diagnose
