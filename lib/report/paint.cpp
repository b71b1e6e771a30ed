#include "report/paint.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace gpu::report {
namespace {

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::green:
      return "\x1b[32m";
    case Paint::yellow:
      return "\x1b[33m";
    case Paint::red:
      return "\x1b[31m";
    case Paint::blue:
      return "\x1b[34m";
    case Paint::bold_dim:
      return "\x1b[1;2m";
    case Paint::bold_cyan:
      return "\x1b[1;36m";
    case Paint::bold_yellow:
      return "\x1b[1;33m";
    case Paint::bold_red:
      return "\x1b[1;31m";
  }
  return "";
}

void append_painted(std::string& out, std::string_view text, Paint paint, const Style& style) {
  if (!style.color || paint == Paint::plain || text.empty()) {
    out += text;
    return;
  }
  out += code_of(paint);
  out += text;
  out += "\x1b[0m";
}

// Signs of our own texts have ASCII names; any other letter becomes its number.
std::string in_ascii(std::string_view text) {
  static constexpr std::array<std::pair<char32_t, std::string_view>, 8> kNames = {{{0x2026, "..."},
                                                                                   {0xB0, ""},
                                                                                   {0x2265, ">="},
                                                                                   {0xD7, "x"},
                                                                                   {0x25A0, "#"},
                                                                                   {0x25A1, "."},
                                                                                   {0x2192, "->"},
                                                                                   {0x2014, "-"}}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_code_point(text.substr(at));
    at += point.length;
    if (point.value < 0x80) {
      out += static_cast<char>(point.value);
      continue;
    }
    const auto* const named = std::find_if(
        kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == point.value; });
    const auto number = static_cast<unsigned>(point.value);
    if (named != kNames.end())
      out += named->second;
    else if (number > 0xFFFF)
      fmt::format_to(std::back_inserter(out), "\\U{:08x}", number);
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  }
  return out;
}

}  // namespace

Paint paint_of(Concern concern) {
  switch (concern) {
    case Concern::none:
      return Paint::plain;
    case Concern::good:
      return Paint::green;
    case Concern::warning:
      return Paint::yellow;
    case Concern::broken:
      return Paint::red;
  }
  return Paint::plain;
}

std::string painted(std::string_view text, Paint paint, const Style& style) {
  std::string out;
  append_painted(out, text, paint, style);
  return out;
}

std::string clean(std::string_view text, const Style& style) {
  return style.width && !style.utf8 ? in_ascii(sanitize(text)) : sanitize(text);
}

void Line::go_to(std::size_t column) {
  const std::size_t least = at_ == 0 ? 0 : at_ + 2;
  skipped_ = std::max(column, least) - at_;
}

void Line::put(std::string_view text, Paint paint) {
  if (text.empty()) return;
  out_.append(skipped_, ' ');
  at_ += skipped_ + display_width(text);
  skipped_ = 0;
  append_painted(out_, text, paint, style_);
}

void Line::end() {
  out_ += '\n';
  at_ = 0;
  skipped_ = 0;
}

}  // namespace gpu::report
