#include "report/layout.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/paint.hpp"

namespace gpu::report {
namespace {

constexpr std::size_t kGap = 2;

void widen(std::size_t& width, std::size_t to) { width = std::max(width, to); }

void measure_scalar(DrawnColumn& field, const Cell& cell, const Style& style) {
  if (const auto* text = std::get_if<std::string>(&cell.value)) {
    widen(field.text, std::min(display_width(clean(*text, style)), kWidestText));
    if (field.column->is_note)
      widen(field.short_note,
            std::min(display_width(clean(first_part(*text), style)), kWidestText));
    return;
  }
  if (const auto* branch = std::get_if<Branch>(&cell.value)) {
    widen(field.text,
          std::min(kBranchWidth + display_width(clean(branch->text, style)), kWidestText));
    return;
  }
  const Words words = words_of(cell.value, field.power, glyphs_of(style).degree);
  const std::size_t width = display_width(clean(words.text, style)) + display_width(words.unit);
  widen(field.text, std::min(width, kWidestText));
}

void measure(DrawnColumn& field, const Cell& cell, const Style& style) {
  if (const auto* share = std::get_if<Share>(&cell.value)) {
    widen(field.share, display_width(share_text(*share, glyphs_of(style))));
    widen(field.marks, mark_counts(*share).all());
  } else if (std::holds_alternative<Ratio>(cell.value)) {
    widen(field.percent, words_of(cell.value, field.power, "").text.size());
  } else if (const auto* memory = std::get_if<BytesOf>(&cell.value)) {
    const std::size_t used = std::to_string(whole_gi(memory->used)).size();
    const std::size_t total = fmt::formatted_size("/{}Gi", whole_gi(memory->total));
    widen(field.used, used);
    widen(field.total, total);
    widen(field.amount, used + total);
  } else {
    measure_scalar(field, cell, style);
  }
}

bool is_blank(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return cell.is_unknown() || (text != nullptr && text->empty());
}

PowerUnit power_unit(const Table& table, std::size_t index) {
  for (const auto& row : table.rows) {
    const auto* power = std::get_if<Watts>(&row[index].value);
    if (power != nullptr && std::abs(power->value) >= 1000) return PowerUnit::kilowatts;
  }
  return PowerUnit::watts;
}

DrawnColumn measured(const Table& table, std::size_t index, const Style& style) {
  DrawnColumn field;
  field.index = index;
  field.column = &table.columns[index];
  field.title = display_width(field.column->title);
  field.power = power_unit(table, index);
  for (const auto& row : table.rows) {
    measure(field, row[index], style);
    field.has_content = field.has_content || !is_blank(row[index]);
  }
  if (field.percent > 0) widen(field.percent, 3);
  return field;
}

bool is_shown(const Column& column, Format format) {
  const auto people = static_cast<unsigned>(Audience::people);
  const auto wide = static_cast<unsigned>(Audience::people_wide);
  return (column.audience & (format == Format::wide ? people | wide : people)) != 0;
}

}  // namespace

bool DrawnColumn::is_drawn() const {
  return (amount > 0 && has_memory_bar()) || (percent > 0 && has_bar()) ||
         (share > 0 && has_marks());
}

Align DrawnColumn::align() const {
  const bool is_of_numbers = amount > 0 || percent > 0 || share > 0;
  return is_of_numbers && !is_drawn() ? Align::right : column->align;
}

std::size_t DrawnColumn::text_width() const {
  return std::min(has_short_notes ? short_note : text, limit);
}

std::size_t DrawnColumn::width() const {
  std::size_t widest = std::max(title, text_width());
  if (percent > 0) widen(widest, has_bar() ? bar + kGap + percent : percent);
  if (share > 0) widen(widest, has_marks() ? marks + kGap + share : share);
  if (amount > 0) widen(widest, has_memory_bar() ? memory_bar + 1 + used + total : amount);
  return widest;
}

std::vector<DrawnColumn> measured_fields(const Table& table, Format format, const Style& style) {
  std::vector<DrawnColumn> fields;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (is_shown(table.columns[i], format)) fields.push_back(measured(table, i, style));
  return fields;
}

bool is_only_wide(const Column& column) {
  return (column.audience & static_cast<unsigned>(Audience::people)) == 0;
}

std::size_t total_width(const std::vector<DrawnColumn>& fields) {
  std::size_t width = 0;
  for (const DrawnColumn& field : fields) width += field.width() + (width > 0 ? kGap : 0);
  return width;
}

std::string_view first_part(std::string_view note) { return note.substr(0, note.find(", ")); }

std::string share_text(const Share& share, const Glyphs& glyphs) {
  return fmt::format("{}{}/{}{}", share.at_least ? glyphs.at_least : "", share.allocated,
                     share.total, share.unit);
}

}  // namespace gpu::report
