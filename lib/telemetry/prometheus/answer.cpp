#include "telemetry/prometheus/answer.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"

namespace gpu::telemetry {
namespace {

using nlohmann::json;

constexpr std::size_t kMostElementBytes = 1U << 20U;
constexpr std::size_t kMostFrameBytes = 4U << 20U;
constexpr std::size_t kMostDepth = 100;
constexpr std::size_t kMostKeyBytes = 64;
constexpr std::size_t kMostWarnings = 10;
constexpr std::size_t kLongestQuote = 300;

/// Values are texts: "NaN", "+Inf", "1e+09".
std::optional<double> number_in(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text == "Inf") return std::numeric_limits<double>::infinity();
  if (text == "-Inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The value of `[time, "value"]`.
std::optional<double> value_of_pair(const json& pair) {
  if (!pair.is_array() || pair.size() != 2 || !pair[1].is_string()) return std::nullopt;
  return number_in(pair[1].get_ref<const std::string&>());
}

std::string member_text(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>().substr(0, kLongestQuote);
}

/// Prometheus 2.x put remarks about the query itself among the warnings.
bool tells_of_missing_data(std::string_view warning) { return !warning.starts_with("PromQL "); }

void read_warnings(const json& frame, PrometheusAnswer& answer) {
  const auto found = frame.find("warnings");
  if (found == frame.end() || found->is_null()) return;
  if (!found->is_array()) answer.is_partial = true;
  if (!found->is_array()) return;
  for (const json& warning : *found) {
    if (warning.is_string() && !tells_of_missing_data(warning.get_ref<const std::string&>()))
      continue;
    answer.is_partial = true;
    if (answer.warnings.size() < kMostWarnings && warning.is_string())
      answer.warnings.push_back(warning.get<std::string>().substr(0, kLongestQuote));
  }
}

PrometheusAnswer answer_in(const json& frame) {
  PrometheusAnswer answer;
  const std::string status = member_text(frame, "status");
  // A Status of the Kubernetes API has that member, too, and says "Failure" there.
  answer.is_prometheus = status == "success" || status == "error";
  if (status == "error") {
    const std::string type = member_text(frame, "errorType");
    answer.problem = type + (type.empty() ? "" : ": ") + member_text(frame, "error");
    if (answer.problem.empty()) answer.problem = "an error without words";
  }
  const auto partial = frame.find("isPartial");
  answer.is_partial = partial != frame.end() && !partial->is_null() && *partial != false;
  read_warnings(frame, answer);
  return answer;
}

}  // namespace

bool read_series(const json& element, Series& series) {
  if (!element.is_object()) return false;
  std::optional<double> value;
  if (const auto found = element.find("value"); found != element.end()) {
    value = value_of_pair(*found);
  } else if (const auto values = element.find("values");
             values != element.end() && values->is_array() && !values->empty()) {
    value = value_of_pair(values->back());
  }
  if (!value) return false;
  series.value = *value;
  const auto metric = element.find("metric");
  if (metric == element.end() || !metric->is_object()) return true;
  for (const auto& [label, text] : metric->items()) {
    if (!text.is_string()) continue;
    const std::string& content = text.get_ref<const std::string&>();
    if (label == "__name__")
      series.name = content;
    else if (!content.empty())
      series.labels.set(label, content);
  }
  return true;
}

void AnswerReader::start() { *this = AnswerReader(std::move(on_series_)); }

void AnswerReader::feed(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > kMostBytes)
    throw Error(ErrorKind::data, "an answer of Prometheus is larger than 200 MB");
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end && !is_broken_) {
    if (in_element_)
      at = take_element(at, end);
    else if (in_string_)
      at = take_string(at, end);
    else
      at = take_frame(at);
  }
}

/// In the array `result` of the object `data`, of the outermost object.
bool AnswerReader::is_among_elements() const {
  return opened_ == "{{[" && outer_key_ == "data" && inner_key_ == "result";
}

const char* AnswerReader::take_frame(const char* at) {
  const char c = *at;
  if (is_among_elements() && c == '{') {
    nesting_.begin(static_cast<unsigned>(opened_.size()));
    in_element_ = true;
    return at;
  }
  // The comma behind an element goes with it; others stay, so that the frame is whole JSON.
  const bool is_dropped = after_element_ && (c == ',' || c == ' ' || c == '\n' || c == '\r');
  after_element_ = after_element_ && is_dropped && c != ',';
  if (is_dropped) return at + 1;
  keep({at, 1});
  if (c == '"') {
    in_string_ = true;
    text_.clear();
  } else if (c == '{' || c == '[') {
    open(c);
  } else if (c == '}' || c == ']') {
    close();
  }
  return at + 1;
}

void AnswerReader::open(char bracket) {
  opened_ += bracket;
  if (opened_.size() > kMostDepth) is_broken_ = true;
}

void AnswerReader::close() {
  if (opened_.empty()) {
    is_broken_ = true;
    return;
  }
  opened_.pop_back();
}

void AnswerReader::keep(std::string_view text) {
  if (frame_.size() + text.size() > kMostFrameBytes) {
    is_broken_ = true;
    return;
  }
  frame_ += text;
}

/// Keys and texts alike: what was read last before a value opens is its key.
const char* AnswerReader::take_string(const char* at, const char* end) {
  const char* const begin = at;
  const bool is_closed = decode::scan_string(at, end, escaped_);
  const std::string_view part(begin, static_cast<std::size_t>(at - begin));
  keep(part);
  if (text_.size() <= kMostKeyBytes) text_ += part.substr(0, kMostKeyBytes + 1);
  if (!is_closed) {
    if (at != end) is_broken_ = true;  // a control character
    return at;
  }
  in_string_ = false;
  text_.pop_back();
  if (opened_ == "{") outer_key_ = text_;
  if (opened_ == "{{") inner_key_ = text_;
  return at;
}

const char* AnswerReader::take_element(const char* at, const char* end) {
  const char* const begin = at;
  const decode::JsonNesting::Stop stop = nesting_.scan(at, end);
  const std::string_view part(begin, static_cast<std::size_t>(at - begin));
  const bool is_closed = stop == decode::JsonNesting::Stop::closed;
  const bool is_open = stop == decode::JsonNesting::Stop::out_of_bytes;
  if ((!is_closed && !is_open) || element_.size() + part.size() > kMostElementBytes) {
    is_broken_ = true;
    return at;
  }
  if (is_open || !element_.empty()) element_ += part;
  if (is_open) return at;
  read_element(element_.empty() ? part : std::string_view(element_));
  element_.clear();
  in_element_ = false;
  after_element_ = true;
  return at;
}

void AnswerReader::read_element(std::string_view text) {
  const json element = json::parse(text, nullptr, false);
  if (element.is_discarded()) {
    is_broken_ = true;
    return;
  }
  ++series_;
  Series series;
  if (read_series(element, series)) on_series_(std::move(series));
}

PrometheusAnswer AnswerReader::finish() {
  PrometheusAnswer answer;
  const json frame = is_broken_ ? json() : json::parse(frame_, nullptr, false);
  if (frame.is_object()) answer = answer_in(frame);
  if (!answer.is_prometheus && answer.problem.empty())
    answer.problem = frame.is_object() ? "JSON, and not Prometheus'" : "no JSON, or cut off";
  answer.series = series_;
  return answer;
}

}  // namespace gpu::telemetry
