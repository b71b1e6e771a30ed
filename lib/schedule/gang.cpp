#include "schedule/gang.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "schedule/pod_events.hpp"

namespace gpu::schedule {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

const Condition* gang_condition(const Pod& pod) {
  static constexpr std::array<std::string_view, 6> kParts = {
      "pod group", "podGroup", "PodGroup", "from a gang", "sibling pods", "gang unschedulable"};
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.status == "False" &&
        std::any_of(kParts.begin(), kParts.end(),
                    [&](std::string_view part) { return contains(condition.message, part); }))
      return &condition;
  return nullptr;
}

/// The names that the pod's PodGroup may have: its own word for it; Volcano's of a vcjob, and of
/// any other owner; its owner's name.
std::vector<std::string> group_names(const Pod& pod) {
  std::vector<std::string> names;
  if (!pod.pod_group.empty()) names.push_back(pod.pod_group);
  for (const OwnerReference& owner : pod.owners) {
    names.push_back(owner.name + "-" + owner.uid);
    names.push_back("podgroup-" + owner.uid);
    names.push_back(owner.name);
  }
  if (pod.owners.empty()) names.push_back("podgroup-" + pod.uid);
  return names;
}

/// The newest warning about the pod's group.
const Event* group_warning(const Cluster& cluster, const Pod& pod) {
  for (const std::string& name : group_names(pod))
    for (const Event* event : events_of(cluster, "PodGroup", pod.ns, name, {}))
      if (event->type != "Normal") return event;
  return nullptr;
}

std::string without_stop(std::string text) {
  while (text.ends_with('.')) text.pop_back();
  return text;
}

void explain_queue(Explanation& answer, const Event& warning) {
  answer.summary = fmt::format("Volcano's queue does not let its PodGroup {} in: {}",
                               warning.object, without_stop(warning.message));
  answer.nearest = "its Volcano queue does not let it in";
  // volcano#3426: some versions take a dimension that capability leaves out as 0.
  answer.advice.push_back(
      {.summary = "compare the Queue's spec.capability with what runs in it; some versions of "
                  "Volcano take a name that capability leaves out as 0, so list pods there, too, "
                  "or upgrade Volcano",
       .command = "kubectl get queues.scheduling.volcano.sh -o yaml"});
}

}  // namespace

bool explain_gang(Explanation& answer, const Cluster& cluster, const Pod& pod) {
  const Condition* const condition = gang_condition(pod);
  if (condition == nullptr) return false;
  answer.code = Code::gang_waiting;
  answer.nearest = "its group is not complete, or does not fit";
  const std::string words = without_stop(condition->message);
  const Event* const warning = group_warning(cluster, pod);
  if (warning != nullptr && contains(warning->message, "queue resource quota insufficient")) {
    explain_queue(answer, *warning);
    answer.remarks.push_back({"its scheduler says: " + words});
  } else {
    answer.summary = pod.pod_group.empty()
                         ? "its group of pods does not start yet: " + words
                         : "its pod group " + pod.pod_group + " does not start yet: " + words;
    if (warning != nullptr)
      answer.remarks.push_back(
          {fmt::format("podgroup/{}: {}", warning->object, without_stop(warning->message))});
    answer.advice.push_back(
        {.summary = "see whether all pods of the group are there, and what keeps the others"});
  }
  answer.not_checked.emplace_back("PodGroups and their queues, beyond these words");
  return true;
}

}  // namespace gpu::schedule
