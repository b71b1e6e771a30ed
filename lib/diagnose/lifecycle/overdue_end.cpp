#include "diagnose/lifecycle/overdue_end.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "model/objects/node.hpp"

namespace gpu::diagnose {
namespace {

/// Nothing else keeps what no kubelet has.
Trouble kept_by_finalizer(const Pod& pod, const std::string& since) {
  return {.code = Code::not_modelled,
          .summary = fmt::format(
              "it has been terminating for {} too long: a finalizer is still set", since),
          .advice = {{.summary = "see who set metadata.finalizers, and whether that runs: whoever "
                                 "set one takes it off",
                      .command = fmt::format("kubectl get pod {} -n {} -o "
                                             "jsonpath='{{.metadata.finalizers}}'",
                                             shell_quoted(pod.name), shell_quoted(pod.ns))}}};
}

/// Its kubelet does not answer, and nobody else may say that the containers have ended.
Trouble kept_by_node(const Pod& pod, const Node& node, const std::string& since, Time now) {
  std::string ill;
  for (const Condition& condition : node.conditions)
    if (condition.type == "Ready" && condition.last_transition && *condition.last_transition < now)
      ill = " for " + human_duration(now - *condition.last_transition);
  const std::string name = shell_quoted(node.name);
  return {
      .code = Code::node_not_ready,
      .summary = fmt::format("it should have ended {} ago, and {} has not been ready{}: the pod "
                             "stays until the node is back, or is known to be off",
                             since, node.name, ill),
      .advice = {{.summary = "see why the node is not ready: once it is back, its kubelet ends "
                             "the pod",
                  .command = "kubectl describe node " + name},
                 {.summary = "or, where the node is surely off, say so: its pods are then deleted, "
                             "and their volumes let go",
                  .command = "kubectl taint node " + name +
                             " node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
                 {.summary = "or, where the node is surely off, delete this pod alone: were it "
                             "still running, its replacement would run beside it",
                  .command = fmt::format("kubectl delete pod {} -n {} --force --grace-period=0",
                                         shell_quoted(pod.name), shell_quoted(pod.ns))}}};
}

Trouble kept_for_unknown(const Pod& pod, const std::string& since) {
  return {.code = Code::not_modelled,
          .summary = fmt::format("it should have ended {} ago, and {} still has it: nothing that "
                                 "was read says why",
                                 since, pod.node_name),
          .advice = {{.summary = "see what keeps it from ending: metadata.finalizers, or its "
                                 "newest events",
                      .command = fmt::format("kubectl get pod {0} -n {1} -o "
                                             "jsonpath='{{.metadata.finalizers}}'\n"
                                             "kubectl describe pod {0} -n {1}",
                                             shell_quoted(pod.name), shell_quoted(pod.ns))}}};
}

}  // namespace

std::optional<Trouble> overdue_end(const scheduler::Cluster& cluster, const Pod& pod,
                                   const ExplainOptions& options) {
  // A deletionTimestamp is when the time to end is over.
  if (!pod.deleted || !options.now || *options.now - *pod.deleted <= patience_for(WaitFor::end))
    return std::nullopt;
  const std::string since = human_duration(*options.now - *pod.deleted);
  if (pod.node_name.empty() || is_finished(pod)) return kept_by_finalizer(pod, since);
  const auto place = cluster.node_named(pod.node_name);
  if (place && !is_ready(*cluster.nodes()[*place].node))
    return kept_by_node(pod, *cluster.nodes()[*place].node, since, *options.now);
  // Pods of nodes that are gone are deleted by the control plane.
  if (!place && cluster.snapshot().node_coverage == Coverage::whole)
    return kept_by_finalizer(pod, since);
  return kept_for_unknown(pod, since);
}

}  // namespace gpu::diagnose
