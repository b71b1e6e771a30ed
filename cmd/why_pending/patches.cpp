#include "cmd/why_pending/patches.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace gpu::cmd {

bool stops_others(const diagnose::Fix& fix) {
  return !fix.stops.empty() && (fix.patch.empty() || fix.stops.size() > 1);
}

std::vector<const diagnose::Fix*> fixes_in_order(const diagnose::Explanation& it) {
  std::vector<const diagnose::Fix*> fixes;
  for (const bool do_stop : {false, true})
    for (const diagnose::Fix& fix : it.fixes)
      if (stops_others(fix) == do_stop) fixes.push_back(&fix);
  return fixes;
}

std::vector<std::string> notes_of(const diagnose::Fix& fix) {
  std::vector<std::string> notes;
  if (!fix.patch_into.empty())
    notes.push_back(fmt::format("write this into {} in {}", fix.patch_into, fix.patch_file));
  if (!fix.note.empty()) notes.push_back(fix.note);
  return notes;
}

std::string patches_of(const std::vector<diagnose::Explanation>& explanations) {
  std::string text;
  std::size_t left_out = 0;
  for (const diagnose::Explanation& each : explanations) {
    bool is_first = true;
    for (const diagnose::Fix* const at : fixes_in_order(each)) {
      const diagnose::Fix& fix = *at;
      if (fix.patch.empty()) continue;
      // kubectl takes the first document of a patch file, and no other.
      if (!std::exchange(is_first, false)) {
        ++left_out;
        continue;
      }
      if (!text.empty()) text += "---\n";
      text += "# " + sanitize(fix.summary) + '\n';
      for (const std::string_view line : lines_of(fix.command))
        text += "# " + sanitize(line) + '\n';
      for (const std::string& note : notes_of(fix)) text += "# " + sanitize(note) + '\n';
      text += fix.patch;
    }
  }
  if (left_out > 0)
    text += fmt::format("# {} other {}: see the answer without -o patch\n", left_out,
                        left_out == 1 ? "patch would do, too" : "patches would do, too");
  return text;
}

}  // namespace gpu::cmd
