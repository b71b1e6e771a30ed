#pragma once

#include <string_view>

#include "decode/wire/json_fields.hpp"
#include "model/objects/placement.hpp"

namespace gpu::decode {

/// Reads what `spec.affinity` requires into `placement`. Both forms give the same.
void read_affinity(Placement& placement, const JsonObject& affinity);
void read_affinity(Placement& placement, std::string_view message);

/// One entry of `spec.topologySpreadConstraints`. Both forms give the same.
TopologySpread spread_from_json(const JsonObject& constraint);
TopologySpread spread_from_protobuf(std::string_view message);

}  // namespace gpu::decode
