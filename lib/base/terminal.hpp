#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/environment.hpp"

namespace gpu {

/// Columns and rows; the default is the one that terminals have had since 1978.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};

/// "100x40", or "100" of a usual number of rows, as given to --terminal. Nothing for anything else.
std::optional<TerminalSize> parse_terminal_size(std::string_view text);

/// The size of the terminal on file descriptor `fd` (COLUMNS wins for the width), or nothing when
/// it is not a terminal.
std::optional<TerminalSize> terminal_size(int fd, const Environment& environment);

/// What --color says.
enum class ColorChoice { automatic, always, never };

/// Whether a stream gets colour: the flag, then NO_COLOR (not empty), then CLICOLOR_FORCE and
/// FORCE_COLOR, then "is a terminal and TERM is not dumb". KUBECTL_GPU_COLOR stands in for the
/// flag where that is automatic.
bool wants_color(ColorChoice choice, bool is_terminal, const Environment& environment);

/// Whether the locale's codeset is UTF-8, by LC_ALL, LC_CTYPE, LANG themselves: nl_langinfo is
/// blind in a static binary.
bool is_utf8_locale(const Environment& environment);

}  // namespace gpu
