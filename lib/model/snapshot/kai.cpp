#include "model/snapshot/kai.hpp"

#include "base/contains.hpp"

namespace gpu {

bool is_of_kai(const Pod& pod) {
  return contains(pod.scheduler_name, "kai-scheduler") ||
         contains(pod.scheduler_name, "runai-scheduler");
}

std::string_view kai_queue_of(const Pod& pod) {
  for (const std::string_view label : kKaiQueueLabels)
    if (const std::string_view name = value_of(pod.labels, label); !name.empty()) return name;
  return {};
}

}  // namespace gpu
