#include <fmt/format.h>

#include <algorithm>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "usage/rows/gaps.hpp"

namespace gpu::checkup {
namespace {

using diagnose::DaemonRole;

/// Whether an exporter is meant to run on one of these nodes.
bool has_exporter_on(const CheckContext& context, const std::vector<std::string>& nodes) {
  for (const std::string& name : nodes) {
    const auto at = context.cluster.node_named(name);
    if (!at) continue;
    const scheduler::NodeState& state = context.cluster.nodes()[*at];
    for (const scheduler::BoundPod& bound : state.pods) {
      const auto roles = diagnose::roles_of(*bound.pod);
      if (std::find(roles.begin(), roles.end(), DaemonRole::exporter) != roles.end()) return true;
    }
  }
  return false;
}

constexpr std::string_view kHidden = "UTIL, MEMORY, POWER and health of its GPUs are not known";

bool is_measured(const CheckContext& context, const std::string& node) {
  return !context.inventory.live.devices_on(node).empty();
}

/// A fault where an exporter should tell, and nothing tells at all of some of the nodes.
CheckResult result_of_gap(const CheckContext& context, const Gap& gap) {
  const bool is_hidden = gap.nodes.empty() ||
                         std::any_of(gap.nodes.begin(), gap.nodes.end(),
                                     [&](const auto& node) { return !is_measured(context, node); });
  const bool is_broken = is_hidden && has_exporter_on(context, gap.nodes);
  CheckResult result{.state = is_broken ? CheckState::failed : CheckState::warning,
                     .says = gap.what,
                     .nodes = gap.nodes};
  if (is_broken) result.says += std::string("; ") + std::string(kHidden);
  (gap.help_form == HelpForm::command ? result.command : result.help) = gap.help;
  if (result.help.empty() && gap.cause != GapCause::absent) result.help = gap.why;
  return result;
}

/// Whether a result is about the node already.
bool is_told(const CheckResults& results, const std::string& node) {
  return std::any_of(results.begin(), results.end(), [&](const CheckResult& each) {
    return std::find(each.nodes.begin(), each.nodes.end(), node) != each.nodes.end();
  });
}

/// Exporters that are not ready, or crash: a fault on nodes of which nothing else tells.
void add_unready(const CheckContext& context, CheckResults& results) {
  NodeResults broken(CheckState::failed);
  NodeResults doubtful(CheckState::warning);
  for (const GpuNode& node : context.nodes) {
    if (!is_ready(node.node()) || is_told(results, node.node().name)) continue;
    const Pod* const pod = diagnose::pod_on(*node.state, DaemonRole::exporter, node.vendor);
    if (pod == nullptr || diagnose::is_ready_pod(*pod) || is_young(*pod, context.surroundings.now))
      continue;
    const bool is_hidden = !is_measured(context, node.node().name);
    const diagnose::Advice advice = diagnose::read_log_of(*pod);
    (is_hidden ? broken : doubtful)
        .add(node.node(),
             fmt::format("the exporter's pod {}; {}", diagnose::unready_text(*pod),
                         is_hidden ? kHidden : "something else reports its GPUs now"),
             diagnose::StackFault::Reads::by_itself, advice.summary, advice.command);
  }
  broken.append_to(results);
  doubtful.append_to(results);
}

/// Nodes that an exporter's DaemonSet does not reach.
void add_absent(const CheckContext& context, CheckResults& results) {
  NodeResults absent(CheckState::warning);
  add_part_faults(context, DaemonRole::exporter, absent);
  absent.append_to(results);
}

bool leaves_out_exporter(const CheckContext& context) {
  const auto& policies = context.snapshot.scheduling.cluster_policies;
  return std::any_of(policies.begin(), policies.end(), [](const ClusterPolicy& policy) {
    return std::find(policy.disabled.begin(), policy.disabled.end(), "dcgmExporter") !=
           policy.disabled.end();
  });
}

std::int64_t measured_nodes(const CheckContext& context) {
  return std::count_if(context.nodes.begin(), context.nodes.end(),
                       [&](const GpuNode& node) { return is_measured(context, node.node().name); });
}

}  // namespace

CheckResults check_metrics(const CheckContext& context) {
  if (context.surroundings.metrics == Surroundings::Metrics::left_out)
    return {{.state = CheckState::skipped, .says = "--metrics none leaves them out"}};
  CheckResults results;
  const std::int64_t measured = measured_nodes(context);
  for (const Gap& gap : usage::gaps_of(context.inventory)) {
    const bool is_of_all = measured == 0 && gap.about == GapTopic::use &&
                           gap.cause == GapCause::absent && gap.missing == Missing::none;
    if (gap.missing == Missing::metrics || is_of_all)
      results.push_back(result_of_gap(context, gap));
  }
  add_unready(context, results);
  if (results.empty()) add_absent(context, results);
  if (results.empty() && measured == 0) {
    const bool is_file = context.surroundings.source == Surroundings::Source::files;
    const bool has_one = has_part(context, DaemonRole::exporter);
    if (is_file && has_one)
      return {{.state = CheckState::skipped,
               .says = "what the exporters tell is not in the file",
               .help = "a snapshot holds it: kubectl gpu snapshot cluster.json.gz"}};
    results.push_back(
        {.state = CheckState::warning,
         .says = "no exporter of GPU metrics is here, so UTIL, MEMORY and POWER are not known",
         .help = leaves_out_exporter(context)
                     ? "the ClusterPolicy leaves it out: set spec.dcgmExporter.enabled to true"
                     : "the GPU Operator brings dcgm-exporter, and it has a Helm chart; makers of "
                       "other GPUs have one each"});
  }
  if (!results.empty()) return results;
  const auto all = static_cast<std::int64_t>(context.nodes.size());
  return {{.says = fmt::format("read from {} of {}", measured, counted(all, "node"))}};
}

}  // namespace gpu::checkup
