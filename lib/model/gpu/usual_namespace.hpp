#pragma once

#include <string_view>

namespace gpu {

/// Whether `ns` is one in which those who run a cluster install what measures GPUs, and others may
/// mostly make no pods and Services: kube-system and all that Kubernetes, OpenShift and clouds keep
/// for themselves, operators' own, and `monitoring` with its likes. By names alone; where two tell
/// different things, it says who is believed.
bool is_usual_namespace(std::string_view ns);

}  // namespace gpu
