#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"

namespace gpu::usage {

/// Memory of one device of `pool`, a card or a MIG instance, by labels of its node.
std::optional<std::int64_t> labelled_memory(const Node& node, const Pool& pool);

/// Nominal memory of a MIG profile: 10 GiB for "1g.10gb".
std::optional<std::int64_t> profile_memory(std::string_view profile);

}  // namespace gpu::usage
