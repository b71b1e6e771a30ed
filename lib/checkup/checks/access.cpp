#include "checkup/checks/check.hpp"

namespace gpu::checkup {
namespace {

/// What was read, for people.
std::string what_was_read(const Snapshot& snapshot) {
  std::string text = "may list nodes, pods";
  const bool saw_daemons = coverage_of(snapshot.scheduling, "daemonsets") == Coverage::whole;
  if (saw_daemons) text += ", DaemonSets";
  text += " everywhere";
  bool has_proxied = false;
  for (const Sample& sample : snapshot.samples)
    has_proxied = has_proxied || sample.source == MetricSource::exporter;
  return has_proxied ? text + "; may read the metrics of pods" : text;
}

}  // namespace

CheckResults check_access(const CheckContext& context) {
  const Snapshot& snapshot = context.snapshot;
  if (context.surroundings.source == Surroundings::Source::files)
    return {{.state = CheckState::skipped,
             .says = "a file does not say what you may read",
             .is_out_of_sight = true}};
  CheckResults results;
  const bool sees_none =
      snapshot.node_coverage == Coverage::none || snapshot.pod_coverage == Coverage::none;
  for (const Gap& gap : snapshot.gaps) {
    if (gap.cause != GapCause::refused) continue;
    const bool is_vital = sees_none && gap.about == GapTopic::none;
    results.push_back({.state = is_vital ? CheckState::failed : CheckState::warning,
                       .says = gap.what,
                       .help = gap.help,
                       .nodes = gap.nodes});
  }
  if (results.empty() && sees_none)
    return {{.state = CheckState::failed, .says = "nodes or pods could not be read"}};
  if (results.empty()) return {{.says = what_was_read(snapshot)}};
  return results;
}

}  // namespace gpu::checkup
