#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why one pod does not run, in the order of diagnosis: finished or running, bound, gated or held
/// by a queue, nobody's scheduler, refused before any node, refused by nodes.
Explanation explain(const scheduler::Cluster& cluster, const Pod& pod,
                    const ExplainOptions& options);

/// Why no node takes a pod, from its request alone: whether it is bound, held or gated is not
/// looked at. The same for all pods that are alike.
Explanation explain_request(const scheduler::Cluster& cluster, const Pod& pod,
                            const ExplainOptions& options);

/// All pods of the snapshot that wait or cannot start, `ns` only unless it is empty, each
/// with an explanation of its own. By namespace, then longest waiting first.
std::vector<Explanation> explain_all(const scheduler::Cluster& cluster, std::string_view ns,
                                     const ExplainOptions& options);

}  // namespace gpu::diagnose
