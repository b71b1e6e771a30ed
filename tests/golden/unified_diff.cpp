#include "unified_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpu::golden {
namespace {

using Lines = std::vector<std::string_view>;

/// What becomes of a line: ' ' it stays, '-' it goes, '+' it is new.
struct Edit {
  char sign;
  std::string_view line;
};
using Edits = std::vector<Edit>;

/// Each with its line feed, which the last one may lack.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

/// Lengths of the longest common rest, from each pair of lines on.
class CommonRests {
 public:
  CommonRests(const Lines& one, const Lines& other)
      : width_(other.size() + 1), lengths_((one.size() + 1) * width_) {
    for (std::size_t i = one.size(); i-- > 0;)
      for (std::size_t j = other.size(); j-- > 0;)
        lengths_[i * width_ + j] =
            one[i] == other[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j) const {
    return lengths_[i * width_ + j];
  }

 private:
  std::size_t width_;
  std::vector<std::size_t> lengths_;
};

Edits edits_between(const Lines& expected, const Lines& actual) {
  const CommonRests rests(expected, actual);
  Edits edits;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < expected.size() || j < actual.size()) {
    if (i < expected.size() && j < actual.size() && expected[i] == actual[j]) {
      edits.push_back({' ', expected[i++]});
      ++j;
    } else if (j == actual.size() ||
               (i < expected.size() && rests.at(i + 1, j) >= rests.at(i, j + 1))) {
      edits.push_back({'-', expected[i++]});
    } else {
      edits.push_back({'+', actual[j++]});
    }
  }
  return edits;
}

/// Which edits are shown: changes, and three lines before and after each.
std::vector<bool> shown_of(const Edits& edits) {
  constexpr std::size_t kContext = 3;
  std::vector<bool> shown(edits.size(), false);
  for (std::size_t at = 0; at < edits.size(); ++at) {
    if (edits[at].sign == ' ') continue;
    const std::size_t first = at < kContext ? 0 : at - kContext;
    const std::size_t last = std::min(at + kContext + 1, edits.size());
    std::fill(shown.begin() + static_cast<std::ptrdiff_t>(first),
              shown.begin() + static_cast<std::ptrdiff_t>(last), true);
  }
  return shown;
}

std::string shown_line(const Edit& edit) {
  std::string text(1, edit.sign);
  for (const char c : edit.line) text += c == '\x1b' ? std::string("\\e") : std::string(1, c);
  if (!text.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  return text;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view expected,
                         std::string_view actual) {
  const Lines old_lines = lines_of(expected);
  const Lines new_lines = lines_of(actual);
  const Edits edits = edits_between(old_lines, new_lines);
  const std::vector<bool> shown = shown_of(edits);
  std::string text = fmt::format("--- {} (expected)\n+++ {} (actual)\n", name, name);
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t at = 0; at < edits.size(); ++at) {
    if (shown[at] && (at == 0 || !shown[at - 1]))
      text += fmt::format("@@ -{} +{} @@\n", old_line, new_line);
    if (shown[at]) text += shown_line(edits[at]);
    if (edits[at].sign != '+') ++old_line;
    if (edits[at].sign != '-') ++new_line;
  }
  return text;
}

}  // namespace gpu::golden
