#include "report/shrink.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <variant>

#include "report/paint.hpp"
#include "report/shorten.hpp"

namespace gpu::report {
namespace {

using Drawn = std::vector<DrawnColumn>;

constexpr std::size_t kReadable = 12;  ///< prose of less says nothing
constexpr std::size_t kFamiliar = 16;  ///< most names are known by as much

bool is_too_wide(const Drawn& fields, std::size_t width) { return total_width(fields) > width; }

bool is_any(const DrawnColumn& /*field*/) { return true; }
bool is_name(const DrawnColumn& field) { return field.column->is_name; }
bool is_no_name(const DrawnColumn& field) { return !field.column->is_name; }
bool is_told(const DrawnColumn& field) { return field.column->is_note || field.column->is_prose; }
bool is_fact(const DrawnColumn& field) { return !is_told(field); }

/// Which columns may get shorter, and down to what.
struct Shortening {
  bool (*may)(const DrawnColumn& field);
  std::size_t (*least)(const DrawnColumn& field);
};

std::size_t shortest(const DrawnColumn& field) {
  return std::max(field.tells_apart, kShortestText);
}

// The widest gives first, so that short ones stay whole.
void shorten(Drawn& fields, std::size_t width, const Shortening& how) {
  for (std::size_t total = total_width(fields); total > width; --total) {
    DrawnColumn* widest = nullptr;
    for (DrawnColumn& field : fields) {
      const std::size_t text = field.text_width();
      const bool can_shrink = how.may(field) && text > std::max(how.least(field), field.title);
      if (can_shrink && (widest == nullptr || text > widest->text_width())) widest = &field;
    }
    if (widest == nullptr) return;
    widest->limit = widest->text_width() - 1;
  }
}

// A long name may lose a quarter of itself for a column, if that is enough.
void shorten_for_columns(Drawn& fields, std::size_t width) {
  constexpr auto three_quarters = [](const DrawnColumn& field) {
    return std::max({std::size_t{20}, field.text / 4 * 3, field.tells_apart});
  };
  Drawn changed = fields;
  shorten(changed, width, {&is_name, three_quarters});
  if (!is_too_wide(changed, width)) fields = std::move(changed);
}

// From the right as many as it takes.
void drop_columns(Drawn& fields, std::size_t width, bool Column::*may_go,
                  bool (*which)(const DrawnColumn& field)) {
  while (is_too_wide(fields, width)) {
    const auto last = std::find_if(fields.rbegin(), fields.rend(), [&](const DrawnColumn& field) {
      return field.column->*may_go && which(field);
    });
    if (last == fields.rend()) return;
    fields.erase(std::next(last).base());
  }
}

void change_each(Drawn& fields, void (*change)(DrawnColumn&)) {
  std::for_each(fields.begin(), fields.end(), change);
}

// What was taken before columns went, and has room now.
void give_back(Drawn& fields, std::size_t width, void (*change)(DrawnColumn&)) {
  Drawn changed = fields;
  change_each(changed, change);
  if (!is_too_wide(changed, width)) fields = std::move(changed);
}

void shorten_notes(DrawnColumn& field) { field.has_short_notes = field.column->is_note; }
void show_whole_notes(DrawnColumn& field) { field.has_short_notes = false; }
void shorten_bar(DrawnColumn& field) { field.bar = kShortBar; }
void shorten_memory_bar(DrawnColumn& field) { field.memory_bar = kShortBar; }
void hide_bar(DrawnColumn& field) { field.bar = 0; }
void hide_memory_bar(DrawnColumn& field) { field.memory_bar = 0; }
void hide_marks(DrawnColumn& field) { field.draws_marks = false; }
void show_marks(DrawnColumn& field) { field.draws_marks = true; }
void lengthen_bar(DrawnColumn& field) { field.bar = kLongBar; }
void lengthen_memory_bar(DrawnColumn& field) { field.memory_bar = kLongBar; }

/// What a cell of names says when its column has `limit` columns.
std::string name_at(const Cell& cell, const DrawnColumn& field, std::size_t limit,
                    const Style& style) {
  if (const auto* branch = std::get_if<Branch>(&cell.value))
    return shortened(clean(branch->text, style), *field.column,
                     limit - std::min(limit, kBranchWidth), style);
  const auto* text = std::get_if<std::string>(&cell.value);
  return text == nullptr ? std::string()
                         : shortened(clean(*text, style), *field.column, limit, style);
}

/// Whether as many different names are seen at `limit` as there are.
bool tells_apart(const std::vector<const Cell*>& names, const DrawnColumn& field, std::size_t limit,
                 const Style& style) {
  std::unordered_set<std::string> seen;
  return std::all_of(names.begin(), names.end(), [&](const Cell* name) {
    return seen.insert(name_at(*name, field, limit, style)).second;
  });
}

std::vector<const Cell*> different_names(const Table& table, const DrawnColumn& field,
                                         const Style& style) {
  std::unordered_set<std::string> seen;
  std::vector<const Cell*> names;
  for (const auto& row : table.rows)
    if (seen.insert(name_at(row[field.index], field, kWidestText, style)).second)
      names.push_back(&row[field.index]);
  return names;
}

void find_what_tells_apart(Drawn& fields, const Table& table, const Style& style) {
  for (DrawnColumn& field : fields) {
    if (!field.column->is_name) continue;
    const std::vector<const Cell*> names = different_names(table, field, style);
    field.tells_apart = kShortestText;
    while (field.tells_apart < field.text && !tells_apart(names, field, field.tells_apart, style))
      ++field.tells_apart;
  }
}

// Bars get shorter, and columns go that are worth no bar.
void shrink_drawings(Drawn& fields, std::size_t width) {
  const bool is_tight = width < kRoomy;
  const auto change = [&](void (*how)(DrawnColumn&)) {
    if (is_tight || is_too_wide(fields, width)) change_each(fields, how);
  };
  // All that may go, so that a view always looks the same on a narrow terminal.
  if (is_tight)
    std::erase_if(fields, [](const DrawnColumn& field) {
      return field.column->drops_first && !field.column->is_name;
    });
  drop_columns(fields, width, &Column::drops_first,
               [](const DrawnColumn& field) { return !field.has_content; });
  change(&shorten_memory_bar);
  change(&shorten_bar);
  change(&hide_memory_bar);
}

void give_bars_back(Drawn& fields, std::size_t width) {
  give_back(fields, width, &show_marks);
  give_back(fields, width, &shorten_bar);
}

// Columns go, bars give way to numbers; what has room after that comes back.
void drop_what_may_go(Drawn& fields, std::size_t width) {
  const bool is_tight = width < kRoomy;
  const auto change = [&](void (*how)(DrawnColumn&)) {
    if (is_too_wide(fields, width)) change_each(fields, how);
  };
  change(&shorten_notes);
  if (!is_tight) shorten_for_columns(fields, width);
  drop_columns(fields, width, &Column::drops_first, &is_no_name);
  change(&hide_bar);
  change(&hide_marks);
  drop_columns(fields, width, &Column::drops_next, &is_fact);
  drop_columns(fields, width, &Column::drops_first, &is_any);
  give_back(fields, width, &show_whole_notes);
  give_bars_back(fields, width);
  if (is_tight) return;
  give_back(fields, width, &shorten_memory_bar);
  give_back(fields, width, &lengthen_bar);
  give_back(fields, width, &lengthen_memory_bar);
}

void shrink(std::vector<DrawnColumn>& fields, const Table& table, const Style& style) {
  const std::size_t width = style.width.value_or(kWidestText);
  shrink_drawings(fields, width);
  if (is_too_wide(fields, width)) find_what_tells_apart(fields, table, style);
  drop_what_may_go(fields, width);
  if (!is_too_wide(fields, width)) return;
  // Prose gives before names do, as long as these are longer than what most are known by.
  shorten(fields, width, {&is_told, [](const DrawnColumn& /*any*/) { return kReadable; }});
  shorten_for_columns(fields, width);
  drop_columns(fields, width, &Column::drops_last, &is_any);
  give_bars_back(fields, width);
  shorten(fields, width, {&is_name, [](const DrawnColumn& field) {
                            return std::max(kFamiliar, field.tells_apart);
                          }});
  drop_columns(fields, width, &Column::drops_next, &is_told);
  shorten(fields, width, {&is_told, &shortest});
  shorten(fields, width, {&is_name, &shortest});
  shorten(fields, width,
          {[](const DrawnColumn& field) { return field.column->align == Align::left; }, &shortest});
}

void shrink_wide(std::vector<DrawnColumn>& fields, const Table& table, const Style& style) {
  const std::size_t width = style.width.value_or(kWidestText);
  const auto change = [&](void (*how)(DrawnColumn&)) {
    if (is_too_wide(fields, width)) change_each(fields, how);
  };
  change(&shorten_memory_bar);
  change(&shorten_bar);
  change(&hide_memory_bar);
  if (!is_too_wide(fields, width)) return;
  find_what_tells_apart(fields, table, style);
  constexpr auto least = [](const DrawnColumn& field) {
    return std::max(std::size_t{12}, shortest(field));
  };
  constexpr auto is_added = [](const DrawnColumn& field) {
    return field.column->align == Align::left && is_only_wide(*field.column);
  };
  Drawn changed = fields;
  shorten(changed, width, {is_added, least});
  if (is_too_wide(changed, width)) change_each(changed, &shorten_notes);
  shorten(changed, width, {&is_name, least});
  // A line that is too long all the same is not worth a cut name.
  if (!is_too_wide(changed, width)) fields = std::move(changed);
}

}  // namespace

std::vector<DrawnColumn> fields_of(const Table& table, Format format, const Style& style) {
  std::vector<DrawnColumn> fields = measured_fields(table, format, style);
  if (format == Format::wide && !table.rows.empty())
    std::erase_if(fields, [](const DrawnColumn& field) {
      return is_only_wide(*field.column) && !field.has_content;
    });
  if (style.width && format == Format::wide) shrink_wide(fields, table, style);
  if (style.width && format != Format::wide) shrink(fields, table, style);
  return fields;
}

std::vector<DrawnColumn> block_fields_of(const Table& table, Format format, const Style& style) {
  std::vector<DrawnColumn> fields = measured_fields(table, format, style);
  std::erase_if(fields, [](const DrawnColumn& field) {
    return field.column->drops_first && !field.column->is_name;
  });
  for (DrawnColumn& field : fields) {
    field.bar = kShortBar;
    field.memory_bar = 0;
  }
  return fields;
}

}  // namespace gpu::report
