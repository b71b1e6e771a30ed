#include "telemetry/dialects/sample_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <system_error>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "telemetry/dialects/number.hpp"

namespace gpu::telemetry {
namespace {

/// The years 0 to 9999, in seconds since 1970: what a time of RFC 3339 can say.
constexpr std::int64_t kFirstSecond = -62'167'219'200;
constexpr std::int64_t kLastSecond = 253'402'300'799;
/// See SampleLine.
constexpr std::int64_t kLeastMilliseconds = 100'000'000'000;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

constexpr std::array<bool, 256> kNameCharacters = [] {
  std::array<bool, 256> characters{};
  for (unsigned c = 0; c < 128; ++c) {
    const char letter = static_cast<char>(c);
    characters.at(c) = is_letter(letter) || is_digit(letter) || letter == '_' || letter == ':';
  }
  return characters;
}();

constexpr bool is_name_character(char c) { return kNameCharacters[static_cast<unsigned char>(c)]; }

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.is_broken) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

/// The whole number that `text` is, with a sign or without, as Go's ParseInt reads it.
std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && is_digit(text[1])) text.remove_prefix(1);
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem != std::errc{} || end != last) return std::nullopt;
  return value;
}

std::optional<Time> time_of(std::int64_t seconds) {
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return Time(std::chrono::seconds(seconds));
}

std::optional<Time> time_of_milliseconds(std::int64_t milliseconds) {
  return time_of(
      std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(milliseconds)).count());
}

std::optional<Time> parse_sample_time(std::string_view text, TextFormat format) {
  const std::optional<std::int64_t> whole = parse_whole(text);
  if (whole) {
    const bool is_large = *whole >= kLeastMilliseconds || *whole <= -kLeastMilliseconds;
    const bool is_milliseconds =
        format == TextFormat::prometheus || (format == TextFormat::unknown && is_large);
    return is_milliseconds ? time_of_milliseconds(*whole) : time_of(*whole);
  }
  if (format == TextFormat::prometheus) return std::nullopt;
  const double seconds = std::floor(parse_float(text).value_or(NAN));
  // Compared as doubles: not every one fits into 64 bits.
  const bool is_near = seconds >= kFirstSecond && seconds <= kLastSecond;
  if (!is_near) return std::nullopt;
  return time_of(static_cast<std::int64_t>(seconds));
}

}  // namespace

std::string_view leading_name(std::string_view text) {
  if (text.empty() || is_digit(text[0])) return {};
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_name_character);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool SampleLine::fail(std::string_view why) {
  why_ = why;
  return false;
}

void SampleLine::skip_blanks() {
  std::size_t count = 0;
  while (count < rest_.size() && is_blank(rest_[count])) ++count;
  rest_.remove_prefix(count);
}

bool SampleLine::skip(char expected) {
  skip_blanks();
  if (!rest_.starts_with(expected)) return false;
  rest_.remove_prefix(1);
  return true;
}

std::string_view SampleLine::word() {
  skip_blanks();
  const std::string_view found = rest_.substr(0, rest_.find_first_of(" \t"));
  rest_.remove_prefix(found.size());
  return found;
}

/// What stands between quotes; the first of them is passed already.
bool SampleLine::read_quoted(std::string& text) {
  while (true) {
    const std::size_t end = rest_.find_first_of("\"\\");
    if (end == std::string_view::npos) return fail("a text in quotes has no end");
    text.append(rest_, 0, end);
    const bool is_end = rest_[end] == '"';
    rest_.remove_prefix(end + 1);
    if (is_end) break;
    if (rest_.empty()) return fail("a text in quotes has no end");
    const char escaped = rest_[0];
    // Prometheus leaves what it does not know as it is.
    if (escaped != '"' && escaped != '\\' && escaped != 'n') text += '\\';
    text += escaped == 'n' ? '\n' : escaped;
    rest_.remove_prefix(1);
  }
  return is_valid_utf8(text) || fail("a text in quotes is not UTF-8");
}

bool SampleLine::read_label(Labels& labels, std::string& name) {
  std::string key;
  const bool is_quoted = skip('"');
  if (is_quoted) {
    if (!read_quoted(key)) return false;
    skip_blanks();
    if (key.empty()) return fail("a name is empty");
    if (!rest_.starts_with('=')) {
      if (!name.empty()) return fail("it has two metric names");
      name = std::move(key);
      return true;
    }
  } else {
    key = leading_name(rest_);
    if (key.empty() || key.find(':') != std::string::npos) return fail("a label has no valid name");
    rest_.remove_prefix(key.size());
  }
  if (key == "__name__") return fail("the label __name__ is not allowed");
  if (!skip('=')) return fail("a label has no `=`");
  if (!skip('"')) return fail("the value of a label is not in quotes");
  labels.emplace_back(std::move(key), std::string{});
  return read_quoted(labels.back().second);
}

/// Until the closing brace; the opening one is passed already.
bool SampleLine::read_labels(Labels& labels, std::string& name) {
  while (!skip('}')) {
    if (!read_label(labels, name)) return false;
    if (skip(',')) continue;
    if (!rest_.starts_with('}')) return fail("after a label neither `,` nor `}` follows");
  }
  return true;
}

/// Sorted first, so that a line of a hundred thousand labels takes no more time than another.
bool SampleLine::keep(Labels&& labels, StringMap& kept) {
  std::sort(labels.begin(), labels.end());
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::adjacent_find(labels.begin(), labels.end(), same_name) != labels.end())
    return fail("it has a label twice");
  for (auto& [key, value] : labels)
    if (!value.empty()) kept.set(key, std::move(value));
  return true;
}

bool SampleLine::read_time(std::string_view text, Series& series) {
  series.at = parse_sample_time(text, format_);
  return series.at.has_value() || fail("its time is not a number");
}

bool SampleLine::read_exemplar() {
  if (format_ == TextFormat::prometheus) return fail("something follows its time");
  if (!skip('#') || !skip('{')) return fail("something follows its time");
  Labels labels;
  std::string no_name = "exemplar";
  if (!read_labels(labels, no_name)) return false;
  if (!parse_float(word())) return fail("the value of its exemplar is no number");
  const std::string_view time = word();
  if (!time.empty() && !parse_float(time)) return fail("the time of its exemplar is not a number");
  skip_blanks();
  return rest_.empty() || fail("something follows its exemplar");
}

/// The value, and what may follow it.
bool SampleLine::read_value_and_rest(Series& series) {
  const std::optional<double> value = parse_float(word());
  if (!value) return fail("its value is no number");
  series.value = *value;
  skip_blanks();
  if (!rest_.empty() && rest_[0] != '#' && !read_time(word(), series)) return false;
  skip_blanks();
  return rest_.empty() || read_exemplar();
}

std::optional<Series> SampleLine::read() {
  Series series;
  skip_blanks();
  series.name = leading_name(rest_);
  rest_.remove_prefix(series.name.size());
  Labels labels;
  if (skip('{') && !read_labels(labels, series.name)) return std::nullopt;
  if (series.name.empty()) {
    fail("it has no metric name");
    return std::nullopt;
  }
  if (!read_value_and_rest(series) || !keep(std::move(labels), series.labels)) return std::nullopt;
  return series;
}

bool SampleLine::pass_over() {
  skip_blanks();
  rest_.remove_prefix(leading_name(rest_).size());
  skip_blanks();
  if (rest_.starts_with('{')) {
    const std::size_t end = rest_.rfind('}');
    if (end == std::string_view::npos) return fail("its labels have no end");
    rest_.remove_prefix(end + 1);
  }
  Series passed;
  return read_value_and_rest(passed);
}

}  // namespace gpu::telemetry
