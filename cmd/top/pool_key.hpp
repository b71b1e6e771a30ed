#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "model/holdings/pools.hpp"

namespace gpu::cmd {

/// The same for all copies of a pool: rows of nodes have their own.
std::string pool_key(const Pool& pool);

/// Units that are held and idle, by pool_key().
using IdleUnits = std::unordered_map<std::string, std::int64_t>;

}  // namespace gpu::cmd
