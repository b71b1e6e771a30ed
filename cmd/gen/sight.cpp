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
#include "plan/outlook.hpp"

namespace gpu::cmd {
namespace {

std::string namespace_of(const GenFlags& flags, const Env& env) {
  if (flags.global.connection.ns) return *flags.global.connection.ns;
  if (flags.global.from) return "default";
  const kube::Connection connection =
      kube::resolve_connection(flags.global.connection, {.environment = env.environment});
  return connection.ns.empty() ? "default" : connection.ns;
}

/// Asked for only where one is named: few may list them.
constexpr ObjectKinds kSecrets = {ObjectKind::secret};

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
  if (flags.queue) needs.kinds = needs.kinds | kQueueingKinds;
  if (!flags.secrets.empty() || flags.hf_secret) needs.kinds = needs.kinds | kSecrets;
  needs.may_lack_nodes = true;
  kube::add_planned(needs, planned.pods);
  return needs;
}

manifest::GenNote unseen(const Error& error) {
  return {
      .level = manifest::GenNote::Level::warning,
      .text = "the cluster cannot be seen, so the manifest is not fitted to it: " + error.message(),
      .help = "use --offline to ask none",
      .command = {}};
}

/// Pods that nobody asked for are not missed.
bool matters(const Gap& gap, const GenFlags& flags) {
  const bool is_of_pods = gap.missing == Missing::pods || gap.missing == Missing::pods_of_file;
  return gap.about != GapTopic::use && !(is_of_pods && flags.no_check);
}

manifest::GenNote unseen_part(const Gap& gap) {
  return {.level = manifest::GenNote::Level::warning,
          .text = gap.why.empty() ? gap.what : gap.what + ": " + gap.why,
          .help = gap.help,
          .command = {}};
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
    for (const Gap& gap : snapshot.gaps)
      if (matters(gap, flags)) sight.notes.push_back(unseen_part(gap));
    sight.snapshot = std::move(snapshot);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || flags.global.from) throw;
    sight.notes.push_back(unseen(error));
  }
  return sight;
}

std::optional<manifest::GenNote> outlook_of(const GenFlags& flags, GenSight sight,
                                            const std::string& manifest, Env& env) {
  const std::optional<Time> now = clock_of(flags.global, sight.snapshot->taken_at, env);
  const auto outlook = plan::outlook_of(manifest::read_manifest(manifest, "", sight.ns),
                                        *std::move(sight.snapshot), now);
  if (!outlook) return std::nullopt;
  if (outlook->start != plan::Outlook::Start::waits)
    return manifest::GenNote{.level = manifest::GenNote::Level::note, .text = outlook->text};
  return manifest::GenNote{.level = manifest::GenNote::Level::warning,
                           .text = outlook->text,
                           .help = "see what would let it start",
                           .command = env.program + " why-pending -f FILE"};
}

}  // namespace gpu::cmd
