#include "diagnose/lifecycle/own_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

/// A scheduler by a part of its name, and how its pods name a queue.
struct OwnScheduler {
  std::string_view part;
  std::string_view queues;  ///< their resource, for kubectl; empty: they are no objects
  std::array<std::string_view, 2> labels = {};
  std::array<std::string_view, 2> annotations = {};
  std::array<std::string_view, 2> helpers = {};  ///< components that report for it
};

// Source: their documentation of pods in queues.
constexpr auto kOwnSchedulers = std::to_array<OwnScheduler>({
    {"kai-scheduler",
     "queues.scheduling.run.ai",
     {"kai.scheduler/queue", "runai/queue"},
     {},
     {"pod-grouper", "binder"}},
    {"runai-scheduler",
     "queues.scheduling.run.ai",
     {"runai/queue", "kai.scheduler/queue"},
     {},
     {"pod-grouper", "binder"}},
    {"volcano",
     "queues.scheduling.volcano.sh",
     {"volcano.sh/queue-name"},
     {"scheduling.volcano.sh/queue-name", "volcano.sh/queue-name"}},
    {"yunikorn", "", {"queue", "yunikorn.apache.org/queue"}, {"yunikorn.apache.org/queue"}},
});

const OwnScheduler* own_scheduler(const Pod& pod) {
  const auto found = std::find_if(
      kOwnSchedulers.begin(), kOwnSchedulers.end(),
      [&](const OwnScheduler& each) { return contains(pod.scheduler_name, each.part); });
  return found == kOwnSchedulers.end() ? nullptr : &*found;
}

struct QueueName {
  std::string_view name;
  std::string_view key;
  std::string_view where;  ///< "label", "annotation"
};

QueueName queue_name(const Pod& pod) {
  const OwnScheduler* const scheduler = own_scheduler(pod);
  if (scheduler == nullptr) return {};
  for (const std::string_view key : scheduler->labels)
    if (const std::string_view name = value_of(pod.labels, key); !name.empty())
      return {name, key, "label"};
  for (const std::string_view key : scheduler->annotations)
    if (const std::string_view name = value_of(pod.annotations, key); !name.empty())
      return {name, key, "annotation"};
  return {};
}

/// The group that KAI's pod-grouper or Volcano writes into the pod.
std::string_view group_of(const Pod& pod) {
  static constexpr auto kKeys = std::to_array<std::string_view>(
      {"pod-group-name", "scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"});
  for (const std::string_view key : kKeys)
    if (const std::string_view name = value_of(pod.annotations, key); !name.empty()) return name;
  return pod.pod_group;
}

/// Reasons of events that tell of success: what was said before them holds no more, and they say
/// nothing of why a pod waits.
bool is_of_success(std::string_view reason) {
  static constexpr auto kReasons = std::to_array<std::string_view>(
      {"Scheduled", "PodBindSuccessful", "FilteringSucceed", "BindingSucceed", "Bound"});
  return std::find(kReasons.begin(), kReasons.end(), reason) != kReasons.end();
}

/// Whether the pod's scheduler wrote the event, or a component that reports for it.
bool is_of_scheduler(const Event& event, const Pod& pod) {
  if (event.reporter == pod.scheduler_name) return true;
  const OwnScheduler* const own = own_scheduler(pod);
  return own != nullptr && !event.reporter.empty() &&
         std::find(own->helpers.begin(), own->helpers.end(), event.reporter) != own->helpers.end();
}

/// The newest that the pod's scheduler wrote of the events, which come newest first; of several at
/// one time a warning.
const Event* newest_of(const std::vector<const Event*>& events, const Pod& pod) {
  const Event* newest = nullptr;
  for (const Event* event : events) {
    if (!is_of_scheduler(*event, pod) || event->message.empty() || is_of_success(event->reason))
      continue;
    if (newest == nullptr) newest = event;
    if (event->last != newest->last) break;
    if (event->type != "Normal") return event;
  }
  return newest;
}

/// The newest condition in which a scheduler says why the pod waits.
const Condition* newest_refusal(const Pod& pod) {
  const Condition* newest = nullptr;
  for (const Condition& each : pod.conditions) {
    const bool is_refusal = each.type == "PodScheduled"
                                ? each.status == "False" && each.reason != "SchedulingGated"
                                : each.type.starts_with("Unschedulable") && each.status == "True";
    if (!is_refusal || each.message.empty()) continue;
    if (newest == nullptr || newest->last_transition < each.last_transition) newest = &each;
  }
  return newest;
}

SchedulerWord word_of(const Event& event) {
  return {.message = event.message, .time = event.last, .agrees = {}, .count = event.count};
}

/// A condition keeps the time at which it turned, however often it is written anew.
std::optional<SchedulerWord> newest_word(const scheduler::Cluster& cluster, const Pod& pod) {
  const Condition* const condition = newest_refusal(pod);
  const Event* event = newest_of(events_of(cluster, pod), pod);
  const bool is_event = event != nullptr && (condition == nullptr || !condition->last_transition ||
                                             event->last >= condition->last_transition);
  if (is_event) return word_of(*event);
  if (condition != nullptr)
    return SchedulerWord{
        .message = condition->message, .time = condition->last_transition, .agrees = {}};
  event = newest_of(events_of(cluster, "PodGroup", pod.ns, group_of(pod), {}), pod);
  return event == nullptr ? std::nullopt : std::optional(word_of(*event));
}

/// As kube-scheduler puts it, for nodes and for the pod as such.
bool is_of_kube_scheduler(std::string_view message) {
  static constexpr auto kParts = std::to_array<std::string_view>(
      {"nodes are available", "no nodes available to schedule", "PersistentVolumeClaim",
       "persistentvolumeclaim", "resourceclaim", "plugin \"", "waiting for "});
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return contains(message, part); });
}

/// For what HAMi's extender refuses a node. Source: its pkg/device/common.
bool is_of_extender(std::string_view message) {
  static constexpr auto kParts = std::to_array<std::string_view>(
      {"node unregistered", "NodeUnfitPod", "NodeInsufficientDevice", "CardTypeMismatch",
       "CardUuidMismatch", "CardTimeSlicingExhausted", "CardComputeUnitsExhausted",
       "CardInsufficient", "ExclusiveDeviceAllocateConflict", "NumaNotFit", "no available node"});
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return contains(message, part); });
}

/// Words of KAI, Run:ai, Volcano and YuniKorn by a part of them.
struct OwnPhrase {
  std::string_view part;
  Code code{};
};

// What keeps the pod out of all nodes comes before what nodes lack.
constexpr auto kQueuePhrases = std::to_array<OwnPhrase>({
    {"over quota", Code::held_by_queue},
    {"OverQuota", Code::held_by_queue},
    {"OverLimit", Code::held_by_queue},
    {"has reached the allowable limit", Code::held_by_queue},
    {"queue resource quota insufficient", Code::held_by_queue},
    {"does not fit in queue", Code::held_by_queue},
    {"queue quota", Code::held_by_queue},
    {"not ready for scheduling", Code::gang_waiting},
    {"gang", Code::gang_waiting},
    {"pod group is not ready", Code::gang_waiting},
});

// What every node lacks, where the words name one thing only.
constexpr auto kLackPhrases = std::to_array<OwnPhrase>({
    {"resources: GPUs", Code::insufficient_gpus},
    {"found: GPUs", Code::insufficient_gpus},
    {"resources: GPU memory", Code::insufficient_gpus},
    {"Insufficient nvidia.com/gpu", Code::insufficient_gpus},
    {"resources: CPU", Code::insufficient_cpu},
    {"Insufficient cpu", Code::insufficient_cpu},
    {"resources: memory", Code::insufficient_memory},
    {"Insufficient memory", Code::insufficient_memory},
    {"untolerated taint", Code::untolerated_taint},
    {"node affinity", Code::node_selector_mismatch},
});

}  // namespace

bool has_own_rules(const Pod& pod) { return own_scheduler(pod) != nullptr; }

std::optional<SchedulerWord> own_word(const scheduler::Cluster& cluster, const Pod& pod) {
  if (pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler") return std::nullopt;
  std::optional<SchedulerWord> word = newest_word(cluster, pod);
  if (!word || (!has_own_rules(pod) && is_of_kube_scheduler(word->message))) return std::nullopt;
  word->by = pod.scheduler_name;
  return word;
}

std::optional<SchedulerWord> extender_refusal(const scheduler::Cluster& cluster, const Pod& pod) {
  if (pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler") return std::nullopt;
  std::optional<SchedulerWord> word = newest_word(cluster, pod);
  if (!word || !is_of_extender(word->message)) return std::nullopt;
  word->by = pod.scheduler_name;
  return word;
}

std::optional<Advice> extender_advice(const SchedulerWord& word) {
  if (!contains(word.message, "node unregistered")) return std::nullopt;
  return Advice{
      .summary =
          "see whether HAMi's device plugin runs on the nodes and renews these annotations: "
          "its scheduler drops the GPUs of a node whose handshake stays unanswered",
      .command = "kubectl describe nodes | grep hami.io/node"};
}

Code code_of_own_word(std::string_view message) {
  for (const OwnPhrase& known : kQueuePhrases)
    if (contains(message, known.part)) return known.code;
  std::optional<Code> only;
  for (const OwnPhrase& lack : kLackPhrases) {
    if (!contains(message, lack.part)) continue;
    if (only && *only != lack.code) return Code::not_modelled;
    only = lack.code;
  }
  return only.value_or(Code::not_modelled);
}

std::string extender_words(const scheduler::Cluster& cluster, const Pod& pod,
                           const std::optional<Time>& now) {
  const Event* newest = nullptr;
  std::vector<std::string_view> words;
  for (const Event* event : events_of(cluster, pod)) {
    if (event->reporter != pod.scheduler_name || event->reason != "FilteringFailed") continue;
    if (newest == nullptr) newest = event;
    const bool is_said = std::find(words.begin(), words.end(), event->message) != words.end();
    if (event->last == newest->last && !is_said) words.emplace_back(event->message);
  }
  if (newest == nullptr) return {};
  std::string when;
  if (now && newest->last && *now >= *newest->last)
    when = fmt::format(" ({} ago, {})", human_duration(*now - *newest->last),
                       counted(newest->count, "time"));
  return fmt::format("{}'s extender says{}: {}", pod.scheduler_name, when, joined(words, "; "));
}

std::string own_queue_text(const Pod& pod) {
  const QueueName queue = queue_name(pod);
  return queue.name.empty() ? std::string()
                            : fmt::format("queue {} ({} {})", queue.name, queue.where, queue.key);
}

std::string own_queue_command(const Pod& pod) {
  const QueueName queue = queue_name(pod);
  if (queue.name.empty() || own_scheduler(pod)->queues.empty()) return {};
  return fmt::format("kubectl get {} {} -o yaml", own_scheduler(pod)->queues,
                     shell_quoted(std::string(queue.name)));
}

}  // namespace gpu::diagnose
