#include "report/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/paint.hpp"

namespace gpu::report {

void append_prose(std::string& out, std::string_view prose, std::size_t indent,
                  const Style& style) {
  const std::string text = clean(prose, style);
  std::size_t at = indent;
  bool is_first = true;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = std::string_view(text).substr(start, end - start);
    const std::size_t width = display_width(word);
    const bool has_room = !style.width || at + 1 + width <= *style.width;
    if (!is_first && has_room) {
      out += ' ';
      ++at;
    } else if (!is_first) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    }
    out += word;
    at += width;
    is_first = false;
    start = end + 1;
  }
}

std::string cut_for_people(std::string_view text, std::string_view where) {
  constexpr std::size_t kMostBytes = 2000;
  if (text.size() <= kMostBytes) return std::string(text);
  std::size_t end = kMostBytes;
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  for (int i = 0; i < 3 && is_inside(end); ++i) --end;
  return fmt::format("{}... ({} bytes in all{}{})", text.substr(0, end), text.size(),
                     where.empty() ? "" : ": ", where);
}

}  // namespace gpu::report
