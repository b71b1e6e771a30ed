#include "cmd/gen/sight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "kube/config/connection.hpp"
#include "manifest/read/manifest.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::cmd {
namespace {

std::string namespace_of(const GenFlags& flags, const Env& env) {
  if (flags.global.connection.ns) return *flags.global.connection.ns;
  if (flags.global.from) return "default";
  const kube::Connection connection =
      kube::resolve_connection(flags.global.connection, {.environment = env.environment});
  return connection.ns.empty() ? "default" : connection.ns;
}

/// Nodes and what the manifest may name; for the question whether it would start, all that
/// why-pending -f reads.
kube::Needs needs_of(const GenFlags& flags, const PlannedObjects& planned) {
  kube::Needs needs;
  if (flags.no_check) {
    needs.kinds = kFittingKinds;
    needs.devices = kube::DeviceObjects::all;
    needs.pod_lists = kube::PodLists::none;
  } else {
    needs = kube::scheduling_needs();
    needs.kinds = needs.kinds | kPlanningKinds | kFittingKinds;
    needs.keep = [](const Pod&) { return true; };
  }
  needs.may_lack_nodes = true;
  for (const PlannedPod& each : planned.pods) needs.planned_pods.push_back(each.pod);
  return needs;
}

manifest::GenNote unseen(const Error& error) {
  return {
      .level = manifest::GenNote::Level::warning,
      .text = "the cluster cannot be seen, so the manifest is not fitted to it: " + error.message(),
      .help = "use --offline to ask none",
      .command = {}};
}

/// ", such as gpu-a1": where the first pod fits now.
std::string places_of(const diagnose::Explanation& answer) {
  if (answer.first_nodes.empty()) return {};
  const bool is_all = answer.fits_on && *answer.fits_on <= answer.first_nodes.size();
  return (is_all ? ": " : ", such as ") + joined(answer.first_nodes);
}

/// Of several templates, that of the pods that fit on the fewest nodes: workers with GPUs rather
/// than their head.
const diagnose::Explanation& scarcest(const std::vector<diagnose::Explanation>& answers) {
  return *std::min_element(answers.begin(), answers.end(), [](const auto& a, const auto& b) {
    constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();
    return a.fits_on.value_or(kMany) < b.fits_on.value_or(kMany);
  });
}

}  // namespace

GenSight look(const GenFlags& flags, const std::string& portable, Env& env) {
  GenSight sight;
  if (flags.is_offline) {
    sight.notes.push_back({.level = manifest::GenNote::Level::note,
                           .text = "portable: not fitted to a cluster, and not judged"});
    return sight;
  }
  try {
    sight.ns = namespace_of(flags, env);
    const PlannedObjects planned = manifest::read_manifest(portable, "", sight.ns);
    Snapshot snapshot = read_snapshot(flags.global, needs_of(flags, planned), env);
    sight.facts = manifest::facts_of(snapshot, sight.ns);
    sight.snapshot = std::move(snapshot);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || flags.global.from) throw;
    sight.notes.push_back(unseen(error));
  }
  return sight;
}

std::optional<manifest::GenNote> outlook_of(const GenFlags& flags, const GenSight& sight,
                                            const std::string& manifest, Env& env) {
  PlannedObjects planned = manifest::read_manifest(manifest, "", sight.ns);
  if (planned.pods.empty() && planned.unknown.empty()) return std::nullopt;
  Snapshot snapshot = *sight.snapshot;
  plan::add_planned(planned, snapshot);
  const scheduler::Cluster cluster(snapshot);
  diagnose::ExplainOptions options{.now = clock_of(flags.global, snapshot.taken_at, env)};
  options.fixes = diagnose::ExplainOptions::Fixes::leave_out;
  const plan::PlannedAnswers answers = plan::explain_planned_objects(planned, cluster, options);
  for (const diagnose::Explanation& answer : answers.explanations) {
    if (!answer.is_blocked) continue;
    return manifest::GenNote{.level = manifest::GenNote::Level::warning,
                             .text = "it would wait today: " + answer.summary,
                             .help = "see what would let it start",
                             .command = env.program + " why-pending -f FILE"};
  }
  if (answers.explanations.empty())
    return manifest::GenNote{
        .level = manifest::GenNote::Level::note,
        .text = "whether it would start is not checked: a controller creates its pods"};
  const diagnose::Explanation& first = scarcest(answers.explanations);
  return manifest::GenNote{.level = manifest::GenNote::Level::note,
                           .text = first.summary + places_of(first)};
}

}  // namespace gpu::cmd
