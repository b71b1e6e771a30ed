#pragma once

#include <string_view>

#include "input/snapshot/trim_fields.hpp"

namespace gpu::input {

/// The whitelist of a kind that only why-pending reads; null for others.
const Field* scheduling_fields(std::string_view kind, std::string_view api_version);

}  // namespace gpu::input
