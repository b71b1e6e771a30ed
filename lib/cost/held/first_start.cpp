#include "cost/held/first_start.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "model/gpu/gpu_resource.hpp"

namespace gpu::cost {
namespace {

/// Conditions that a kubelet writes at once may lie on both sides of a full second.
constexpr std::chrono::seconds kOneWrite{2};

bool asks_for_gpus(const ResourceList& resources) {
  return std::any_of(resources.begin(), resources.end(), [](const auto& each) {
    return each.second > Quantity{} && gpu_resource(each.first).has_value();
  });
}

bool asks_for_gpus(const Container& container) {
  return asks_for_gpus(container.requests) || asks_for_gpus(container.limits);
}

void keep_earlier(std::optional<Time>& earliest, const std::optional<Time>& time) {
  if (time && (!earliest || *time < *earliest)) earliest = time;
}

/// Whether the runtime says that the last run never came to be: StartError has the epoch.
bool has_failed_to_start(const ContainerResourceStatus& status) {
  return (status.started_at && *status.started_at <= Time{}) ||
         (status.last_started_at && *status.last_started_at <= Time{});
}

/// Whether one of the two runs that are remembered is the first. The count of restarts is that of
/// the run that goes on or, while it waits for the next, of the one before.
bool remembers_first_run(const ContainerResourceStatus& status) {
  if (status.restarts <= 0) return true;
  const bool waits = !status.running_since && !status.started_at;
  return status.restarts == 1 && status.last_started_at && !waits;
}

FirstStart start_of_container(const ContainerResourceStatus& status) {
  FirstStart first;
  for (const auto& time : {status.running_since, status.started_at, status.last_started_at})
    if (time && *time > Time{}) keep_earlier(first.time, time);
  if (first.time) {
    first.is_late = !remembers_first_run(status);
    return first;
  }
  const bool is_over = status.waiting.empty() && !status.terminated.empty();
  first.is_none = has_failed_to_start(status) || (status.restarts <= 0 && !is_over);
  return first;
}

/// A moment by which all main containers had started: the pod was ready then, or ceased to be.
std::optional<Time> ready_by(const Pod& pod) {
  const Condition* const initialized = condition_of(pod.conditions, "Initialized");
  std::optional<Time> earliest;
  for (const std::string_view type : {"Ready", "ContainersReady"}) {
    const Condition* const ready = condition_of(pod.conditions, type);
    if (ready == nullptr || !ready->last_transition) continue;
    // A pod is not ready from the first write on: no change from having been.
    const bool was_ready =
        ready->status == "True" ||
        (initialized != nullptr && initialized->status == "True" && initialized->last_transition &&
         *ready->last_transition > *initialized->last_transition + kOneWrite);
    if (was_ready) keep_earlier(earliest, ready->last_transition);
  }
  return earliest;
}

const ContainerResourceStatus* status_of(const Pod& pod, std::string_view container) {
  const auto found =
      std::find_if(pod.container_statuses.begin(), pod.container_statuses.end(),
                   [&](const ContainerResourceStatus& each) { return each.name == container; });
  return found == pod.container_statuses.end() ? nullptr : &*found;
}

/// Of a container that nothing is written of: in a pod that waits, it has not started.
FirstStart without_status(const Pod& pod) { return {.is_none = pod.phase == "Pending"}; }

/// The earliest of both.
FirstStart joined(const FirstStart& one, const FirstStart& other) {
  FirstStart both = one;
  keep_earlier(both.time, other.time);
  both.is_none = one.is_none && other.is_none;
  // Of one that has started at a time that nobody knows, any other is late.
  const auto is_unknown = [](const FirstStart& each) { return !each.time && !each.is_none; };
  both.is_late = one.is_late || other.is_late || is_unknown(one) || is_unknown(other);
  return both;
}

}  // namespace

FirstStart first_start_of(const Pod& pod) {
  const bool has_gpu_containers =
      std::any_of(pod.containers.begin(), pod.containers.end(),
                  [](const Container& each) { return asks_for_gpus(each); });
  std::optional<FirstStart> first;
  for (const Container& container : pod.containers) {
    if (has_gpu_containers && !asks_for_gpus(container)) continue;
    const ContainerResourceStatus* const status = status_of(pod, container.name);
    const FirstStart own = status == nullptr ? without_status(pod) : start_of_container(*status);
    first = first ? joined(*first, own) : own;
  }
  FirstStart result = first.value_or(without_status(pod));
  const bool is_unknown = !result.time && !result.is_none;
  if (result.is_late || is_unknown) keep_earlier(result.time, ready_by(pod));
  result.is_late = result.time && (result.is_late || is_unknown);
  return result;
}

}  // namespace gpu::cost
