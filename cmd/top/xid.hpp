#pragma once

#include <cstdint>

#include "report/typed_cell.hpp"

namespace gpu::cmd {

/// Yellow for errors that programs cause themselves, red for all others.
report::Concern concern_of_xid(std::int64_t xid);

}  // namespace gpu::cmd
