#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/dialects/sample_line.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// A line that could not be read.
struct BadLine {
  std::size_t number = 0;  ///< from 1
  std::string why;
  friend bool operator==(const BadLine&, const BadLine&) = default;
};

/// Reads Prometheus' text format 0.0.4 and OpenMetrics 1.0 while the bytes arrive. Tolerant: a bad
/// line is remembered and passed over, HELP, TYPE and UNIT are never bad; lines may end in CR LF;
/// the last may lack its end. Bounded: a line longer than 1 MiB is bad and not stored, at most 10
/// bad lines are described.
class TextReader {
 public:
  using Wanted = std::function<bool(std::string_view name)>;
  using OnSeries = std::function<void(Series&&)>;

  /// Labels are read only of lines whose name is `wanted`; without `wanted`, of all lines. It is
  /// called once for a name in several lines in a row.
  explicit TextReader(OnSeries on_series, Wanted wanted = {},
                      TextFormat format = TextFormat::unknown);

  void feed(std::string_view bytes);
  /// All bytes came; call once.
  void finish();

  /// Whether the bytes so far end within a line; finish() reads that as a whole line.
  [[nodiscard]] bool has_open_line() const { return skips_ || !rest_.empty(); }
  /// Sample lines that were well-formed, wanted or not.
  [[nodiscard]] std::size_t lines() const { return lines_; }
  [[nodiscard]] std::size_t bad_count() const { return bad_count_; }
  [[nodiscard]] const std::vector<BadLine>& bad_lines() const { return bad_lines_; }

 private:
  void keep(std::string_view part);
  void end_line();
  void read_line(std::string_view line);
  void read_comment(std::string_view comment);
  void read_sample(std::string_view line);
  bool is_wanted(std::string_view name);
  void add_bad(std::string_view why);

  OnSeries on_series_;
  Wanted wanted_;
  TextFormat format_;
  std::string rest_;       ///< of a line whose end has not come
  std::string last_name_;  ///< the last one that `wanted_` was called with
  bool last_wanted_ = false;
  std::size_t number_ = 0;
  std::size_t lines_ = 0;
  std::size_t bad_count_ = 0;
  bool skips_ = false;  ///< within a line that is too long
  bool ended_ = false;  ///< after OpenMetrics' `# EOF`
  std::vector<BadLine> bad_lines_;
};

}  // namespace gpu::telemetry
