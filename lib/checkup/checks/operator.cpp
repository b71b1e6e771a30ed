#include <fmt/format.h>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"

namespace gpu::checkup {
namespace {

/// What a condition says is wrong; empty where none does.
std::string trouble_of(const ClusterPolicy& policy) {
  if (const Condition* const error = condition_of(policy.conditions, "Error");
      error != nullptr && error->status == "True")
    return error->message.empty() ? error->reason : error->message;
  if (const Condition* const ready = condition_of(policy.conditions, "Ready");
      ready != nullptr && ready->status == "False")
    return ready->message.empty() ? ready->reason : ready->message;
  return {};
}

CheckResult result_of(const ClusterPolicy& policy) {
  const std::string ns = policy.ns.empty() ? "gpu-operator" : policy.ns;
  const std::string trouble = trouble_of(policy);
  if (policy.state == "ignored" || policy.state == "disabled")
    return {.state = CheckState::warning,
            .says = fmt::format("NVIDIA's operator ignores the ClusterPolicy {} ({})", policy.name,
                                policy.state),
            .help = "one ClusterPolicy counts in a cluster: delete the others",
            .command = "kubectl get clusterpolicies"};
  if (policy.state == "ready" && trouble.empty()) {
    std::string says = fmt::format("the ClusterPolicy {} is ready", policy.name);
    if (!policy.disabled.empty()) says += "; it leaves out " + joined(policy.disabled);
    return {.says = std::move(says)};
  }
  const std::string state = policy.state.empty() ? "has no state yet" : "is " + policy.state;
  return {.state = CheckState::failed,
          .says = fmt::format("the ClusterPolicy {} {}{}{}", policy.name, state,
                              trouble.empty() ? "" : ": ", trouble),
          .help = "see which of its pods is not ready, and what that logs",
          .command = fmt::format("kubectl get pods -n {} -o wide", ns)};
}

}  // namespace

CheckResults check_operator(const CheckContext& context) {
  const SchedulingFacts& facts = context.snapshot.scheduling;
  if (facts.cluster_policies.empty()) {
    const bool was_read = coverage_of(facts, "clusterpolicies") == Coverage::whole;
    return {{.state = CheckState::skipped,
             .says = was_read ? "no ClusterPolicy of NVIDIA's operator is here"
                              : "whether a ClusterPolicy is here is not known"}};
  }
  CheckResults results;
  for (const ClusterPolicy& policy : facts.cluster_policies) results.push_back(result_of(policy));
  return results;
}

}  // namespace gpu::checkup
