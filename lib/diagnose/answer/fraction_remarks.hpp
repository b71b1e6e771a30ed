#pragma once

#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Mistakes in the annotations by which a pod requests a part of a GPU: no scheduler reads them, or
/// KAI's admission webhook rejects them.
std::vector<Remark> fraction_remarks(const Pod& pod);

/// Whether KAI's admission webhook would reject the pod, if it is installed.
bool is_refused_by_kai(const Pod& pod);

}  // namespace gpu::diagnose
