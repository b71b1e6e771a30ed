#pragma once

#include <string>
#include <string_view>

#include "cmd/version/build_info.hpp"

namespace gpu::cmd {

/// {apiVersion, kind, version, commit, buildDate, platform, kubernetesVersions} as JSON, and the
/// same as YAML; null for what is not known.
std::string version_json(const BuildInfo& build, std::string_view platform);
std::string version_yaml(const BuildInfo& build, std::string_view platform);

}  // namespace gpu::cmd
