#pragma once

#include <cstddef>
#include <string>

#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Whose spec a patch is for: a pod as it is, a pod that is deleted and created again, an owner's
/// template. The API server added some tolerations to the pod itself. They are not the owner's, and
/// must stay with the pod.
enum class PatchedSpec { of_pod, of_new_pod, of_template };

/// The lines of a strategic merge patch of a PodSpec that turn `before` into `after`, indented by
/// `indent` columns.
std::string pod_patch(const Pod& before, const Pod& after, PatchedSpec spec, std::size_t indent);

}  // namespace gpu::diagnose
