#pragma once

#include <array>
#include <string_view>

#include "model/objects/pod.hpp"

namespace gpu {

/// Whether KAI, or Run:ai, of which it is the scheduler, is to schedule a pod: by the name that the
/// pod gives, to which installations may add something.
bool is_of_kai(const Pod& pod);

/// The labels by which a pod names its Queue, KAI's first.
inline constexpr std::array<std::string_view, 2> kKaiQueueLabels = {"kai.scheduler/queue",
                                                                    "runai/queue"};

/// The Queue that a pod names in a label; empty where it names none.
std::string_view kai_queue_of(const Pod& pod);

}  // namespace gpu
