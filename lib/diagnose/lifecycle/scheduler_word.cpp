#include "diagnose/lifecycle/scheduler_word.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>

#include "base/time.hpp"
#include "diagnose/lifecycle/newest_change.hpp"
#include "scheduler/cluster/pod_events.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/cluster/scheduler_version.hpp"

namespace gpu::diagnose {
namespace {

/// One side of a message: how often each reason is given, and what has no count.
struct Counts {
  std::map<std::string, long, std::less<>> reasons;
  friend bool operator==(const Counts&, const Counts&) = default;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == ','))
    text.remove_suffix(1);
  return text;
}

/// How old schedulers put a reason, and how new ones do.
struct Reworded {
  std::string_view old;
  std::string_view now;
};

constexpr auto kReworded = std::to_array<Reworded>({
    {"node(s) had volume node affinity conflict",
     "node(s) didn't match PersistentVolume's node affinity"},
    {"node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
     "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already "
     "in-use by another pod"},
    {"node(s) didn't match node selector", "node(s) didn't match Pod's node affinity/selector"},
});

/// Old schedulers name the taint, and so count its nodes apart.
std::string one_form(std::string_view reason) {
  constexpr std::string_view kOld = "node(s) had untolerated taint {";
  constexpr std::string_view kOldest = "node(s) had taint {";
  if (reason.starts_with(kOld) || reason.starts_with(kOldest))
    return "node(s) had untolerated taint(s)";
  const auto* const found = std::find_if(kReworded.begin(), kReworded.end(),
                                         [&](const Reworded& each) { return each.old == reason; });
  return std::string(found == kReworded.end() ? reason : found->now);
}

void add_part(Counts& counts, std::string_view part) {
  part = trimmed(part);
  if (part.empty()) return;
  long count = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), count);
  const auto length = static_cast<std::size_t>(end - part.data());
  if (error == std::errc{} && length < part.size() && part[length] == ' ')
    counts.reasons[one_form(part.substr(length + 1))] += count;
  else
    counts.reasons[std::string(part)] += 1;
}

/// "0/9 nodes are available: 1 x, 2 y." as counts. A taint in braces may hold commas.
Counts counts_of(std::string_view text) {
  Counts counts;
  constexpr std::string_view kHead = "nodes are available:";
  if (const std::size_t at = text.find(kHead); at != std::string_view::npos)
    text.remove_prefix(at + kHead.size());
  int depth = 0;
  std::size_t start = 0;
  constexpr std::string_view kMarks = "{},.";
  for (std::size_t i = text.find_first_of(kMarks); i < text.size();
       i = text.find_first_of(kMarks, i + 1)) {
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    const bool ends_sentence = text[i] == '.' && i + 1 < text.size() && text[i + 1] == ' ';
    if (depth > 0 || (text[i] != ',' && !ends_sentence)) continue;
    add_part(counts, text.substr(start, i - start));
    start = i + 1;
  }
  add_part(counts, text.substr(start));
  // What DRA's PostFilter adds is no reason.
  counts.reasons.erase("no new claims to deallocate");
  counts.reasons.erase("still not schedulable");
  // The end of "node(s) had taint {KEY: VALUE}, that the pod didn't tolerate", of 1.23 and before.
  counts.reasons.erase("that the pod didn't tolerate");
  return counts;
}

/// What keeps the pod off, and the tail. Where a claim was not looked at, 1.34 and later end with
/// "not found" in place of what preemption would do.
std::pair<std::string_view, std::string_view> sides_of(std::string_view message) {
  constexpr std::string_view kPreemption = "preemption:";
  if (const std::size_t at = message.find(kPreemption); at != std::string_view::npos)
    return {message.substr(0, at), message.substr(at + kPreemption.size())};
  constexpr std::string_view kNotFound = "not found";
  constexpr std::string_view kEnd = ". not found";
  if (!message.ends_with(kEnd)) return {message, {}};
  return {message.substr(0, message.size() - kNotFound.size()), kNotFound};
}

/// Karpenter uses the same reason: the reporter tells them apart.
const Event* newest_event(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::string_view scheduler =
      pod.scheduler_name.empty() ? "default-scheduler" : std::string_view(pod.scheduler_name);
  for (const Event* event : events_of(cluster, pod))
    if (event->reason == "FailedScheduling" &&
        (event->reporter.empty() || event->reporter == scheduler))
      return event;
  return nullptr;
}

/// "1 Insufficient cpu, 2 node(s) were unschedulable": what `counts` has otherwise than `others`.
std::string otherwise(const Counts& counts, const Counts& others) {
  std::string text;
  for (const auto& [reason, count] : counts.reasons) {
    const auto found = others.reasons.find(reason);
    if (found == others.reasons.end() || found->second != count)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + reason;
  }
  return text;
}

/// "what is computed here has X, and not Y".
std::string difference(const Counts& ours, const Counts& theirs) {
  const std::string more = otherwise(ours, theirs);
  const std::string less = otherwise(theirs, ours);
  if (more.empty()) return "what is computed here lacks " + less;
  return "what is computed here has " + more + (less.empty() ? "" : ", and not " + less);
}

}  // namespace

std::string difference_of(std::string_view message, std::string_view predicted) {
  const auto [body, preemption] = sides_of(message);
  const auto [our_body, our_preemption] = sides_of(predicted);
  const Counts theirs = counts_of(body);
  const Counts ours = counts_of(our_body);
  if (ours != theirs) return difference(ours, theirs);
  return "of preemption, " + difference(counts_of(our_preemption), counts_of(preemption));
}

std::string which_is_newer(const scheduler::Cluster& cluster, const Pod& pod,
                           const SchedulerWord& word, const std::optional<Time>& now) {
  const NewestChange& change = cluster.shared<NewestChange>();
  if (!word.time || !change.when)
    return "which of the two is newer is not known: nothing tells when " +
           std::string(word.time ? "something changed last" : "it looked");
  if (*change.when < *word.time)
    return "nothing that is seen here has changed since it looked: it is right, unless something "
           "has gone since";
  const std::string what =
      change.what +
      (now && *now >= *change.when ? " " + human_duration(*now - *change.when) + " ago" : "");
  // A condition keeps the time at which it turned False, however often its text is written anew.
  const Event* const event = newest_event(cluster, pod);
  const bool is_exact = event != nullptr && event->last && *event->last == *word.time;
  if (!is_exact || *change.when == *word.time)
    return what + "; whether it has looked since is not known";
  return what + ", after it looked: what is computed here is newer";
}

std::optional<std::string> assumed_version(const scheduler::Cluster& cluster) {
  const scheduler::SchedulerVersion& version = cluster.version();
  const std::string text = "the scheduler's version, which was not read: the rules of 1." +
                           std::to_string(cluster.rules().minor) + " are tried";
  switch (version.source) {
    case scheduler::VersionSource::none:
      return text;
    case scheduler::VersionSource::kubelets:
      return text + ", since the newest kubelet is " + version.text;
    case scheduler::VersionSource::server:
    case scheduler::VersionSource::scheduler:
      return std::nullopt;
  }
  return std::nullopt;
}

MessageParts compared_parts(const scheduler::Cluster& cluster) {
  const scheduler::VersionSource source = cluster.version().source;
  const bool is_known =
      source == scheduler::VersionSource::server || source == scheduler::VersionSource::scheduler;
  return is_known && cluster.rules().is_exact ? MessageParts::all : MessageParts::body;
}

bool says_the_same(std::string_view message, std::string_view predicted, MessageParts parts) {
  const auto [body, preemption] = sides_of(message);
  const auto [our_body, our_preemption] = sides_of(predicted);
  if (counts_of(body) != counts_of(our_body)) return false;
  if (parts == MessageParts::body) return true;
  // Schedulers up to 1.23 said nothing of preemption.
  return preemption.empty() || our_preemption.empty() ||
         counts_of(preemption) == counts_of(our_preemption);
}

std::vector<std::string> reasons_in(std::string_view message) {
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : counts_of(sides_of(message).first).reasons)
    reasons.push_back(reason);
  return reasons;
}

std::optional<SchedulerWord> scheduler_word(const scheduler::Cluster& cluster, const Pod& pod,
                                            std::string_view predicted) {
  const Condition* const condition = condition_of(pod.conditions, "PodScheduled");
  const Event* const event = newest_event(cluster, pod);
  SchedulerWord word;
  if (condition != nullptr && condition->status == "False" && !condition->message.empty() &&
      condition->reason != "SchedulingGated") {
    word.message = condition->message;
    word.time = condition->last_transition;
  } else if (event != nullptr) {
    word.message = event->message;
  } else {
    return std::nullopt;
  }
  // The condition's time is that of its status; its text may be newer, and the event tells.
  if (event != nullptr && event->last && (!word.time || *event->last > *word.time))
    word.time = event->last;
  if (!predicted.empty())
    word.agrees = says_the_same(word.message, predicted, compared_parts(cluster));
  return word;
}

std::string unknown_reasons(std::string_view message) {
  std::string unknown;
  for (const auto& [reason, count] : counts_of(sides_of(message).first).reasons) {
    const bool is_own = reason.starts_with("node(s) ") || reason.starts_with("Insufficient ") ||
                        reason == "Too many pods" || reason == "cannot allocate all claims" ||
                        reason.starts_with("no nodes available") ||
                        reason.find("laim") != std::string::npos;
    if (!is_own) unknown += (unknown.empty() ? "" : ", ") + std::to_string(count) + " " + reason;
  }
  return unknown;
}

}  // namespace gpu::diagnose
