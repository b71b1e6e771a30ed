#include "cmd/top/pool_key.hpp"

#include <fmt/format.h>

namespace gpu::cmd {

std::string pool_key(const Pool& pool) {
  return fmt::format("{}\n{}\n{}\n{}", pool.node, pool.resource, pool.model, pool.is_second_view);
}

}  // namespace gpu::cmd
