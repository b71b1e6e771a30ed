#include "report/shorten.hpp"

#include "base/text.hpp"
#include "report/marks.hpp"

namespace gpu::report {

std::string shortened(const std::string& text, const Column& column, std::size_t limit,
                      const Style& style) {
  if (display_width(text) <= limit) return text;
  const std::string_view ellipsis = glyphs_of(style).ellipsis;
  if (column.is_note || column.is_prose) return shorten_end(text, limit, ellipsis);
  const std::size_t count = column.is_name ? text.rfind(" (") : std::string::npos;
  const std::size_t kept = count == std::string::npos ? 0 : text.size() - count;
  if (kept == 0 || kept + kShortestText > limit) return shorten_middle(text, limit, ellipsis);
  return shorten_middle(text.substr(0, count), limit - kept, ellipsis) + text.substr(count);
}

}  // namespace gpu::report
