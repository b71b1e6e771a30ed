#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {

bool tells_of_the_past(const Measures& told) {
  return told.average_utilization || told.highest_utilization || told.highest_memory_bytes ||
         told.idle_for;
}

CheckResults check_prometheus(const CheckContext& context) {
  const Snapshot& snapshot = context.snapshot;
  std::set<std::string_view> nodes;
  for (const Sample& sample : snapshot.samples)
    if (tells_of_the_past(sample.measures)) nodes.insert(sample.node);
  if (const Gap* const gap = gap_of(snapshot.gaps, Missing::window); gap != nullptr) {
    const bool is_file = context.surroundings.source == Surroundings::Source::files;
    const bool is_skipped = is_file || gap->cause != GapCause::other;
    if (is_file)
      return {{.state = CheckState::skipped,
               .says = "the file holds nothing of the past from Prometheus",
               .is_out_of_sight = true}};
    return {{.state = is_skipped ? CheckState::skipped : CheckState::warning,
             .says = gap->what + ": " + gap->why,
             .help = gap->help}};
  }
  if (nodes.empty())
    return {{.state = CheckState::skipped,
             .says = "Prometheus was not queried",
             .is_out_of_sight = true}};
  std::vector<std::string> silent;
  for (const GpuNode& node : context.nodes)
    if (!nodes.contains(node.node().name)) silent.push_back(node.node().name);
  const auto all = static_cast<std::int64_t>(context.nodes.size());
  const bool reaches_back =
      std::any_of(snapshot.samples.begin(), snapshot.samples.end(),
                  [](const Sample& sample) { return sample.measures.idle_for.has_value(); });
  if (silent.empty())
    return {{.says = fmt::format("Prometheus has the series of all GPUs that --since and cost "
                                 "need, of {}{}",
                                 counted(all, "node"),
                                 reaches_back ? "" : "; they do not reach back 24 hours")}};
  return {{.state = CheckState::warning,
           .says = fmt::format("Prometheus has no past series of the GPUs of {}",
                               few_and_rest(silent, 3)),
           .help = "does it scrape the exporters of all nodes, and for long enough?",
           .command = "kubectl gpu top nodes --metrics prometheus --since 24h",
           .nodes = silent}};
}

}  // namespace gpu::checkup
