#pragma once

#include <optional>
#include <string>

#include "model/objects/pod.hpp"

namespace gpu::admission {

/// The first mistake in what a planned pod says of its place, in the API server's words (validation
/// of core/v1, 1.36): an operator or an effect that there is not, an amount below 0, a request
/// above its limit. What the field would do if it were let in is no answer: a mistyped operator
/// matches nothing.
std::optional<std::string> invalid_placement(const Pod& pod);

}  // namespace gpu::admission
