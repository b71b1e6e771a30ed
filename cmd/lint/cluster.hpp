#pragma once

#include <string>
#include <vector>

#include "cmd/lint/files.hpp"
#include "cmd/lint/view.hpp"
#include "cmd/shell/flags.hpp"

namespace gpu::cmd {

/// What a cluster says of manifests.
struct ClusterFindings {
  std::vector<FileFinding> findings;
  std::vector<std::string> not_checked;  ///< "train.yaml: line 3: ...": files that were not judged
  std::vector<Gap> gaps;                 ///< what could not be seen of the cluster
};

/// Holds the texts against the cluster, or what --from holds, as why-pending -f does: pods that no
/// node could take, or that would wait, and kinds that are not served. That the API server would
/// refuse an object is not said again where `offline`, the rules' findings, has an error of it.
/// Throws Error where the cluster cannot be read.
ClusterFindings ask_cluster(const LintTexts& texts, const LintAnswer& offline,
                            const GlobalFlags& flags, const Env& env);

}  // namespace gpu::cmd
