#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "report/layout.hpp"
#include "report/renderers.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

// Unicode's space separators: some tools split at these as well.
bool is_space(char32_t c) {
  return c == ' ' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

// One word, whatever `text` holds: `cut` and `awk` count on it.
std::string one_word(std::string_view text) {
  if (text.empty()) return "-";
  const std::string safe = sanitize(text);
  std::string out;
  out.reserve(safe.size());
  for (std::size_t at = 0; at < safe.size();) {
    const CodePoint point = first_code_point(std::string_view(safe).substr(at));
    if (is_space(point.value))
      out += '_';
    else
      out.append(safe, at, point.length);
    at += point.length;
  }
  return out;
}

std::string heading_of(const Column& column) {
  return one_word(column.title.empty() ? upper_case(column.key) : column.title);
}

struct PlainColumn {
  const Column* column = nullptr;
  std::size_t index = 0;
  std::vector<std::string> words;  ///< heading first, if there is one
  std::size_t width = 0;
};

PlainColumn column_of(const Table& table, std::size_t index, const Style& style) {
  PlainColumn plain{.column = &table.columns[index], .index = index, .words = {}, .width = 0};
  plain.words.reserve(table.rows.size() + 1);
  if (style.headers) plain.words.push_back(heading_of(*plain.column));
  for (const auto& row : table.rows)
    plain.words.push_back(one_word(bare_text(row[index].value, plain.column->title)));
  for (const std::string& word : plain.words)
    plain.width = std::max(plain.width, std::min(display_width(word), kWidestText));
  return plain;
}

}  // namespace

std::string render_plain(const Report& report, Format format, const Style& style) {
  const auto normal = static_cast<unsigned>(Audience::plain);
  const auto wide = static_cast<unsigned>(Audience::plain_wide);
  const unsigned shown = format == Format::wide ? normal | wide : normal;
  const Table& table = report.table;
  std::vector<PlainColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if ((table.columns[i].audience & shown) != 0) columns.push_back(column_of(table, i, style));
  std::string out;
  if (table.rows.empty() || columns.empty()) return out;
  for (std::size_t line = 0; line < columns.front().words.size(); ++line) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const PlainColumn& plain = columns[i];
      const std::string& word = plain.words[line];
      const std::size_t width = display_width(word);
      const std::size_t padding = plain.width > width ? plain.width - width : 0;
      const bool is_right = plain.column->align == Align::right;
      const bool is_last = i + 1 == columns.size();
      if (is_right) out.append(padding, ' ');
      out += word;
      if (!is_right && !is_last) out.append(padding, ' ');
      if (!is_last) out += "  ";
    }
    out += '\n';
  }
  return out;
}

}  // namespace gpu::report
