#include "schedule/after_binding.hpp"

#include "schedule/pod_identity.hpp"

namespace gpu::schedule {

Explanation after_binding(const Cluster& cluster, const Pod& pod, const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.summary = "it is bound to " + pod.node_name;
  return answer;
}

}  // namespace gpu::schedule
