#include "cmd/top/xid.hpp"

#include <algorithm>
#include <array>

namespace gpu::cmd {
namespace {

using report::Concern;

struct Xid {
  std::int64_t code;
  report::Concern concern;
  std::string_view meaning;
};

constexpr std::array<Xid, 17> kXids = {{
    {13, report::Concern::warning, "a program's error in the graphics engine"},
    {31, report::Concern::warning, "a program's memory page fault"},
    {43, report::Concern::warning, "a program's error stopped its work"},
    {45, report::Concern::warning, "a program was cleaned up after an error before"},
    {48, report::Concern::broken, "a memory error that ECC cannot correct"},
    {62, report::Concern::broken, "the internal microcontroller halted"},
    {63, report::Concern::warning, "a row of memory was replaced, to take effect at a reset"},
    {64, report::Concern::broken, "a row of memory could not be replaced"},
    {69, report::Concern::warning, "a program's error in the graphics engine"},
    {74, report::Concern::broken, "an NVLink error"},
    {79, report::Concern::broken, "the GPU has fallen off the bus"},
    {92, report::Concern::broken, "many memory errors that ECC corrected"},
    {94, report::Concern::warning, "a memory error that one program felt"},
    {95, report::Concern::broken, "a memory error that all programs may feel"},
    {119, report::Concern::broken, "the GPU's system processor does not answer"},
    {120, report::Concern::broken, "an error of the GPU's system processor"},
    {140, report::Concern::broken, "a memory error that ECC cannot correct"},
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

report::Concern concern_of_xid(std::int64_t xid) {
  const Xid* const known = xid_of(xid);
  return known == nullptr ? report::Concern::broken : known->concern;
}

}  // namespace gpu::cmd
