#include "diagnose/lifecycle/gang.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/contains.hpp"
#include "diagnose/lifecycle/own_rules.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

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

void add_group_names(std::vector<std::string>& names, const std::string& owner,
                     const std::string& uid) {
  if (!uid.empty()) {
    names.push_back(owner + "-" + uid);
    names.push_back("podgroup-" + uid);
  }
  names.push_back(owner);
}

/// The names that the pod's PodGroup may have: its own word for it; Volcano's of a vcjob, and of
/// any other owner; its owner's name.
std::vector<std::string> group_names(const Pod& pod) {
  std::vector<std::string> names;
  if (!pod.pod_group.empty()) names.push_back(pod.pod_group);
  for (const OwnerReference& owner : pod.owners) add_group_names(names, owner.name, owner.uid);
  if (pod.owners.empty()) names.push_back("podgroup-" + pod.uid);
  return names;
}

/// The newest warning about a group of one of these names.
const Event* group_warning(const scheduler::Cluster& cluster, std::string_view ns,
                           const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const Event* event : events_of(cluster, "PodGroup", ns, name, {}))
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
  answer.nearest = "its Volcano queue does not admit it";
  // volcano#3426: some versions take a dimension that capability leaves out as 0.
  answer.advice.push_back(
      {.summary = "compare the Queue's spec.capability with what runs in it; some versions of "
                  "Volcano take a name that capability leaves out as 0, so list pods there, too, "
                  "or upgrade Volcano",
       .command = "kubectl get queues.scheduling.volcano.sh -o yaml"});
}

/// By the words about the group and about a pod of it; one of them may be missing. Whether the
/// headline has `words`.
bool explain_words(Explanation& answer, const Event* warning, const std::string& words,
                   const std::string& group) {
  answer.code = Code::gang_waiting;
  answer.nearest = "its group is not complete, or does not fit";
  answer.not_checked.emplace_back("PodGroups and their queues, beyond these words");
  if (warning != nullptr && contains(warning->message, "queue resource quota insufficient")) {
    explain_queue(answer, *warning);
    if (!words.empty()) answer.remarks.push_back({"its scheduler says: " + words});
    return false;
  }
  const std::string of_group = warning == nullptr ? std::string() : without_stop(warning->message);
  answer.summary = fmt::format("{} does not start yet: {}",
                               group.empty() ? "its group of pods" : "its pod group " + group,
                               words.empty() ? of_group : words);
  if (warning != nullptr && !words.empty())
    answer.remarks.push_back({fmt::format("podgroup/{}: {}", warning->object, of_group)});
  answer.advice.push_back(
      {.summary = "see whether all pods of the group are there, and what keeps the others"});
  return !words.empty();
}

bool has_answer(const Pod& pod) { return condition_of(pod.conditions, "PodScheduled") != nullptr; }

}  // namespace

bool explain_gang(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod) {
  const Condition* const condition = gang_condition(pod);
  // Volcano writes no condition while its queue keeps the group out.
  if (condition == nullptr && has_answer(pod)) return false;
  const Event* const warning = group_warning(cluster, pod.ns, group_names(pod));
  if (condition == nullptr && warning == nullptr) return false;
  // An event may be newer than the condition.
  const std::optional<SchedulerWord> newest = own_word(cluster, pod);
  std::string words = newest                 ? newest->message
                      : condition != nullptr ? condition->message
                                             : std::string();
  if (warning != nullptr && words == warning->message) words.clear();
  const bool is_quoted = newest && words == newest->message;
  if (explain_words(answer, warning, without_stop(std::move(words)), pod.pod_group) && is_quoted) {
    answer.scheduler = newest;
    answer.scheduler->is_summary = true;
  }
  return true;
}

bool explain_gang(Explanation& answer, const scheduler::Cluster& cluster, std::string_view ns,
                  const Owner& owner) {
  std::vector<std::string> names;
  add_group_names(names, owner.name, owner.uid);
  const Event* const warning = group_warning(cluster, ns, names);
  if (warning == nullptr) return false;
  explain_words(answer, warning, {}, warning->object);
  return true;
}

}  // namespace gpu::diagnose
