#pragma once

#include <cstdint>
#include <string_view>

namespace gpu {

/// What an Xid error of NVIDIA's driver is of.
enum class XidKind : std::uint8_t {
  program,   ///< a program's mistake, after which the card is sound
  repaired,  ///< the card went on, or mends itself at its next reset
  card,      ///< the card, or its link, is broken until somebody acts; unknown ones, too
};

/// Source: NVIDIA's list of XID errors.
XidKind kind_of_xid(std::int64_t xid);

/// "the GPU has fallen off the bus"; of unknown ones where to look.
std::string_view meaning_of_xid(std::int64_t xid);

}  // namespace gpu
