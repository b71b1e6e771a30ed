#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The looks we use: 16 ANSI colours only, so that the reader's theme decides the shades.
enum class Paint {
  plain,
  bold,
  dim,
  green,
  yellow,
  red,
  blue,
  bold_dim,
  bold_cyan,
  bold_yellow,
  bold_red
};
/// The colour of a worry.
Paint paint_of(Concern concern);

/// `text` in `paint`, or as it is on a stream without colour.
std::string painted(std::string_view text, Paint paint, const Style& style);

/// `text` as the stream may show it: cleaned, and in ASCII on a terminal that has no UTF-8, where
/// bytes past 0x7f could be control codes.
std::string clean(std::string_view text, const Style& style);

/// One line of a terminal, drawn from left to right. Spaces are held back until something follows,
/// so that no line ends in one.
class Line {
 public:
  Line(std::string& out, const Style& style) : out_(out), style_(style) {}
  /// Moves on to `column`, but leaves two columns after text that is already there.
  void go_to(std::size_t column);
  void skip(std::size_t columns) { skipped_ += columns; }
  /// `text` must be clean.
  void put(std::string_view text, Paint paint);
  void end();

 private:
  std::string& out_;
  Style style_;
  std::size_t at_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace gpu::report
