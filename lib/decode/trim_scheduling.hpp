#pragma once

#include <string_view>

#include "decode/trim_fields.hpp"

namespace gpu::decode {

/// The whitelist of a kind that only why-pending reads; null for others.
const Field* scheduling_fields(std::string_view kind, std::string_view api_version);

}  // namespace gpu::decode
