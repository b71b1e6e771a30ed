#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What keeps KAI from a pod, by its Queue alone.
struct KaiHold {
  std::string summary;
  std::string nearest;
};

/// What a pod's Queue of KAI, and those above it, mean for the pod.
struct KaiAnswer {
  std::optional<KaiHold> hold;            ///< nothing: the Queues let it through, as far as seen
  std::vector<diagnose::Remark> remarks;  ///< what each allows, and who holds it
  std::vector<diagnose::Advice> advice;
  std::vector<std::string> not_checked;
};

/// Of a pod that waits for KAI and names a Queue; nothing for all others, and where the Queues were
/// not read. `words` are what KAI last said of the pod: they may tell that it cannot be preempted.
/// Source: the capacity policy of KAI's proportion plugin, and which Queues its snapshot drops.
std::optional<KaiAnswer> kai_answer(const scheduler::Cluster& cluster, const Pod& pod,
                                    std::string_view words);

}  // namespace gpu::admission
