#include "usage/devices/holding_time.hpp"

#include <algorithm>

namespace gpu::usage {
namespace {

/// Of two times the earlier one that is known.
std::optional<Time> earlier(const std::optional<Time>& a, const std::optional<Time>& b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::optional<Time> held_since(const Pod& pod) {
  for (const auto* statuses : {&pod.container_statuses, &pod.init_container_statuses}) {
    std::optional<Time> first;
    for (const ContainerResourceStatus& status : *statuses)
      for (const auto& start : {status.running_since, status.started_at, status.last_started_at})
        first = earlier(first, start);
    if (first) return first;
  }
  return pod.started ? pod.started : pod.created;
}

bool is_of_before(const DeviceUse& device, const std::vector<const Pod*>& pods) {
  if (!device.sample.at || pods.empty()) return false;
  // Times of pods are whole seconds.
  const Time measured =
      *device.sample.at - std::chrono::ceil<std::chrono::seconds>(device.sample.interval);
  return std::all_of(pods.begin(), pods.end(), [&](const Pod* pod) {
    const std::optional<Time> since = held_since(*pod);
    return since && *since > measured;
  });
}

}  // namespace gpu::usage
