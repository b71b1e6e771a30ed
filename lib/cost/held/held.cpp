#include "cost/held/held.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cost/held/first_start.hpp"

namespace gpu::cost {
namespace {

using std::chrono::seconds;

/// Runtimes write the epoch for what never was.
std::optional<Time> real(std::optional<Time> time) {
  return time && *time > Time{} ? time : std::nullopt;
}

/// By more than clocks differ.
bool is_well_after(const std::optional<Time>& time, Time other) {
  return time && *time > other + kClockSkew;
}

/// When a condition became True; nothing while it is not, or where nothing says.
std::optional<Time> true_since(const Pod& pod, std::string_view type) {
  if (!is_true(pod.conditions, type)) return std::nullopt;
  return real(condition_of(pod.conditions, type)->last_transition);
}

/// Whether it is over, or was going on when the kubelet last wrote, and nothing says until when.
bool lacks_end(const ContainerResourceStatus& status) {
  if (real(status.terminated_at)) return false;
  const bool is_over = status.waiting.empty() && !status.terminated.empty();
  return is_over || status.running_since || status.started_at;
}

/// The last end of any container; nothing where one of the main ones ended at a time that nobody
/// wrote down.
std::optional<Time> end_of_containers(const Pod& pod) {
  if (std::any_of(pod.container_statuses.begin(), pod.container_statuses.end(), lacks_end))
    return std::nullopt;
  std::optional<Time> last;
  for (const auto* const list : {&pod.container_statuses, &pod.init_container_statuses})
    for (const ContainerResourceStatus& status : *list)
      last = std::max(last, real(status.terminated_at));
  return last;
}

void set_since(Held& held, const Pod& pod) {
  held.since = true_since(pod, "PodScheduled");
  held.never_bound = !held.since && pod.node_name.empty();
  if (held.since || held.never_bound) return;
  held.since = real(pod.started);
  held.since_is_late = held.since.has_value();
}

void set_end(Held& held, const Pod& pod) {
  held.was_disrupted = is_true(pod.conditions, "DisruptionTarget");
  if (!is_finished(pod)) return;
  held.end = HeldEnd::finished;
  held.until = end_of_containers(pod);
  if (held.until || held.never_bound) return;
  if (is_refused_by_kubelet(pod)) {
    held.end = HeldEnd::refused;
    held.until = held.since;
    return;
  }
  held.end = HeldEnd::disrupted;
  held.until = true_since(pod, "DisruptionTarget");
  if (!held.until) held.until = real(pod.deleted);
  if (!held.until) held.end = HeldEnd::unknown;
}

void set_start(Held& held, const Pod& pod) {
  const FirstStart first = first_start_of(pod);
  held.started = first.time;
  held.started_is_late = first.is_late;
  held.never_started = first.is_none || held.never_bound || held.end == HeldEnd::refused;
}

/// Notes where `first` is after `second`, which it may not be. Whether it is.
bool note_order(Held& held, const std::optional<Time>& first, const std::optional<Time>& second) {
  if (!first || !second || *first <= *second) return false;
  held.has_clock_skew = true;
  held.is_contradictory = held.is_contradictory || is_well_after(first, *second);
  return true;
}

void set_queued(Held& held, const Pod& pod) {
  if (!held.since || !pod.created) return;
  const bool is_odd = note_order(held, pod.created, held.since);
  held.queued = is_odd ? seconds{0} : *held.since - *pod.created;
  if (held.is_contradictory) held.queued.reset();
}

/// Clocks of API server, kubelet and runtime differ.
void straighten(Held& held) {
  if (note_order(held, held.since, held.until)) held.until = held.since;
  if (note_order(held, held.started, held.until)) held.started = held.until;
  // A static pod, or one whose object was made anew, ran before it was bound: it is held since then
  // at the least.
  if (!held.since || !held.started || *held.started >= *held.since) return;
  held.started = held.since;
  held.has_clock_skew = true;
}

std::int64_t restarts_of(const Pod& pod) {
  std::int64_t restarts = 0;
  for (const auto* const list : {&pod.container_statuses, &pod.init_container_statuses})
    for (const ContainerResourceStatus& status : *list) restarts += std::max(status.restarts, 0);
  return restarts;
}

/// From `start` until the end, by `now`.
std::optional<seconds> length(const Held& held, const std::optional<Time>& start, Time now) {
  if (!start || (held.end != HeldEnd::open && !held.until)) return std::nullopt;
  if (has_odd_times(held, now)) return std::nullopt;
  return std::max(std::min(held.until.value_or(now), now) - *start, seconds{0});
}

}  // namespace

Held held_of(const Pod& pod) {
  Held held;
  set_since(held, pod);
  set_end(held, pod);
  set_start(held, pod);
  set_queued(held, pod);
  straighten(held);
  held.restarts = restarts_of(pod);
  return held;
}

bool has_odd_times(const Held& held, Time now) {
  return held.is_contradictory || is_well_after(held.since, now) || is_well_after(held.until, now);
}

std::optional<seconds> held_seconds(const Held& held, Time now) {
  if (held.never_bound) return seconds{0};
  return length(held, held.since, now);
}

std::optional<seconds> started_seconds(const Held& held, Time now) {
  if (held.never_started) return seconds{0};
  return length(held, held.started, now);
}

bool is_older_than(const Held& held, const Node& node) {
  return held.since && node.created && *held.since < *node.created;
}

}  // namespace gpu::cost
