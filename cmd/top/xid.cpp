#include "cmd/top/xid.hpp"

#include "model/gpu/xid.hpp"

namespace gpu::cmd {

report::Concern concern_of_xid(std::int64_t xid) {
  return kind_of_xid(xid) == XidKind::card ? report::Concern::broken : report::Concern::warning;
}

}  // namespace gpu::cmd
