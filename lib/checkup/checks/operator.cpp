#include <fmt/format.h>

#include <map>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/stack_pods.hpp"

namespace gpu::checkup {
namespace {

constexpr std::string_view kNvidia = "NVIDIA's GPU operator";
constexpr std::string_view kDiscovery = "node feature discovery's master";

/// What does not happen while the operator of a pod is down.
std::string idle_work_of(const Pod& pod) {
  return operator_of(pod) == kDiscovery ? "nodes get no new labels"
                                        : "nothing installs or repairs the GPU stack";
}

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

/// Pods of one Deployment of an operator.
struct OperatorPods {
  std::vector<const Pod*> ready;
  std::vector<const Pod*> unready;
};

/// Operators whose pods are not ready: what they should install or mend stays as it is.
void add_unready_operators(const CheckContext& context, CheckResults& results) {
  std::map<std::string, OperatorPods> operators;  // by namespace, and what it is
  for (const Pod& pod : context.snapshot.pods) {
    const std::string_view what = operator_of(pod);
    if (what.empty() || is_finished(pod) || pod.deleted || pod.node_name.empty()) continue;
    OperatorPods& its = operators[pod.ns + " " + std::string(what)];
    if (diagnose::is_ready_pod(pod) || is_young(pod, context.surroundings.now))
      its.ready.push_back(&pod);
    else
      its.unready.push_back(&pod);
  }
  for (const auto& [name, pods] : operators) {
    if (pods.unready.empty()) continue;
    const Pod& pod = *pods.unready.front();
    const diagnose::Advice advice = diagnose::read_log_of(pod);
    const bool is_down = pods.ready.empty();
    results.push_back(
        {.state = is_down ? CheckState::failed : CheckState::warning,
         .says = fmt::format(
             "{}: the pod {}{}", operator_of(pod), diagnose::unready_text(pod),
             is_down ? "; until it is, " + idle_work_of(pod) : "; another pod of it is"),
         .help = advice.summary,
         .command = advice.command});
  }
}

}  // namespace

std::string_view operator_of(const Pod& pod) {
  if (value_of(pod.labels, "app") == "gpu-operator") return kNvidia;
  const bool is_of_discovery =
      value_of(pod.labels, "app.kubernetes.io/name") == "node-feature-discovery";
  return is_of_discovery && value_of(pod.labels, "role") == "master" ? kDiscovery
                                                                     : std::string_view{};
}

std::vector<std::string> operator_selectors() {
  return {"app=gpu-operator", "app.kubernetes.io/name=node-feature-discovery,role=master"};
}

CheckResults check_operator(const CheckContext& context) {
  const SchedulingFacts& facts = context.snapshot.scheduling;
  CheckResults results;
  add_unready_operators(context, results);
  for (const ClusterPolicy& policy : facts.cluster_policies) results.push_back(result_of(policy));
  if (!results.empty()) return results;
  const bool was_read = coverage_of(facts, "clusterpolicies") == Coverage::whole;
  return {{.state = CheckState::skipped,
           .says = was_read ? "no ClusterPolicy of NVIDIA's operator is here"
                            : "whether a ClusterPolicy is here is not known",
           .is_out_of_sight = !was_read}};
}

}  // namespace gpu::checkup
