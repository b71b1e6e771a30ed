#include "cmd/shell/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace gpu::cmd {
namespace {

constexpr std::array<std::pair<FlagGroup, std::string_view>, 6> kHeadings = {
    {{FlagGroup::what, "What"},
     {FlagGroup::filter, "Filter"},
     {FlagGroup::live_use, "Live use"},
     {FlagGroup::output, "Output"},
     {FlagGroup::input, "Input"},
     {FlagGroup::connection, "Connection"}}};

/// "  -o, --output VALUE" or "      --ascii".
std::string flag_column(const Flag& flag) {
  const std::string letter = flag.letter() ? fmt::format("  -{}, ", *flag.letter()) : "      ";
  return letter + "--" + flag.long_name() + (flag.takes_value() ? " VALUE" : "");
}

std::string group_text(FlagGroup group, std::string_view heading, const Flags& flags,
                       std::size_t width) {
  std::string text;
  for (const Flag& flag : flags) {
    if (flag.group() != group || !flag.is_listed()) continue;
    if (text.empty()) text += fmt::format("\n{}:\n", heading);
    text += fmt::format("{:<{}}  {}\n", flag_column(flag), width, flag.description());
  }
  return text;
}

}  // namespace

std::string help_text(const CommandInfo& info, const Flags& flags, std::string_view program) {
  std::string text = fmt::format("{}\n\nExamples:\n", info.summary);
  for (const std::string_view line : lines_of(info.examples))
    text += fmt::format("  {} {}\n", program, line);
  text += fmt::format("\nUsage:\n  {} {} [flags]\n", program, info.usage);

  std::size_t width = 0;
  for (const Flag& flag : flags)
    if (flag.is_listed()) width = std::max(width, flag_column(flag).size());
  for (const auto& [group, heading] : kHeadings) text += group_text(group, heading, flags, width);
  text += "\nExit code: 0 answered, 1 answered and something is wrong, 2 could not answer.\n";
  return text;
}

}  // namespace gpu::cmd
