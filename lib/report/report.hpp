#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/type.hpp"
#include "report/typed_cell.hpp"

namespace gpu::report {

/// Where a column is shown. Composite ones (marks, bars of memory) are for people; machines and
/// pipes get their parts.
enum class Audience : unsigned {
  people = 1,       ///< terminal
  people_wide = 2,  ///< terminal with -o wide
  plain = 4,        ///< not a terminal
  plain_wide = 8,   ///< not a terminal, -o wide
  machine = 16,     ///< json, yaml, csv
};
/// Several audiences as a mask, for Column::audience.
constexpr unsigned operator|(Audience a, Audience b) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}
constexpr unsigned operator|(unsigned a, Audience b) { return a | static_cast<unsigned>(b); }

/// On which side a column's texts are aligned; numbers are aligned at the right.
enum class Align { left, right };

/// A column's title, who sees it, and how it shrinks.
struct Column {
  std::string key;    ///< for machines: as in Field, as are type, says and presence
  std::string title;  ///< for people; upper case; in plain form with the unit: MEM_USED_GI
  unsigned audience = 0;
  Align align = Align::left;
  bool drops_first = false;  ///< not shown below 100 columns
  bool drops_next = false;   ///< not shown where that leaves too little room
  bool drops_last = false;   ///< not shown where names would have to be cut
  bool is_name = false;      ///< may lose its middle when space is short; dim when as above
  bool is_note = false;      ///< ends before its first comma when space is short, before names give
  bool is_sortable = false;  ///< its key is among what rows are usually sorted by
  bool is_prose = false;     ///< a sentence: loses its end when space is short, before names give
  std::optional<Type> type = {};  ///< nothing: machines do not see it
  std::string says = {};
  Presence presence = Presence::always;
};

/// Columns and the cells below them.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as columns
  /// Rows below a rule that sum up the others: for people alone.
  std::vector<std::vector<Cell>> totals = {};
};

/// `36   22 allocated   6 free   8 unavailable   50% busy` after a label.
struct SummaryItem {
  Cell amount;
  std::string word;
  bool emphasized = false;  ///< bold: the count people look for
};
/// One line of totals above the table.
struct SummaryLine {
  std::string label;
  Cell total;
  std::vector<SummaryItem> items;
};

/// Something true and worth acting on, with the command that acts.
struct Hint {
  std::string text;
  std::string command;
};

/// What could not be read (the Gap of the model, in the report's own terms).
struct Note {
  std::string what;
  std::string why;
  std::string help;
  std::optional<Hint> hint = {};  ///< says it as well, where hints are shown
};

/// One answer, for every renderer.
struct Report {
  std::string kind;  ///< `NodeUsageList`
  std::vector<SummaryLine> summary;
  Table table;
  std::string empty_text;   ///< printed on stderr if the table has no rows
  std::string name_prefix;  ///< `node/` for -o name
  std::size_t name_column = 0;
  Record machine_summary;  ///< `summary` of the JSON answer
  std::vector<Hint> hints;
  std::vector<Note> gaps;
};

}  // namespace gpu::report
