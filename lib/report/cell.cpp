#include "report/cell.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/shorten.hpp"

namespace gpu::report {
namespace {

struct Place {
  const DrawnColumn& field;
  std::size_t width;
  Paint paint;
  const Style& style;

  [[nodiscard]] std::size_t room_before(std::size_t drawn) const {
    return width > drawn ? width - drawn : 0;
  }
  [[nodiscard]] std::size_t indent(std::size_t drawn) const {
    return field.align() == Align::right ? room_before(drawn) : 0;
  }
};

void draw_words(Line& line, const Words& words, const Place& place) {
  line.skip(place.indent(display_width(words.text) + display_width(words.unit)));
  line.put(words.text, place.paint);
  line.put(words.unit, Paint::dim);
}

void draw_text(Line& line, const std::string& text, const Place& place) {
  std::string shown = clean(place.field.has_short_notes ? first_part(text) : text, place.style);
  if (shown.size() > place.field.limit)
    shown = shortened(shown, *place.field.column, place.field.limit, place.style);
  draw_words(line, {.text = std::move(shown), .unit = ""}, place);
}

/// What stands in a list comes from the cluster as any text does.
template <class Parts>
void draw_joined(Line& line, const Parts& parts, const Place& place) {
  const std::string_view degree = glyphs_of(place.style).degree;
  draw_text(line, words_of(parts, place.field.power, degree).text, place);
}

void draw_branch(Line& line, const Branch& branch, const Place& place) {
  const Glyphs& glyphs = glyphs_of(place.style);
  line.put(branch.is_last ? glyphs.last_branch : glyphs.branch, Paint::dim);
  const std::size_t limit = place.field.limit - std::min(place.field.limit, kBranchWidth);
  line.put(shortened(clean(branch.text, place.style), *place.field.column, limit, place.style),
           place.paint);
}

void draw_bar(Line& line, double ratio, std::size_t width, const Place& place) {
  const Bar bar = bar_of(ratio, width, glyphs_of(place.style));
  line.put(bar.filled, place.paint);
  line.put(bar.empty, Paint::dim);
}

void draw_ratio(Line& line, Ratio ratio, const Place& place) {
  const Words words = words_of(ratio, place.field.power, "");
  if (!place.field.has_bar() || !std::isfinite(ratio.value)) return draw_words(line, words, place);
  draw_bar(line, ratio.value, place.field.bar, place);
  line.skip(2 + place.field.percent - words.text.size());
  line.put(words.text, place.paint);
}

void draw_share(Line& line, const Share& share, const Place& place) {
  const Glyphs& glyphs = glyphs_of(place.style);
  const std::string number = share_text(share, glyphs);
  if (!place.field.has_marks()) return draw_words(line, {.text = number, .unit = ""}, place);
  const MarkCounts marks = mark_counts(share);
  line.put(repeated(glyphs.allocated, marks.allocated), Paint::plain);
  line.put(repeated(glyphs.free, marks.free), Paint::dim);
  line.put(repeated(glyphs.unavailable, marks.unavailable), paint_of(share.unavailable_concern));
  line.skip(place.room_before(marks.all() + display_width(number)));
  line.put(number, place.paint);
}

void draw_memory(Line& line, const BytesOf& memory, const Place& place) {
  const DrawnColumn& field = place.field;
  const std::string used = std::to_string(whole_gi(memory.used));
  const std::string total = fmt::format("/{}", whole_gi(memory.total));
  if (!field.has_memory_bar()) return draw_words(line, {.text = used + total, .unit = "Gi"}, place);
  draw_bar(line, ratio_of(memory), field.memory_bar, place);
  line.skip(1 + field.used - used.size());
  line.put(used + total, place.paint);
  line.put("Gi", Paint::dim);
}

}  // namespace

void draw_cell(Line& line, const DrawnColumn& field, const Cell& cell, std::size_t width,
               Paint ground, const Style& style) {
  const Paint paint = cell.concern == Concern::none ? ground : paint_of(cell.concern);
  const Place place{.field = field, .width = width, .paint = paint, .style = style};
  std::visit(Overloaded{[&](const std::string& text) { draw_text(line, text, place); },
                        [&](const Branch& branch) { draw_branch(line, branch, place); },
                        [&](Ratio ratio) { draw_ratio(line, ratio, place); },
                        [&](const Share& share) { draw_share(line, share, place); },
                        [&](const BytesOf& memory) { draw_memory(line, memory, place); },
                        [&](const Record& record) { draw_joined(line, record, place); },
                        [&](const List& list) { draw_joined(line, list, place); },
                        [&](const auto& other) {
                          draw_words(line, words_of(other, field.power, glyphs_of(style).degree),
                                     place);
                        }},
             cell.value);
}

}  // namespace gpu::report
