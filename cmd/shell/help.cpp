#include "cmd/shell/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "report/wrap.hpp"

namespace gpu::cmd {
namespace {

constexpr std::array<std::pair<FlagGroup, std::string_view>, 5> kHeadings = {
    {{FlagGroup::what, "What"},
     {FlagGroup::filter, "Filter"},
     {FlagGroup::live_use, "Live use"},
     {FlagGroup::output, "Output"},
     {FlagGroup::input, "Input"}}};

/// Terminals have had as many columns since 1978.
constexpr std::size_t kColumns = 80;
/// What is said of a longer flag starts on a line of its own.
constexpr std::size_t kLongestFlag = 28;

/// "  -o, --output FORM" or "      --ascii".
std::string flag_column(const Flag& flag) {
  return (flag.letter() ? fmt::format("  -{}, ", *flag.letter()) : "      ") + flag.shown();
}

std::size_t width_of_column(const Flags& flags, std::span<const FlagGroup> groups) {
  std::size_t width = 0;
  for (const Flag& flag : flags)
    if (flag.is_listed() && std::find(groups.begin(), groups.end(), flag.group()) != groups.end())
      if (const std::size_t size = flag_column(flag).size(); size <= kLongestFlag)
        width = std::max(width, size);
  return width;
}

std::string group_text(FlagGroup group, std::string_view heading, const Flags& flags,
                       std::size_t width) {
  std::string text;
  for (const Flag& flag : flags) {
    if (flag.group() != group || !flag.is_listed()) continue;
    if (text.empty()) text += fmt::format("\n{}:\n", heading);
    const std::string column = flag_column(flag);
    text += column.size() > width ? fmt::format("{}\n{:<{}}  ", column, "", width)
                                  : fmt::format("{:<{}}  ", column, width);
    report::append_prose(text, flag.description(), width + 2, {.width = kColumns, .utf8 = true});
    text += '\n';
  }
  return text;
}

bool is_shown_list(const Flag& flag) {
  const auto is_of_group = [&](const auto& heading) { return heading.first == flag.group(); };
  return flag.kind() == Flag::Kind::list &&
         std::any_of(kHeadings.begin(), kHeadings.end(), is_of_group);
}

}  // namespace

std::string help_text(const CommandInfo& info, const Flags& flags, std::string_view program) {
  std::string text;
  report::append_prose(text, info.summary, 0, {.width = kColumns, .utf8 = true});
  text += "\n\nExamples:\n";
  for (const std::string_view line : lines_of(info.examples))
    text += fmt::format("  {} {}\n", program, line);
  text += fmt::format("\nUsage:\n  {} {} [flags]\n", program, info.usage);

  std::array<FlagGroup, kHeadings.size()> groups;
  std::transform(kHeadings.begin(), kHeadings.end(), groups.begin(),
                 [](const auto& each) { return each.first; });
  const std::size_t width = width_of_column(flags, groups);
  for (const auto& [group, heading] : kHeadings) text += group_text(group, heading, flags, width);
  text += '\n';
  if (std::any_of(flags.begin(), flags.end(), is_shown_list))
    text += "A flag that ends in ... can be repeated.\n";
  text += "Exit code: 0 answered, 1 answered and something is wrong, 2 could not answer.\n";
  return text;
}

std::string flags_under(std::string_view heading, FlagGroup group, const Flags& flags) {
  return group_text(group, heading, flags, width_of_column(flags, std::span(&group, 1)));
}

std::string common_flags_line(const Flags& flags, std::string_view program) {
  const bool has_some = std::any_of(flags.begin(), flags.end(), [](const Flag& flag) {
    return flag.is_listed() && flag.group() == FlagGroup::connection;
  });
  if (!has_some) return {};
  return fmt::format("Use \"{} options\" for the flags that all commands have.\n", program);
}

}  // namespace gpu::cmd
