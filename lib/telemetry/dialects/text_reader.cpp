#include "telemetry/dialects/text_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gpu::telemetry {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kDescribedLines = 10;

}  // namespace

TextReader::TextReader(OnSeries on_series, Wanted wanted, TextFormat format)
    : on_series_(std::move(on_series)), wanted_(std::move(wanted)), format_(format) {}

void TextReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (end == std::string_view::npos) return keep(part);
    bytes.remove_prefix(end + 1);
    if (rest_.empty() && !skips_ && part.size() <= kLongestLine) {
      read_line(part);
    } else {
      keep(part);
      end_line();
    }
  }
}

void TextReader::finish() {
  if (!rest_.empty() || skips_) end_line();
  if (format_ == TextFormat::openmetrics && !ended_) {
    ++number_;
    add_bad("the text has no `# EOF` at its end: it is cut");
  }
}

void TextReader::keep(std::string_view part) {
  skips_ = skips_ || part.size() > kLongestLine - rest_.size();
  if (skips_) {
    rest_.clear();
  } else {
    rest_ += part;
  }
}

/// Ends the line of which parts were kept.
void TextReader::end_line() {
  if (std::exchange(skips_, false)) {
    ++number_;
    return add_bad("it is longer than 1 MiB");
  }
  const std::string line = std::exchange(rest_, {});
  read_line(line);
}

void TextReader::read_line(std::string_view line) {
  ++number_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.empty()) return;
  if (ended_) return add_bad("it stands after `# EOF`");
  return line[0] == '#' ? read_comment(line) : read_sample(line);
}

void TextReader::read_comment(std::string_view comment) {
  constexpr std::string_view kEnd = "# EOF";
  if (format_ == TextFormat::prometheus || !comment.starts_with(kEnd)) return;
  ended_ = comment.find_first_not_of(" \t", kEnd.size()) == std::string_view::npos;
}

void TextReader::read_sample(std::string_view line) {
  SampleLine sample(line, format_);
  const std::string_view name = leading_name(line);
  if (!name.empty() && !is_wanted(name)) {
    if (!sample.pass_over()) return add_bad(sample.why());
    ++lines_;
    return;
  }
  std::optional<Series> series = sample.read();
  if (!series) return add_bad(sample.why());
  ++lines_;
  // A name in quotes is known only now.
  if (is_wanted(series->name)) on_series_(*std::move(series));
}

bool TextReader::is_wanted(std::string_view name) {
  if (!wanted_) return true;
  if (name != last_name_) {
    last_name_ = name;
    last_wanted_ = wanted_(name);
  }
  return last_wanted_;
}

void TextReader::add_bad(std::string_view why) {
  ++bad_count_;
  if (bad_lines_.size() < kDescribedLines) bad_lines_.push_back({number_, std::string(why)});
}

}  // namespace gpu::telemetry
