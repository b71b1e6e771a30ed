#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "report/marks.hpp"
#include "report/report.hpp"
#include "report/style.hpp"
#include "report/values.hpp"

namespace gpu::report {

/// Below this many columns a table drops what is optional.
inline constexpr std::size_t kRoomy = 100;
/// Below this many columns a table becomes a block per row.
inline constexpr std::size_t kNarrowest = 60;
/// A wider text is shortened on terminals and breaks its row's alignment elsewhere: one hostile
/// name must not pad 20,000 rows.
inline constexpr std::size_t kWidestText = 256;

/// Columns of a bar, where there is room and where there is little.
inline constexpr std::size_t kLongBar = 10;
inline constexpr std::size_t kShortBar = 6;

/// What is printed before the text of a Branch.
inline constexpr std::size_t kBranchWidth = 3;

/// One column as it is drawn: how wide its parts are over all rows, and what was shrunk.
struct DrawnColumn {
  std::size_t index = 0;  ///< in the table
  const Column* column = nullptr;
  PowerUnit power = PowerUnit::watts;
  std::size_t bar = kLongBar;         ///< 0: none is drawn
  std::size_t memory_bar = kLongBar;  ///< 0: none is drawn
  bool draws_marks = true;
  std::size_t limit = kWidestText;  ///< of texts
  std::size_t tells_apart = 0;   ///< the least limit at which different names differ; 0: not sought
  bool has_content = false;      ///< something is known in some row
  bool has_short_notes = false;  ///< texts end before their first comma

  std::size_t title = 0;
  std::size_t text = 0;
  std::size_t short_note = 0;                   ///< a note before its first comma
  std::size_t percent = 0;                      ///< 0: no Ratio here
  std::size_t marks = 0, share = 0;             ///< Share: marks, `6/8`
  std::size_t used = 0, total = 0, amount = 0;  ///< BytesOf: `401`, `/640Gi`, both together

  /// What is drawn beside numbers. A column aligned to the right has numbers only.
  [[nodiscard]] bool has_bar() const { return may_draw() && bar > 0; }
  [[nodiscard]] bool has_memory_bar() const { return may_draw() && memory_bar > 0; }
  [[nodiscard]] bool has_marks() const { return may_draw() && draws_marks; }
  /// Where titles, texts and `-` are aligned: with their numbers, once the bars are gone.
  [[nodiscard]] Align align() const;
  [[nodiscard]] std::size_t width() const;
  /// The width of the widest text, after it was shortened.
  [[nodiscard]] std::size_t text_width() const;

 private:
  [[nodiscard]] bool may_draw() const { return column->align == Align::left; }
  [[nodiscard]] bool is_drawn() const;
};

/// The part of a note before its first comma.
std::string_view first_part(std::string_view note);

/// The columns that `format` shows to people, measured, with all that may be drawn.
std::vector<DrawnColumn> measured_fields(const Table& table, Format format, const Style& style);

/// Two spaces between columns.
std::size_t total_width(const std::vector<DrawnColumn>& fields);

/// Whether only `-o wide` shows it.
bool is_only_wide(const Column& column);

/// `6/8`, or `≥6/8` when more may be allocated than was seen.
std::string share_text(const Share& share, const Glyphs& glyphs);

}  // namespace gpu::report
