#include "report/summary.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "report/marks.hpp"
#include "report/paint.hpp"
#include "report/values.hpp"

namespace gpu::report {
namespace {

constexpr std::size_t kGap = 3;

// `22` and `allocated`, ready to be aligned.
struct Count {
  std::string amount;
  std::string word;
  Paint paint = Paint::plain;
};

struct Totals {
  std::string label;
  std::string total;
  std::vector<Count> counts;
};

// The widest of each over all lines.
struct Widths {
  std::size_t label = 0;
  std::size_t total = 0;
  std::vector<std::size_t> amounts;
  std::vector<std::size_t> words;
};

std::string amount_text(const Cell& cell, const Style& style) {
  const Words words = words_of(cell.value, PowerUnit::kilowatts, glyphs_of(style).degree);
  return clean(words.text + words.unit, style);
}

Totals totals_of(const SummaryLine& line, const Style& style) {
  Totals totals{
      .label = clean(line.label, style), .total = amount_text(line.total, style), .counts = {}};
  for (const SummaryItem& item : line.items) {
    const Concern concern = item.amount.concern;
    const Paint ground = item.emphasized ? Paint::bold : Paint::plain;
    totals.counts.push_back({.amount = amount_text(item.amount, style),
                             .word = clean(item.word, style),
                             .paint = concern == Concern::none ? ground : paint_of(concern)});
  }
  return totals;
}

Widths widths_of(const std::vector<Totals>& lines) {
  Widths widths;
  for (const Totals& line : lines) {
    widths.label = std::max(widths.label, display_width(line.label));
    widths.total = std::max(widths.total, display_width(line.total));
    widths.amounts.resize(std::max(widths.amounts.size(), line.counts.size()));
    widths.words.resize(widths.amounts.size());
    for (std::size_t i = 0; i < line.counts.size(); ++i) {
      widths.amounts[i] = std::max(widths.amounts[i], display_width(line.counts[i].amount));
      widths.words[i] = std::max(widths.words[i], display_width(line.counts[i].word));
    }
  }
  return widths;
}

std::size_t whole_width(const Widths& widths) {
  std::size_t width = widths.label + 2 + widths.total;
  for (std::size_t i = 0; i < widths.words.size(); ++i)
    width += kGap + widths.amounts[i] + 1 + widths.words[i];
  return width;
}

void draw_total(Line& line, const Totals& totals, const Widths& widths) {
  line.put(totals.label, Paint::plain);
  line.skip(widths.label - display_width(totals.label) + 2);
  line.skip(widths.total - display_width(totals.total));
  line.put(totals.total, Paint::plain);
}

}  // namespace

void append_summary(std::string& out, const Report& report, const Style& style) {
  std::vector<Totals> lines;
  lines.reserve(report.summary.size());
  for (const SummaryLine& line : report.summary) lines.push_back(totals_of(line, style));
  const Widths widths = widths_of(lines);
  const bool has_room = !style.width || whole_width(widths) <= *style.width;
  for (const Totals& totals : lines) {
    Line line(out, style);
    draw_total(line, totals, widths);
    for (std::size_t i = 0; i < totals.counts.size(); ++i) {
      const Count& count = totals.counts[i];
      if (!has_room) line.end();
      line.skip(has_room ? kGap : 2);
      line.skip(widths.amounts[i] - display_width(count.amount));
      line.put(count.amount + ' ' + count.word, count.paint);
      line.skip(widths.words[i] - display_width(count.word));
    }
    line.end();
  }
}

}  // namespace gpu::report
