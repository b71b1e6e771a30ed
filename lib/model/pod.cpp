#include "model/pod.hpp"

namespace gpu {

bool is_finished(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

}  // namespace gpu
