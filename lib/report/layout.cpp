#include "report/layout.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/paint.hpp"

namespace gpu::report {
namespace {

constexpr std::size_t kShortBar = 6;
constexpr std::size_t kGap = 2;

void widen(std::size_t& width, std::size_t to) { width = std::max(width, to); }

void measure_scalar(Field& field, const Cell& cell, const Style& style) {
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

void measure(Field& field, const Cell& cell, const Style& style) {
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

PowerUnit power_unit(const Table& table, std::size_t index) {
  for (const auto& row : table.rows) {
    const auto* power = std::get_if<Watts>(&row[index].value);
    if (power != nullptr && std::abs(power->value) >= 1000) return PowerUnit::kilowatts;
  }
  return PowerUnit::watts;
}

Field measured(const Table& table, std::size_t index, const Style& style) {
  Field field;
  field.index = index;
  field.column = &table.columns[index];
  field.title = display_width(field.column->title);
  field.power = power_unit(table, index);
  for (const auto& row : table.rows) measure(field, row[index], style);
  if (field.percent > 0) widen(field.percent, 3);
  return field;
}

bool is_shown(const Column& column, Format format) {
  const auto people = static_cast<unsigned>(Audience::people);
  const auto wide = static_cast<unsigned>(Audience::people_wide);
  return (column.audience & (format == Format::wide ? people | wide : people)) != 0;
}

// The widest gives first, so that short ones stay whole.
template <class MayShrink>
void shorten(std::vector<Field>& fields, std::size_t width, MayShrink may_shrink) {
  for (std::size_t total = total_width(fields); total > width; --total) {
    Field* widest = nullptr;
    for (Field& field : fields) {
      const std::size_t text = std::min(field.text, field.limit);
      const bool can_shrink =
          may_shrink(*field.column) && text > std::max(kShortestText, field.title);
      if (can_shrink && (widest == nullptr || text > std::min(widest->text, widest->limit)))
        widest = &field;
    }
    if (widest == nullptr) return;
    widest->limit = std::min(widest->text, widest->limit) - 1;
  }
}

// On a narrow terminal all that may go, so that a view always looks the same there; else from the
// right as many as it takes.
void drop_columns(std::vector<Field>& fields, std::size_t width) {
  const auto may_go = [](const Field& field) { return field.column->drops_first; };
  if (width < kRoomy) {
    std::erase_if(fields, may_go);
    return;
  }
  while (total_width(fields) > width) {
    const auto last = std::find_if(fields.rbegin(), fields.rend(), may_go);
    if (last == fields.rend()) return;
    fields.erase(std::next(last).base());
  }
}

void shorten_notes(std::vector<Field>& fields) {
  for (Field& field : fields) {
    if (!field.column->is_note) continue;
    field.has_short_notes = true;
    field.text = field.short_note;
  }
}

// The order is OUTPUT's: bars of memory are the first to get shorter, names the last. Whoever asks
// for -o wide keeps every column.
void shrink(std::vector<Field>& fields, Format format, std::size_t width) {
  const bool is_tight = width < kRoomy;
  const auto must = [&] { return is_tight || total_width(fields) > width; };
  const auto each = [&](auto change) { std::for_each(fields.begin(), fields.end(), change); };
  if (must()) each([](Field& field) { field.memory_bar = kShortBar; });
  if (!is_tight && total_width(fields) > width) shorten_notes(fields);
  if (must() && format != Format::wide) drop_columns(fields, width);
  if (must()) each([](Field& field) { field.bar = kShortBar; });
  if (must()) each([](Field& field) { field.memory_bar = 0; });
  if (total_width(fields) > width) shorten_notes(fields);
  shorten(fields, width, [](const Column& column) { return column.is_name; });
  // What stands at the right may be a number with its unit, and is never cut.
  shorten(fields, width, [](const Column& column) { return column.align == Align::left; });
}

}  // namespace

Align Field::align() const {
  const bool is_memory_alone = amount > 0 && percent == 0 && share == 0;
  return is_memory_alone && !has_memory_bar() ? Align::right : column->align;
}

std::size_t Field::width() const {
  std::size_t widest = std::max(title, std::min(text, limit));
  if (percent > 0) widen(widest, has_bars() ? bar + kGap + percent : percent);
  if (share > 0) widen(widest, has_bars() ? marks + kGap + share : share);
  if (amount > 0) widen(widest, has_memory_bar() ? memory_bar + 1 + used + total : amount);
  return widest;
}

std::vector<Field> fields_of(const Table& table, Format format, const Style& style) {
  std::vector<Field> fields;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (is_shown(table.columns[i], format)) fields.push_back(measured(table, i, style));
  if (style.width) shrink(fields, format, *style.width);
  return fields;
}

std::size_t total_width(const std::vector<Field>& fields) {
  std::size_t width = 0;
  for (const Field& field : fields) width += field.width() + (width > 0 ? kGap : 0);
  return width;
}

std::string_view first_part(std::string_view note) { return note.substr(0, note.find(", ")); }

std::string share_text(const Share& share, const Glyphs& glyphs) {
  return fmt::format("{}{}/{}{}", share.at_least ? glyphs.at_least : "", share.allocated,
                     share.total, share.unit);
}

}  // namespace gpu::report
