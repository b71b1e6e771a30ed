#include "cmd/watch/pipe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "cmd/shell/output_forms.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

using report::Report;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenAnswers{500};

/// The cells of one line of the plain form, in which no cell holds a space.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string_view::npos;
       at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The rows of a table as text, and whether one is as another does not depend on its age.
class Rows {
 public:
  Rows(const report::Report& report, report::Format format, const report::Style& style) {
    text_ = report::render(report, format, style);
    for (const std::string_view line : lines_of(text_)) lines_.push_back(words_of(line));
    const std::size_t first = style.headers && !lines_.empty() ? 1 : 0;
    heading_ = first;
    choose_columns(report, format);
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return lines_.empty(); }
  [[nodiscard]] std::size_t size() const { return lines_.size() - heading_; }
  [[nodiscard]] const std::vector<std::string>& words(std::size_t row) const {
    return lines_[row + heading_];
  }
  [[nodiscard]] const std::vector<report::Align>& aligns() const { return aligns_; }

  /// Equal for rows that differ in ages only.
  [[nodiscard]] std::string key(std::size_t row, const report::Report& report) const {
    std::string key;
    const std::vector<std::string>& cells = words(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool is_age = i < columns_.size() && std::holds_alternative<report::Seconds>(
                                                     report.table.rows[row][columns_[i]].value);
      key += (is_age ? "" : cells[i]) + "\n";
    }
    return key;
  }

  [[nodiscard]] std::vector<std::size_t> widths() const {
    std::vector<std::size_t> widths(columns_.size());
    for (const auto& line : lines_)
      for (std::size_t i = 0; i < line.size() && i < widths.size(); ++i)
        widths[i] = std::max(widths[i], display_width(line[i]));
    return widths;
  }

 private:
  void choose_columns(const report::Report& report, report::Format format) {
    unsigned shown = static_cast<unsigned>(report::Audience::plain);
    if (format == report::Format::wide) shown = shown | report::Audience::plain_wide;
    for (std::size_t i = 0; i < report.table.columns.size(); ++i) {
      if ((report.table.columns[i].audience & shown) == 0) continue;
      columns_.push_back(i);
      aligns_.push_back(report.table.columns[i].align);
    }
  }

  std::string text_;
  std::vector<std::vector<std::string>> lines_;
  std::size_t heading_ = 0;
  std::vector<std::size_t> columns_;  ///< of the report
  std::vector<report::Align> aligns_;
};

/// Prints a table once, then the rows that are new or other than before, aligned as at first.
class RowPrinter {
 public:
  RowPrinter(report::Format format, report::Style style) : format_(format), style_(style) {}

  void print(const report::Report& report, std::ostream& out) {
    const Rows rows(report, format_, style_);
    std::multiset<std::string> now;
    for (std::size_t i = 0; !rows.empty() && i < rows.size(); ++i) now.insert(rows.key(i, report));
    if (widths_.empty() && !rows.empty()) {
      widths_ = rows.widths();
      out << rows.text();
    } else {
      std::multiset<std::string> before = std::move(known_);
      for (std::size_t i = 0; !rows.empty() && i < rows.size(); ++i) {
        const auto same = before.find(rows.key(i, report));
        if (same == before.end())
          out << aligned(rows, i);
        else
          before.erase(same);
      }
    }
    known_ = std::move(now);
  }

 private:
  [[nodiscard]] std::string aligned(const Rows& rows, std::size_t row) const {
    const std::vector<std::string>& words = rows.words(row);
    std::string line;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t width = display_width(words[i]);
      const std::size_t wanted = i < widths_.size() ? widths_[i] : 0;
      const std::string padding(wanted > width ? wanted - width : 0, ' ');
      const bool is_last = i + 1 == words.size();
      const bool is_right = i < rows.aligns().size() && rows.aligns()[i] == report::Align::right;
      line += is_right ? padding + words[i] : words[i] + (is_last ? "" : padding);
      line += is_last ? "\n" : "  ";
    }
    return line;
  }

  report::Format format_;
  report::Style style_;
  std::vector<std::size_t> widths_;
  std::multiset<std::string> known_;
};

/// The document on one line: our JSON has line ends between its parts only, never in a text.
std::string one_line(std::string_view document) {
  std::string line;
  for (const std::string_view part : lines_of(document))
    line += part.substr(std::min(part.find_first_not_of(' '), part.size()));
  return line + "\n";
}

/// Prints a JSON document for each answer that is another one, ages aside.
class DocumentPrinter {
 public:
  void print(const report::Report& report, std::ostream& out) {
    report::Report ageless = report;
    for (auto& row : ageless.table.rows)
      for (report::Cell& cell : row)
        if (std::holds_alternative<report::Seconds>(cell.value)) cell = {};
    std::string key = report::render(ageless, report::Format::json, {});
    if (key == known_) return;
    known_ = std::move(key);
    out << one_line(report::render(report, report::Format::json, {}));
  }

 private:
  std::string known_;
};

template <class Printer>
void print_changes(Printer printer, kube::Watch& feed, const WatchedView& view,
                   const GlobalFlags& flags, Env& env) {
  const report::Style err = err_style(flags, env);
  GapTeller teller(flags, env);
  std::string empty_text;
  bool was_lost = false;
  bool has_news = true;
  milliseconds next{0};
  while (env.out.good()) {
    if (feed.take_changed() == Changed::yes) has_news = true;
    if (has_news && env.uptime() >= next) {
      const report::Report report = report_of(view, feed.snapshot(env.now()));
      printer.print(report, env.out);
      env.out.flush();
      if (report.empty_text != empty_text && !report.empty_text.empty())
        env.err << report::render_warning(report.empty_text, err);
      empty_text = report.empty_text;
      teller.tell(report.gaps);
      has_news = false;
      next = env.uptime() + kBetweenAnswers;
    }
    const std::optional<kube::Lost> lost = feed.lost();
    if (lost && !was_lost)
      env.err << report::render_warning("the connection was lost, trying again: " + lost->problem,
                                        err);
    was_lost = lost.has_value();
    feed.wait(has_news ? std::max(next - env.uptime(), milliseconds(1))
                       : milliseconds(std::chrono::hours(1)));
  }
}

}  // namespace

void watch_in_pipe(kube::Watch& feed, const WatchedView& view, const GlobalFlags& flags, Env& env) {
  const report::Format format = format_of(flags);
  if (format == report::Format::json)
    return print_changes(DocumentPrinter(), feed, view, flags, env);
  report::Style style = out_style(flags, env);
  style.width.reset();
  print_changes(RowPrinter(format, style), feed, view, flags, env);
}

}  // namespace gpu::cmd
