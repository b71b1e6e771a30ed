#pragma once

#include <string>

#include "base/environment.hpp"

namespace gpu::cmd {

/// What `kubectl kustomize FOLDER` prints. Throws Error{usage} with its words where it fails, and
/// where kubectl is not on PATH: `otherwise` is the command that reads what `kustomize build`
/// prints.
std::string kustomized(const std::string& folder, const Environment& environment,
                       const std::string& otherwise);

}  // namespace gpu::cmd
