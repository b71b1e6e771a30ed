#include "cmd/watch/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "report/sort.hpp"

namespace gpu::cmd {
namespace {

using report::Audience;
using report::Report;

/// Of notes below the rows, and of rows of the screen for one of them.
constexpr std::size_t kMostLinesBelow = 3;
constexpr std::size_t kRowsForNote = 8;

constexpr std::string_view kHelp =
    "s S  sort by the next, the previous column     r  reverse\n"
    "j k, arrows, PgUp PgDn, g G  scroll            space  pause\n"
    "q, Ctrl-C  quit                                ?  this help";

/// By what report::sort_rows() finds the column.
const std::string& name_of(const report::Column& column) {
  return column.key.empty() ? column.title : column.key;
}

/// "4 pods wait for 15 GPUs    kubectl gpu why-pending -A", the command where it has room.
std::string hint_line(const report::Hint& hint, std::size_t columns, const report::Style& style) {
  constexpr std::size_t kGap = 4;
  std::string text = sanitize(hint.text);
  const std::string command = sanitize(hint.command);
  const std::size_t width = display_width(text);
  if (!command.empty() && width + kGap + display_width(command) <= columns)
    return text + std::string(kGap, ' ') + command;
  return shorten_middle(text, columns, style.utf8 ? "…" : "...");
}

std::string footer_text(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : "  ") + part;
  return text;
}

}  // namespace

WatchTable::WatchTable(const WatchedView& view, std::string views, report::Format format)
    : view_(&view), views_(std::move(views)), format_(format) {
  if (!view.sorted_by.empty()) sort_ = view.sorted_by;
}

void WatchTable::set(report::Report report) {
  report_ = std::move(report);
  sort();
}

void WatchTable::sort() {
  const report::Table& table = report_.table;
  if (sort_ && *sort_ != view_->sorted_by && view_->sorting == Sorting::free) {
    order_ = report::sorted_order(table, *sort_);
  } else {
    order_.resize(table.rows.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  if (!is_reversed_ || view_->sorting == Sorting::fixed) return;
  std::reverse(order_.begin(), order_.end());
  // Unknown stays last, whichever way the known ones go.
  const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                               [&](const report::Column& one) { return sort_ == name_of(one); });
  if (at == table.columns.end()) return;
  const auto index = static_cast<std::size_t>(at - table.columns.begin());
  std::stable_partition(order_.begin(), order_.end(),
                        [&](std::size_t row) { return !table.rows[row][index].is_unknown(); });
}

/// The columns that are seen: their order is that of the keys.
std::vector<std::size_t> WatchTable::sortable() const {
  unsigned shown = static_cast<unsigned>(report::Audience::people);
  if (format_ == report::Format::wide) shown = shown | report::Audience::people_wide;
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < report_.table.columns.size(); ++i)
    if ((report_.table.columns[i].audience & shown) != 0) columns.push_back(i);
  return columns;
}

void WatchTable::choose_sort(int step) {
  const std::vector<std::size_t> columns = sortable();
  if (columns.empty() || view_->sorting == Sorting::fixed) return;
  const auto name = [&](std::size_t i) { return name_of(report_.table.columns[columns[i]]); };
  std::size_t at = 0;  // one before the first: the order that the view has
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (sort_ == name(i)) at = i + 1;
  const std::size_t places = columns.size() + 1;
  at = (at + places + static_cast<std::size_t>(static_cast<int>(places) + step)) % places;
  if (at == 0)
    sort_ = view_->sorted_by.empty() ? std::nullopt : std::optional(view_->sorted_by);
  else
    sort_ = name(at - 1);
}

void WatchTable::press(Key key) {
  const std::size_t rows = order_.size();
  switch (key) {
    case Key::pause:
      is_paused_ = !is_paused_;
      return;
    case Key::next_sort:
    case Key::previous_sort:
      choose_sort(key == Key::next_sort ? 1 : -1);
      first_ = 0;
      return sort();
    case Key::reverse:
      is_reversed_ = !is_reversed_;
      return sort();
    case Key::help:
      has_help_ = !has_help_;
      return;
    case Key::up:
      first_ -= std::min<std::size_t>(first_, 1);
      return;
    case Key::down:
      ++first_;
      return;
    case Key::page_up:
      first_ -= std::min(first_, page_);
      return;
    case Key::page_down:
      first_ += page_;
      return;
    case Key::home:
      first_ = 0;
      return;
    case Key::end:
      first_ = rows;
      return;
    default:
      return;  // of others than this view
  }
}

/// The report with the rows that are seen only: no others are measured and drawn.
report::Report WatchTable::window(std::size_t rows, const report::Style& style) const {
  report::Report shown{.kind = report_.kind};
  shown.table.columns = report_.table.columns;
  // The heading of the column that rows are sorted by has a mark.
  const std::string_view mark = is_reversed_ ? (style.utf8 ? "▲" : "^") : (style.utf8 ? "▼" : "v");
  for (report::Column& column : shown.table.columns)
    if (is_sorted_by(column) && !column.title.empty()) column.title += mark;
  const std::size_t end = std::min(order_.size(), first_ + rows);
  for (std::size_t i = first_; i < end; ++i)
    shown.table.rows.push_back(report_.table.rows[order_[i]]);
  return shown;
}

std::size_t WatchTable::summary_lines(const report::Style& style) const {
  report::Report totals{.kind = report_.kind, .summary = report_.summary};
  return lines_of(report::render(totals, format_, style)).size();
}

/// What is worth acting on, then what could not be seen, a line each.
std::vector<std::string> WatchTable::notes(const TerminalSize& size,
                                           const report::Style& style) const {
  const std::size_t most = std::clamp<std::size_t>(size.rows / kRowsForNote, 1, kMostLinesBelow);
  std::vector<std::string> notes;
  for (const report::Hint& hint : report_.hints)
    if (notes.size() < most) notes.push_back(hint_line(hint, size.columns, style));
  for (const report::Note& gap : report_.gaps) {
    if (notes.size() == most) break;
    const std::string text = report::render_gaps({gap}, style);
    const std::vector<std::string_view> lines = lines_of(text);
    if (!lines.empty()) notes.emplace_back(lines.front());
  }
  return notes;
}

bool WatchTable::is_sorted_by(const report::Column& column) const {
  return sort_ && (*sort_ == name_of(column) ||
                   report::folded_name(*sort_) == report::folded_name(column.title));
}

std::string WatchTable::sort_title() const {
  if (!sort_ && !is_reversed_) return {};
  std::string title = sort_.value_or("");
  for (const report::Column& column : report_.table.columns)
    if (is_sorted_by(column) && !column.title.empty()) title = column.title;
  if (is_reversed_) title += title.empty() ? "reversed" : " reversed";
  return title.starts_with("reversed") ? title : "by " + title;
}

std::string WatchTable::footer(const TerminalSize& size, const report::Style& style,
                               const WatchStatus& status) const {
  std::string rows;
  if (order_.size() > page_)
    rows = fmt::format("{}-{} of {}", first_ + 1, std::min(first_ + page_, order_.size()),
                       order_.size());
  std::string left =
      footer_text({view_->name, "updated " + status.updated, is_paused_ ? "paused" : "",
                   status.connection, sort_title(), rows});
  const std::string keys = "? help  q quit";
  left = shorten_middle(sanitize(left), size.columns, style.utf8 ? "…" : "...");
  const std::size_t used = display_width(left);
  if (used + 2 + keys.size() <= size.columns)
    left += std::string(size.columns - used - keys.size(), ' ') + keys;
  return style.color ? "\x1b[7m" + left : left;
}

std::vector<std::string> WatchTable::lines(const TerminalSize& size, report::Style style,
                                           const WatchStatus& status) {
  style.width = size.columns;
  std::vector<std::string> below = notes(size, style);
  if (has_help_) {
    for (const std::string_view line : lines_of(kHelp)) below.emplace_back(line);
    if (!views_.empty()) below.push_back(views_);
  }
  // At least the footer is seen, on however small a terminal.
  const std::size_t room = size.rows > below.size() + 1 ? size.rows - below.size() - 1 : 0;
  const std::size_t summary = summary_lines(style);
  // Rows come first: totals that take more than half of the screen stay away.
  const bool has_summary = summary > 0 && summary <= room / 2;
  const std::size_t head = (has_summary ? summary + 1 : 0) + (style.headers ? 1 : 0);
  page_ = room > head ? room - head : 1;
  first_ = std::min(first_, order_.size() > page_ ? order_.size() - page_ : 0);

  report::Report shown = window(page_, style);
  if (has_summary) shown.summary = report_.summary;
  const std::string text = report::render(shown, format_, style);
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(text)) lines.emplace_back(line);
  if (order_.empty() && !report_.empty_text.empty()) lines.push_back(sanitize(report_.empty_text));
  lines.resize(room);
  lines.insert(lines.end(), below.begin(), below.end());
  if (lines.size() >= size.rows) lines.resize(size.rows - 1);
  lines.push_back(footer(size, style, status));
  return lines;
}

}  // namespace gpu::cmd
