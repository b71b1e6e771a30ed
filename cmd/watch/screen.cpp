#include "cmd/watch/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gpu::cmd {

bool Screen::show(std::vector<std::string> lines) {
  std::string out;
  if (!std::exchange(is_known_, true)) {
    shown_.clear();
    out = "\x1b[H\x1b[2J";
  }
  const std::size_t count = std::max(lines.size(), shown_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string line = i < lines.size() ? lines[i] : std::string();
    if (i < shown_.size() ? shown_[i] == line : line.empty()) continue;
    // Cleared first: after a full line the cursor stands on its last character.
    out += fmt::format("\x1b[{};1H\x1b[2K{}\x1b[0m", i + 1, line);
  }
  shown_ = std::move(lines);
  return out.empty() || session_.write(out);
}

}  // namespace gpu::cmd
