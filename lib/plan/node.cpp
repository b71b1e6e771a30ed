#include "plan/node.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"
#include "plan/answer_headline.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::plan {
namespace {

diagnose::Explanation bound_to_no_node(diagnose::Explanation answer,
                                       const scheduler::Cluster& cluster, const Pod& pod) {
  answer.code = diagnose::Code::node_selector_mismatch;
  answer.summary = fmt::format(
      "spec.nodeName binds it to the node {}, which does not exist: no scheduler looks at it, and "
      "the pod garbage collector deletes it",
      pod.node_name);
  answer.nearest = "node " + pod.node_name + " does not exist";
  std::vector<std::string_view> names;
  names.reserve(cluster.nodes().size());
  for (const scheduler::NodeState& node : cluster.nodes()) names.push_back(node.node->name);
  const auto near = nearest_name(pod.node_name, names);
  answer.advice.push_back(
      {.summary = "leave out spec.nodeName, so that a scheduler finds a node" +
                  (near ? fmt::format("; a similar name is {}", *near) : std::string()),
       .command = {}});
  return answer;
}

/// Whether kubelets, too, ask this. Source: kubelet's lifecycle.generalFilter().
bool is_asked_by_kubelet(scheduler::Filter filter) {
  return filter == scheduler::Filter::node_resources_fit ||
         filter == scheduler::Filter::node_ports || filter == scheduler::Filter::node_affinity ||
         filter == scheduler::Filter::node_name;
}

/// Why the kubelet of the node would refuse it; empty: it would not.
std::vector<std::string> kubelets_reasons(const scheduler::Cluster& cluster, const Pod& pod,
                                          std::size_t node) {
  const std::array<std::size_t, 1> nodes = {node};
  const scheduler::Verdict verdict = judge(cluster, pod, scheduler::Change(), nodes);
  std::vector<std::string> reasons;
  for (const scheduler::FilterFailure& blocker : verdict.blockers_of(verdict.nodes.front()))
    if (is_asked_by_kubelet(blocker.filter)) reasons.push_back(verdict.reasons[blocker.reason]);
  for (const Taint* taint : untolerated(pod.tolerations, *cluster.nodes()[node].node))
    if (taint->effect == "NoExecute") reasons.push_back("it does not tolerate " + text_of(*taint));
  return reasons;
}

}  // namespace

std::optional<diagnose::Explanation> bound_by_name(const scheduler::Cluster& cluster,
                                                   const Pod& pod,
                                                   const diagnose::ExplainOptions& options) {
  if (pod.node_name.empty() || cluster.snapshot().node_coverage != Coverage::whole)
    return std::nullopt;
  diagnose::Explanation answer = diagnose::identity_of(cluster, pod, options.now);
  const auto node = cluster.node_named(pod.node_name);
  if (!node) return bound_to_no_node(std::move(answer), cluster, pod);
  if (!pod.claim_slots.empty() || !pod.volumes.empty())
    answer.not_checked.emplace_back(
        "its claims and volumes, which a scheduler would have looked at");
  const std::vector<std::string> reasons = kubelets_reasons(cluster, pod, *node);
  if (reasons.empty()) {
    answer.is_blocked = false;
    answer.code = diagnose::Code::starting;
    set_headline(
        answer, {.reason = fmt::format("spec.nodeName binds it to {}, and no scheduler looks at it",
                                       pod.node_name)});
    return answer;
  }
  answer.code = diagnose::Code::kubelet_rejected;
  answer.summary = fmt::format(
      "spec.nodeName binds it to {} without a scheduler, and the kubelet there would refuse it: {}",
      pod.node_name, fmt::join(reasons, ", "));
  answer.nearest = "the kubelet of " + pod.node_name + " refuses it";
  answer.advice.push_back(
      {.summary = "leave out spec.nodeName, so that a scheduler finds a node", .command = {}});
  return answer;
}

void bypass_scheduler(Pod& pod) {
  if (pod.node_name.empty()) return;
  Toleration any{};
  any.op = "Exists";
  any.effect = "NoSchedule";
  pod.tolerations.push_back(std::move(any));
}

}  // namespace gpu::plan
