#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/series.hpp"

namespace gpu::metrics {

/// A line that could not be read.
struct BadLine {
  std::size_t number = 0;  ///< from 1
  std::string why;
};

/// Reads Prometheus' text format 0.0.4 and OpenMetrics 1.0 while the bytes arrive. Tolerant: a bad
/// line is remembered and passed over; lines may end in CR LF; the last may lack its end. Bounded:
/// a line longer than 1 MiB is bad and not stored, at most 10 bad lines are described.
class TextReader {
 public:
  using Wanted = std::function<bool(std::string_view name)>;
  using OnSeries = std::function<void(Series&&)>;

  /// Lines of names that are not `wanted` are passed over before their labels are read; without it
  /// all are read.
  explicit TextReader(OnSeries on_series, Wanted wanted = {});

  void feed(std::string_view bytes);
  /// All bytes came; call once.
  void finish();

  /// Sample lines that were well-formed, wanted or not.
  [[nodiscard]] std::size_t lines() const { return lines_; }
  [[nodiscard]] std::size_t bad_count() const { return bad_count_; }
  [[nodiscard]] const std::vector<BadLine>& bad_lines() const { return bad_lines_; }

 private:
  void read_line(std::string_view line);

  OnSeries on_series_;
  Wanted wanted_;
  std::string rest_;  ///< of a line whose end has not come
  std::size_t number_ = 0;
  std::size_t lines_ = 0;
  std::size_t bad_count_ = 0;
  bool skips_ = false;  ///< within a line that is too long
  bool ended_ = false;  ///< after OpenMetrics' `# EOF`
  std::vector<BadLine> bad_lines_;
};

}  // namespace gpu::metrics
