#include "base/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "base/ascii.hpp"

namespace gpu {
namespace {

constexpr std::int64_t kLargest = 10'000;

std::optional<std::size_t> parse_count(std::string_view text) {
  const std::optional<std::int64_t> count = whole_number(text);
  if (!count || *count < 1 || *count > kLargest) return std::nullopt;
  return static_cast<std::size_t>(*count);
}

// FORCE_COLOR=0 and CLICOLOR_FORCE=0 are how those conventions say no.
bool is_set(const Environment& environment, std::string_view name) {
  const std::string value = environment.get_or_empty(name);
  return !value.empty() && value != "0" && value != "false";
}

}  // namespace

std::optional<TerminalSize> parse_terminal_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto columns = parse_count(text.substr(0, cross));
  const auto rows =
      cross == std::string_view::npos ? TerminalSize().rows : parse_count(text.substr(cross + 1));
  if (!columns || !rows) return std::nullopt;
  return TerminalSize{.columns = *columns, .rows = *rows};
}

std::optional<TerminalSize> terminal_size(int fd, const Environment& environment) {
  if (isatty(fd) == 0) return std::nullopt;
  TerminalSize size;
  winsize window{};
  // Serial lines and some recorders are terminals of 0x0: the default stands for those.
  if (ioctl(fd, TIOCGWINSZ, &window) == 0) {  // NOLINT(*-vararg)
    if (window.ws_col > 0) size.columns = window.ws_col;
    if (window.ws_row > 0) size.rows = window.ws_row;
  }
  size.columns = parse_count(environment.get_or_empty("COLUMNS")).value_or(size.columns);
  return size;
}

bool wants_color(ColorChoice choice, bool is_terminal, const Environment& environment) {
  if (choice == ColorChoice::automatic) {
    const std::string stand_in = environment.get_or_empty("KUBECTL_GPU_COLOR");
    if (stand_in == "always") choice = ColorChoice::always;
    if (stand_in == "never") choice = ColorChoice::never;
  }
  switch (choice) {
    case ColorChoice::always:
      return true;
    case ColorChoice::never:
      return false;
    case ColorChoice::automatic:
      break;
  }
  if (!environment.get_or_empty("NO_COLOR").empty()) return false;
  if (is_set(environment, "CLICOLOR_FORCE") || is_set(environment, "FORCE_COLOR")) return true;
  return is_terminal && environment.get_or_empty("TERM") != "dumb";
}

bool is_utf8_locale(const Environment& environment) {
  static constexpr std::array<std::string_view, 3> kInOrder = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (const std::string_view name : kInOrder) {
    const std::string locale = environment.get_or_empty(name);
    if (locale.empty()) continue;
    // language_TERRITORY.codeset@modifier; macOS also sets LC_CTYPE to a bare "UTF-8".
    const std::size_t dot = locale.find('.');
    const std::string rest = dot == std::string::npos ? locale : locale.substr(dot + 1);
    const std::string codeset = lower_case(std::string_view(rest).substr(0, rest.find('@')));
    return codeset == "utf-8" || codeset == "utf8";
  }
  return false;
}

}  // namespace gpu
