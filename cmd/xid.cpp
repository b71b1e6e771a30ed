#include "cmd/xid.hpp"

#include <algorithm>
#include <array>

namespace gpu::cmd {
namespace {

using report::Concern;

struct Xid {
  std::int64_t code;
  Concern concern;
  std::string_view meaning;
};

constexpr std::array<Xid, 17> kXids = {{
    {13, Concern::warning, "a program's error in the graphics engine"},
    {31, Concern::warning, "a program's memory page fault"},
    {43, Concern::warning, "a program's error stopped its work"},
    {45, Concern::warning, "a program was cleaned up after an error before"},
    {48, Concern::broken, "a memory error that ECC cannot correct"},
    {62, Concern::broken, "the internal microcontroller halted"},
    {63, Concern::warning, "a row of memory was replaced, to take effect at a reset"},
    {64, Concern::broken, "a row of memory could not be replaced"},
    {69, Concern::warning, "a program's error in the graphics engine"},
    {74, Concern::broken, "an NVLink error"},
    {79, Concern::broken, "the GPU has fallen off the bus"},
    {92, Concern::broken, "many memory errors that ECC corrected"},
    {94, Concern::warning, "a memory error that one program felt"},
    {95, Concern::broken, "a memory error that all programs may feel"},
    {119, Concern::broken, "the GPU's system processor does not answer"},
    {120, Concern::broken, "an error of the GPU's system processor"},
    {140, Concern::broken, "a memory error that ECC cannot correct"},
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

Concern concern_of_xid(std::int64_t xid) {
  const Xid* const known = xid_of(xid);
  return known == nullptr ? Concern::broken : known->concern;
}

}  // namespace gpu::cmd
