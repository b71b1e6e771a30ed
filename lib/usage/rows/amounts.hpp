#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/gpu/pool.hpp"

namespace gpu::usage {

/// Units of a pool.
struct PoolAmount {
  const Pool* pool = nullptr;  ///< never null
  std::int64_t units = 0;
};

/// "14 H100-80G", "1 H100-80G + 1 L4-24G + 9 mig": amounts of one model or unit together, in the
/// order of their first occurrence; at most three, then "+ 2 kinds".
std::string amounts_text(std::span<const PoolAmount> amounts);

}  // namespace gpu::usage
