#pragma once

#include <cstdint>
#include <string_view>

#include "report/typed_cell.hpp"

namespace gpu::cmd {

/// What NVIDIA's error code says, in a few words (NVIDIA, "XID Errors").
std::string_view meaning_of_xid(std::int64_t xid);

/// Yellow for errors that programs cause themselves, red for all others.
report::Concern concern_of_xid(std::int64_t xid);

}  // namespace gpu::cmd
