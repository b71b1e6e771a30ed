#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cmd/gen/gen_flags.hpp"
#include "cmd/shell/env.hpp"
#include "manifest/fit/facts.hpp"
#include "manifest/fit/request.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {

/// What `gen` sees of the cluster.
struct GenSight {
  std::optional<Snapshot> snapshot;  ///< nothing: --offline, or it cannot be seen
  manifest::ClusterFacts facts;
  std::string ns;  ///< where the objects would go
  std::vector<manifest::GenNote> notes;
};

/// Reads what manifests are fitted to and judged by; `portable` is the manifest without a cluster,
/// whose pods say what is worth reading. A cluster that cannot be seen is a warning.
GenSight look(const GenFlags& flags, const std::string& portable, Env& env);

/// Whether the pods of `manifest` would start now; nothing for one that makes no pods.
std::optional<manifest::GenNote> outlook_of(const GenFlags& flags, GenSight sight,
                                            const std::string& manifest, Env& env);

}  // namespace gpu::cmd
