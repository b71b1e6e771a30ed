#include "model/gpu/xid.hpp"

#include <algorithm>
#include <array>

namespace gpu {
namespace {

struct Xid {
  std::int64_t code;
  XidKind kind;
  std::string_view meaning;
};

constexpr std::array<Xid, 17> kXids = {{
    {13, XidKind::program, "a program's error in the graphics engine"},
    {31, XidKind::program, "a program's memory page fault"},
    {43, XidKind::program, "a program's error stopped its work"},
    {45, XidKind::program, "a program was cleaned up after an error before"},
    {48, XidKind::card, "a memory error that ECC cannot correct"},
    {62, XidKind::card, "the internal microcontroller halted"},
    {63, XidKind::repaired, "a row of memory was replaced, to take effect at a reset"},
    {64, XidKind::card, "a row of memory could not be replaced"},
    {69, XidKind::program, "a program's error in the graphics engine"},
    {74, XidKind::card, "an NVLink error"},
    {79, XidKind::card, "the GPU has fallen off the bus"},
    {92, XidKind::card, "many memory errors that ECC corrected"},
    {94, XidKind::repaired, "a memory error that one program felt"},
    {95, XidKind::card, "a memory error that all programs may feel"},
    {119, XidKind::card, "the GPU's system processor does not answer"},
    {120, XidKind::card, "an error of the GPU's system processor"},
    {140, XidKind::card, "a memory error that ECC cannot correct"},
}};

const Xid* xid_of(std::int64_t code) {
  const auto* const found =
      std::find_if(kXids.begin(), kXids.end(), [&](const Xid& one) { return one.code == code; });
  return found == kXids.end() ? nullptr : found;
}

}  // namespace

std::string_view meaning_of_xid(std::int64_t xid) {
  const Xid* const known = xid_of(xid);
  return known == nullptr ? "see NVIDIA's list of XID errors" : known->meaning;
}

XidKind kind_of_xid(std::int64_t xid) {
  const Xid* const known = xid_of(xid);
  return known == nullptr ? XidKind::card : known->kind;
}

}  // namespace gpu
