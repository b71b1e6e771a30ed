#include "report/marks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/quantity.hpp"

namespace gpu::report {
namespace {

constexpr Glyphs kUtf8{.allocated = "■",
                       .free = "□",
                       .unavailable = "×",
                       .bar_full = "━",
                       .bar_half = "╸",
                       .bar_empty = "─",
                       .ellipsis = "…",
                       .degree = "°",
                       .at_least = "≥",
                       .branch = "├─ ",
                       .last_branch = "└─ "};
constexpr Glyphs kAscii{.allocated = "#",
                        .free = ".",
                        .unavailable = "x",
                        .bar_full = "=",
                        .bar_half = "",
                        .bar_empty = "-",
                        .ellipsis = "...",
                        .degree = "",
                        .at_least = ">=",
                        .branch = "|- ",
                        .last_branch = "`- "};

constexpr std::int64_t kMostMarks = 8;

using Counts = std::array<std::int64_t, 3>;

// Eighths of `total` for each count, adding up to eight: the largest remainder gets what is left
// over, and no count that is there goes without.
Counts eighths(const Counts& counts, std::int64_t total) {
  Counts marks{};
  const auto lack = [&](std::size_t i) -> Int128 {
    return Int128{counts[i]} * kMostMarks - Int128{marks[i]} * total;
  };
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto share = static_cast<std::int64_t>(Int128{counts[i]} * kMostMarks / total);
    marks[i] = counts[i] > 0 ? std::max<std::int64_t>(1, share) : 0;
    sum += marks[i];
  }
  for (; sum != kMostMarks; sum += sum < kMostMarks ? 1 : -1) {
    std::size_t most = counts.size();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (sum < kMostMarks ? counts[i] == 0 : marks[i] <= 1) continue;
      const bool better =
          most == counts.size() || (sum < kMostMarks ? lack(i) > lack(most) : lack(i) < lack(most));
      if (better) most = i;
    }
    marks[most] += sum < kMostMarks ? 1 : -1;
  }
  return marks;
}

}  // namespace

const Glyphs& glyphs_of(const Style& style) { return style.utf8 ? kUtf8 : kAscii; }

MarkCounts mark_counts(const Share& share) {
  const std::int64_t total = std::max<std::int64_t>(0, share.total);
  // More can be allocated than there is: a node that lost a GPU keeps its pods.
  const std::int64_t allocated = std::clamp<std::int64_t>(share.allocated, 0, total);
  const std::int64_t unavailable =
      std::clamp<std::int64_t>(share.unavailable, 0, total - allocated);
  Counts marks = {allocated, total - allocated - unavailable, unavailable};
  if (total > kMostMarks) marks = eighths(marks, total);
  return {.allocated = static_cast<std::size_t>(marks[0]),
          .free = static_cast<std::size_t>(marks[1]),
          .unavailable = static_cast<std::size_t>(marks[2])};
}

Bar bar_of(double ratio, std::size_t width, const Glyphs& glyphs) {
  const std::size_t steps = width * 2;
  std::size_t halves = 0;
  if (ratio >= 1) {
    halves = steps;
  } else if (ratio > 0 && width > 0) {
    halves = static_cast<std::size_t>(std::lround(ratio * static_cast<double>(steps)));
    halves = std::clamp<std::size_t>(halves, 1, steps - 1);
    if (glyphs.bar_half.empty()) halves = std::max<std::size_t>(2, halves - halves % 2);
  }
  Bar bar;
  bar.filled = repeated(glyphs.bar_full, halves / 2);
  if (halves % 2 == 1) bar.filled += glyphs.bar_half;
  bar.empty = repeated(glyphs.bar_empty, width - (halves + 1) / 2);
  return bar;
}

std::string repeated(std::string_view sign, std::size_t count) {
  std::string out;
  out.reserve(sign.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += sign;
  return out;
}

}  // namespace gpu::report
