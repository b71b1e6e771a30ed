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
constexpr std::size_t kLongBar = 10;
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

bool is_too_wide(const std::vector<DrawnColumn>& fields, std::size_t width) {
  return total_width(fields) > width;
}

/// Which columns may get shorter, and down to what.
struct Shortening {
  bool (*may)(const Column& column);
  std::size_t (*least)(const DrawnColumn& field) = [](const DrawnColumn& /*any*/) {
    return kShortestText;
  };
};

// The widest gives first, so that short ones stay whole.
void shorten(std::vector<DrawnColumn>& fields, std::size_t width, const Shortening& how) {
  for (std::size_t total = total_width(fields); total > width; --total) {
    DrawnColumn* widest = nullptr;
    for (DrawnColumn& field : fields) {
      const std::size_t text = field.text_width();
      const bool can_shrink =
          how.may(*field.column) && text > std::max(how.least(field), field.title);
      if (can_shrink && (widest == nullptr || text > widest->text_width())) widest = &field;
    }
    if (widest == nullptr) return;
    widest->limit = widest->text_width() - 1;
  }
}

bool is_name(const Column& column) { return column.is_name; }
bool is_told(const Column& column) { return column.is_note || column.is_prose; }

constexpr std::size_t kReadable = 20;
constexpr std::size_t kTellsApart = 16;

// A long name may lose a quarter of itself for a column, if that is enough.
void shorten_for_columns(std::vector<DrawnColumn>& fields, std::size_t width) {
  std::vector<DrawnColumn> changed = fields;
  shorten(changed, width, {is_name, [](const DrawnColumn& field) {
                             return std::max(kReadable, field.text / 4 * 3);
                           }});
  if (!is_too_wide(changed, width)) fields = std::move(changed);
}

// From the right as many as it takes.
void drop_columns(std::vector<DrawnColumn>& fields, std::size_t width, bool Column::*may_go,
                  bool (*which)(const DrawnColumn& field)) {
  while (is_too_wide(fields, width)) {
    const auto last = std::find_if(fields.rbegin(), fields.rend(), [&](const DrawnColumn& field) {
      return field.column->*may_go && which(field);
    });
    if (last == fields.rend()) return;
    fields.erase(std::next(last).base());
  }
}

void shorten_notes(std::vector<DrawnColumn>& fields) {
  for (DrawnColumn& field : fields) field.has_short_notes = field.column->is_note;
}

// What was taken before columns went, and has room now.
void give_back(std::vector<DrawnColumn>& fields, std::size_t width, void (*change)(DrawnColumn&)) {
  std::vector<DrawnColumn> changed = fields;
  std::for_each(changed.begin(), changed.end(), change);
  if (!is_too_wide(changed, width)) fields = std::move(changed);
}

// The order is OUTPUT's: bars are the first to get shorter, names the last.
void shrink(std::vector<DrawnColumn>& fields, std::size_t width) {
  const bool is_tight = width < kRoomy;
  const auto shrink_each = [&](void (*change)(DrawnColumn&)) {
    if (is_tight || is_too_wide(fields, width)) std::for_each(fields.begin(), fields.end(), change);
  };
  // All that may go, so that a view always looks the same on a narrow terminal.
  if (is_tight)
    std::erase_if(fields, [](const DrawnColumn& field) { return field.column->drops_first; });
  constexpr auto whatever = [](const DrawnColumn& /*any*/) { return true; };
  // A column of unknowns is worth no bar.
  drop_columns(fields, width, &Column::drops_first,
               [](const DrawnColumn& field) { return !field.has_content; });
  shrink_each([](DrawnColumn& field) { field.memory_bar = kShortBar; });
  shrink_each([](DrawnColumn& field) { field.bar = kShortBar; });
  shrink_each([](DrawnColumn& field) { field.memory_bar = 0; });
  if (is_too_wide(fields, width)) shorten_notes(fields);
  if (!is_tight) shorten_for_columns(fields, width);
  drop_columns(fields, width, &Column::drops_first, whatever);
  drop_columns(fields, width, &Column::drops_next, whatever);
  give_back(fields, width, [](DrawnColumn& field) { field.has_short_notes = false; });
  if (!is_tight) {
    give_back(fields, width, [](DrawnColumn& field) { field.memory_bar = kShortBar; });
    give_back(fields, width, [](DrawnColumn& field) { field.bar = kLongBar; });
    give_back(fields, width, [](DrawnColumn& field) { field.memory_bar = kLongBar; });
  }
  // Prose gives before names do, as long as these are longer than what tells them apart.
  shorten(fields, width, {is_told, [](const DrawnColumn& /*any*/) { return kReadable; }});
  shorten(fields, width, {is_name, [](const DrawnColumn& /*any*/) { return kTellsApart; }});
  shorten(fields, width, {is_told});
  shorten(fields, width, {is_name});
  // What stands at the right may be a number with its unit, and is never cut.
  shorten(fields, width, {[](const Column& column) { return column.align == Align::left; }});
}

bool is_only_wide(const Column& column) {
  return (column.audience & static_cast<unsigned>(Audience::people)) == 0;
}

// Whoever asks for -o wide wants what it adds, as far as there is something; names that nobody can
// tell apart are worse than long lines.
void shrink_wide(std::vector<DrawnColumn>& fields, std::size_t width) {
  constexpr auto least_wide = [](const DrawnColumn& /*any*/) { return std::size_t{12}; };
  const auto shrink_each = [&](void (*change)(DrawnColumn&)) {
    if (is_too_wide(fields, width)) std::for_each(fields.begin(), fields.end(), change);
  };
  shrink_each([](DrawnColumn& field) { field.memory_bar = kShortBar; });
  shrink_each([](DrawnColumn& field) { field.bar = kShortBar; });
  shrink_each([](DrawnColumn& field) { field.memory_bar = 0; });
  shorten(fields, width,
          {[](const Column& column) { return is_only_wide(column) && column.align == Align::left; },
           least_wide});
  if (is_too_wide(fields, width)) shorten_notes(fields);
  shorten(fields, width, {is_name, least_wide});
}

}  // namespace

Align DrawnColumn::align() const {
  const bool is_memory_alone = amount > 0 && percent == 0 && share == 0;
  return is_memory_alone && !has_memory_bar() ? Align::right : column->align;
}

std::size_t DrawnColumn::text_width() const {
  return std::min(has_short_notes ? short_note : text, limit);
}

std::size_t DrawnColumn::width() const {
  std::size_t widest = std::max(title, text_width());
  if (percent > 0) widen(widest, has_bars() ? bar + kGap + percent : percent);
  if (share > 0) widen(widest, has_bars() ? marks + kGap + share : share);
  if (amount > 0) widen(widest, has_memory_bar() ? memory_bar + 1 + used + total : amount);
  return widest;
}

std::vector<DrawnColumn> fields_of(const Table& table, Format format, const Style& style) {
  std::vector<DrawnColumn> fields;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (is_shown(table.columns[i], format)) fields.push_back(measured(table, i, style));
  if (format == Format::wide && !table.rows.empty())
    std::erase_if(fields, [](const DrawnColumn& field) {
      return is_only_wide(*field.column) && !field.has_content;
    });
  if (style.width) {
    if (format == Format::wide)
      shrink_wide(fields, *style.width);
    else
      shrink(fields, *style.width);
  }
  return fields;
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
