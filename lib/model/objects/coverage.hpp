#pragma once

namespace gpu {

/// How much of a kind of object the Snapshot holds. A decision that needs more than there is says
/// "not checked".
enum class Coverage {
  none,     ///< nothing was read: not asked for, or forbidden
  partial,  ///< some was read: sums are "at least"
  whole,
};

}  // namespace gpu
