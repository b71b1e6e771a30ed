#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// Which format a text is in: what its times count.
enum class TextFormat {
  unknown,      ///< see SampleLine
  prometheus,   ///< 0.0.4: whole milliseconds; no exemplars, and `# EOF` is a comment
  openmetrics,  ///< 1.0: seconds; `# EOF` ends it
};

/// The bare metric name at the beginning of `text`; empty if there is none.
std::string_view leading_name(std::string_view text);

/// Reads one line with a sample: `name{label="value"} 1.5 1613993498553 # {trace_id="a"} 0.5 1`.
/// Blanks and tabs may occur wherever Prometheus or its libraries allow them. A name in quotes
/// within the braces may contain any character, as since Prometheus 3.
///
/// If the format is not known, times with a point or an exponent are seconds, and so are whole ones
/// below 1e11, the year 5138; others are milliseconds, from the year 1973 on.
class SampleLine {
 public:
  /// `line` must live as long as this.
  SampleLine(std::string_view line, TextFormat format) : rest_(line), format_(format) {}

  /// All of the line. Nothing when it is not well-formed.
  std::optional<Series> read();
  /// Whether the line is well-formed after its name. Labels are skipped, and not checked.
  bool pass_over();
  /// Why a line is not well-formed.
  [[nodiscard]] std::string_view why() const { return why_; }

 private:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  bool fail(std::string_view why);
  void skip_blanks();
  bool skip(char expected);
  std::string_view word();
  bool read_labels(Labels& labels, std::string& name);
  bool read_label(Labels& labels, std::string& name);
  bool read_quoted(std::string& text);
  bool read_value_and_rest(Series& series);
  bool read_time(std::string_view text, Series& series);
  bool read_exemplar();
  bool keep(Labels&& labels, StringMap& kept);

  std::string_view rest_;
  TextFormat format_;
  std::string_view why_;
};

}  // namespace gpu::telemetry
