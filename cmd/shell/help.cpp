#include "cmd/shell/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace gpu::cmd {
namespace {

/// "  -o, --output VALUE" or "      --ascii".
std::string flag_column(const CLI::Option& option) {
  std::string text = option.get_snames().empty() ? "      " : "  -" + option.get_snames()[0] + ", ";
  text += "--" + option.get_lnames().front();
  if (option.get_items_expected_max() > 0) text += " VALUE";
  return text;
}

void add_group(std::string& text, const std::string& group, const CLI::App& app,
               std::size_t width) {
  bool has_title = false;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() != group || option->get_lnames().empty()) continue;
    if (!has_title) text += fmt::format("\n{}:\n", group);
    has_title = true;
    text += fmt::format("{:<{}}  {}\n", flag_column(*option), width, option->get_description());
  }
}

}  // namespace

std::string help_text(const CommandInfo& info, const CLI::App& app, std::string_view program) {
  std::string text = fmt::format("{}\n\nExamples:\n", info.summary);
  for (const std::string_view line : lines_of(info.examples))
    text += fmt::format("  {} {}\n", program, line);
  text += fmt::format("\nUsage:\n  {} {} [flags]\n", program, info.usage);

  std::size_t width = 0;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty() && !option->get_lnames().empty())
      width = std::max(width, flag_column(*option).size());
  static constexpr std::array<const char*, 6> kGroups = {"What",   "Filter", "Live use",
                                                         "Output", "Input",  "Connection"};
  for (const char* group : kGroups) add_group(text, group, app, width);
  text += "\nExit code: 0 answered, 1 answered and something is wrong, 2 could not answer.\n";
  return text;
}

}  // namespace gpu::cmd
