#include <algorithm>

#include "base/text.hpp"
#include "report/cell.hpp"
#include "report/layout.hpp"
#include "report/paint.hpp"
#include "report/renderers.hpp"
#include "report/shorten.hpp"
#include "report/shrink.hpp"
#include "report/summary.hpp"

namespace gpu::report {
namespace {

using Row = std::vector<Cell>;

void append_headings(std::string& out, const std::vector<DrawnColumn>& fields, const Style& style) {
  Line line(out, style);
  std::size_t start = 0;
  for (const DrawnColumn& field : fields) {
    const std::size_t width = field.width();
    line.go_to(start + (field.align() == Align::right ? width - field.title : 0));
    line.put(field.column->title, Paint::bold);
    start += width + 2;
  }
  line.end();
}

// Every row repeats its node and namespace, so that grep and copy work; dim, so that the eye finds
// the change.
Paint ground_of(const DrawnColumn& field, const Row& row, const Row* above) {
  if (!field.column->is_name || above == nullptr) return Paint::plain;
  const auto* name = std::get_if<std::string>(&row[field.index].value);
  const auto* name_above = std::get_if<std::string>(&(*above)[field.index].value);
  const bool is_repeat = name != nullptr && name_above != nullptr && *name == *name_above;
  return is_repeat ? Paint::dim : Paint::plain;
}

void append_rule(std::string& out, const std::vector<DrawnColumn>& fields, const Style& style) {
  Line line(out, style);
  line.put(repeated(glyphs_of(style).bar_empty, total_width(fields)), Paint::dim);
  line.end();
}

/// The last `totals` rows of the table stand below a rule.
void append_table(std::string& out, const Table& table, std::size_t totals,
                  const std::vector<DrawnColumn>& fields, const Style& style) {
  if (style.headers) append_headings(out, fields, style);
  std::vector<std::size_t> widths;
  widths.reserve(fields.size());
  for (const DrawnColumn& field : fields) widths.push_back(field.width());
  const std::size_t first_total = table.rows.size() - totals;
  const Row* above = nullptr;
  for (std::size_t at = 0; at < table.rows.size(); ++at) {
    const Row& row = table.rows[at];
    const bool is_total = at >= first_total;
    if (is_total && at == first_total) append_rule(out, fields, style);
    Line line(out, style);
    std::size_t start = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const DrawnColumn& field = fields[i];
      const Paint ground = is_total ? Paint::bold : ground_of(field, row, above);
      line.go_to(start);
      draw_cell(line, field, row[field.index], widths[i], ground, style);
      start += widths[i] + 2;
    }
    line.end();
    above = &row;
  }
}

/// The table with its totals among the rows.
Table with_totals(const Table& table) {
  Table all = table;
  all.rows.insert(all.rows.end(), table.totals.begin(), table.totals.end());
  return all;
}

/// Empty of marks, which stand in a column without a title.
std::string label_of(const Column& column) {
  const std::string& label = column.title.empty() ? column.key : column.title;
  return label.empty() ? label : label + ':';
}

bool is_blank(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return text != nullptr && text->empty();
}

// In a block nothing is aligned to the right, and texts have the room that labels leave.
void append_blocks(std::string& out, const Table& table, Format format, const Style& style) {
  std::vector<DrawnColumn> fields = block_fields_of(table, format, style);
  std::size_t indent = 0;
  for (const DrawnColumn& field : fields)
    indent = std::max(indent, display_width(label_of(*field.column)) + 1);
  const std::size_t width = style.width.value_or(kNarrowest);
  for (DrawnColumn& field : fields) {
    if (field.column->align == Align::left)
      field.limit = std::max(kShortestText, width > indent ? width - indent : 0);
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i > 0) out += '\n';
    for (const DrawnColumn& field : fields) {
      const Cell& cell = table.rows[i][field.index];
      if (is_blank(cell)) continue;
      Line line(out, style);
      line.put(label_of(*field.column), Paint::bold);
      line.skip(indent - display_width(label_of(*field.column)));
      const bool has_marks = field.share > 0 && field.has_marks();
      draw_cell(line, field, cell, has_marks ? field.marks + 2 + field.share : 0, Paint::plain,
                style);
      line.end();
    }
  }
}

// A table that does not fit even when shrunk would wrap in the middle of a number. Whoever asks for
// -o wide wants the table.
bool needs_blocks(const std::vector<DrawnColumn>& fields, Format format, std::size_t width) {
  return width < kNarrowest || (format != Format::wide && total_width(fields) > width);
}

}  // namespace

std::string render_text(const Report& report, Format format, const Style& style) {
  std::string out;
  append_summary(out, report, style);
  if (report.table.rows.empty()) return out;
  if (!out.empty()) out += '\n';
  const bool has_totals = !report.table.totals.empty();
  const Table with = has_totals ? with_totals(report.table) : Table{};
  const Table& shown = has_totals ? with : report.table;
  const std::vector<DrawnColumn> fields = fields_of(shown, format, style);
  if (style.width && needs_blocks(fields, format, *style.width))
    append_blocks(out, shown, format, style);
  else
    append_table(out, shown, report.table.totals.size(), fields, style);
  return out;
}

}  // namespace gpu::report
