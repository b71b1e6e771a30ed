#pragma once

#include <optional>
#include <vector>

#include "model/dra/dra_device.hpp"
#include "model/objects/gap.hpp"

namespace gpu {

/// Settles what device plugins (`plugin`) and DRA (`rows`) say of the cards of one node. What only
/// labels promise, or a plugin that is gone left behind, goes; of two that count the same cards,
/// one becomes a second view, and the Gap says so.
std::optional<Gap> settle(const Node& node, const std::vector<DraDevice>& devices,
                          std::vector<Pool>& plugin, std::vector<Pool>& rows);

}  // namespace gpu
