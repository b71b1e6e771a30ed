#include "schedule/before_scheduling.hpp"

#include "schedule/pod_identity.hpp"

namespace gpu::schedule {

std::optional<Explanation> before_scheduling(const Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options) {
  if (pod.scheduling_gates.empty()) return std::nullopt;
  Explanation answer = identity_of(cluster, pod, options.now);
  answer.code = Code::scheduling_gated;
  answer.summary = "a scheduling gate holds it back: " + pod.scheduling_gates.front();
  answer.nearest = "gate " + pod.scheduling_gates.front();
  return answer;
}

std::optional<Explanation> never_created(const Cluster& /*cluster*/, std::string_view /*ns*/,
                                         const Owner& /*owner*/,
                                         const ExplainOptions& /*options*/) {
  return std::nullopt;
}

}  // namespace gpu::schedule
