#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "decode/wire/json_nesting.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// The fields of an answer of Prometheus' HTTP API except its series.
struct PrometheusAnswer {
  bool is_prometheus = false;         ///< "status" is "success" or "error"
  std::string problem;                ///< its words for why there is no data, or why it is no JSON
  std::vector<std::string> warnings;  ///< Thanos: stores that did not answer
  bool is_partial = false;            ///< VictoriaMetrics says so, or Thanos' warnings do
  std::size_t series = 0;             ///< elements of its result
};

/// Reads the answer of a query while its bytes arrive, element by element, so that no buffer
/// contains the whole: at most 200 MB, 1 MiB for each element. Of a range the last value counts.
/// Skips native histograms and elements that are not series.
class AnswerReader {
 public:
  using OnSeries = std::function<void(Series&&)>;
  static constexpr std::size_t kMostBytes = 200'000'000;

  explicit AnswerReader(OnSeries on_series) : on_series_(std::move(on_series)) {}

  /// Drops what came before: an answer begins, possibly again.
  void start();
  /// Throws Error{data} if the answer is too large; finish() reports other mistakes.
  void feed(std::string_view bytes);
  PrometheusAnswer finish();

 private:
  const char* take_frame(const char* at);
  const char* take_element(const char* at, const char* end);
  const char* take_string(const char* at, const char* end);
  void open(char bracket);
  void close();
  void keep(std::string_view text);
  [[nodiscard]] bool is_among_elements() const;
  void read_element(std::string_view text);

  OnSeries on_series_;
  std::string frame_;    ///< the answer without its elements
  std::string element_;  ///< the start of one that came in parts
  std::string text_;     ///< of the string that is being read
  std::string outer_key_;
  std::string inner_key_;
  std::string opened_;  ///< brackets that are open
  decode::JsonNesting nesting_;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_element_ = false;
  bool after_element_ = false;
  bool is_broken_ = false;
  std::size_t bytes_ = 0;
  std::size_t series_ = 0;
};

/// Reads an element of a result as a series with its last value. False if it is not one.
bool read_series(const nlohmann::json& element, Series& series);

}  // namespace gpu::telemetry
