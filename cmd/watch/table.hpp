#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "cmd/watch/keys.hpp"
#include "cmd/watch/watched_view.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// What the lowest line says beside the view.
struct WatchStatus {
  std::string updated;     ///< "12:03:04"
  std::string connection;  ///< empty: all is well
};

/// What someone who watches sees of a view: which rows, in which order. Pure: it neither reads
/// keys nor writes.
class WatchTable {
 public:
  /// `views` is the line of help that says which keys choose a view; empty where there are none.
  WatchTable(const WatchedView& view, std::string views, report::Format format);

  /// The newest answer; while it is paused it waits.
  void set(report::Report report);
  [[nodiscard]] bool is_paused() const { return is_paused_; }
  /// Does what `key` asks for.
  void press(Key key);
  /// The whole screen: exactly `size.rows` lines.
  [[nodiscard]] std::vector<std::string> lines(const TerminalSize& size, report::Style style,
                                               const WatchStatus& status);

 private:
  void sort();
  void choose_sort(int step);
  [[nodiscard]] std::vector<std::size_t> sortable() const;
  [[nodiscard]] std::vector<std::string> notes(const TerminalSize& size,
                                               const report::Style& style) const;
  [[nodiscard]] bool is_sorted_by(const report::Column& column) const;
  [[nodiscard]] std::string footer(const TerminalSize& size, const report::Style& style,
                                   const WatchStatus& status) const;
  [[nodiscard]] std::string sort_title() const;
  [[nodiscard]] std::size_t summary_lines(const report::Style& style) const;
  [[nodiscard]] report::Report window(std::size_t rows, const report::Style& style) const;

  const WatchedView* view_;  ///< never null
  std::string views_;
  report::Format format_;
  report::Report report_;            ///< as the view gives it
  std::vector<std::size_t> order_;   ///< of its rows, as they are shown
  std::optional<std::string> sort_;  ///< title or key of the column; nothing: as the view has it
  bool is_reversed_ = false;
  bool is_paused_ = false;
  bool has_help_ = false;
  std::size_t first_ = 0;  ///< row at the top
  std::size_t page_ = 1;   ///< rows that fit
};

}  // namespace gpu::cmd
