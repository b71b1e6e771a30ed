#pragma once

#include <string_view>

#include "decode/kinds/field.hpp"

namespace gpu::input {

using decode::Field;
using decode::Meaning;

/// The whitelist of a kind ("Pod", "v1"). Of the kinds that own pods (workload_kinds) it is
/// metadata, and what says whether they may make pods; null for a kind that no snapshot holds.
const Field* fields_of_kind(std::string_view kind, std::string_view api_version);

}  // namespace gpu::input
