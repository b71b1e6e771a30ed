#include "scheduler/cel/version.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/split.hpp"

namespace gpu::scheduler {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c); });
}

/// Without zeros at the front, and within 64 bits.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  if (!is_number(text) || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '-';
  });
}

/// The part of `text` behind `sign`, which is taken off; nothing where there is none.
std::optional<std::string_view> take_behind(std::string_view& text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

std::strong_ordering order(const std::string& a, const std::string& b) {
  const auto left = number_of(a);
  const auto right = number_of(b);
  if (left && right) return *left <=> *right;
  if (left.has_value() != right.has_value())
    return left ? std::strong_ordering::less : std::strong_ordering::greater;
  return a.compare(b) <=> 0;
}

std::string without_zeros(std::string_view text) {
  if (text.size() <= 1) return std::string(text);
  const std::size_t first = text.find_first_not_of('0');
  std::string rest(first == std::string_view::npos ? std::string_view{} : text.substr(first));
  if (rest.empty() || !is_digit(rest.front())) rest.insert(0, "0");
  return rest;
}

}  // namespace

std::optional<CelVersion> CelVersion::parse(std::string_view text) {
  CelVersion version;
  const std::optional<std::string_view> build = take_behind(text, '+');
  // A minus in the build part is no sign of what comes before the release.
  const std::optional<std::string_view> before = take_behind(text, '-');
  for (const std::string_view part : split(text, '.')) {
    const std::optional<std::uint64_t> number = number_of(part);
    if (!number) return std::nullopt;
    version.numbers_.push_back(*number);
  }
  if (version.numbers_.size() != 3) return std::nullopt;
  if (before)
    for (const std::string_view part : split(*before, '.')) {
      if (!is_identifier(part) || (is_number(part) && !number_of(part))) return std::nullopt;
      version.before_.emplace_back(part);
    }
  if (build)
    for (const std::string_view part : split(*build, '.'))
      if (!is_identifier(part)) return std::nullopt;
  return version;
}

std::optional<CelVersion> CelVersion::parse_tolerantly(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  while (parts.size() < 2 && text.find('.') != std::string_view::npos) {
    const std::size_t end = text.find('.');
    parts.push_back(without_zeros(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.push_back(without_zeros(text));
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos)
    return std::nullopt;
  parts.resize(3, "0");
  return parse(parts[0] + "." + parts[1] + "." + parts[2]);
}

std::strong_ordering operator<=>(const CelVersion& a, const CelVersion& b) {
  if (const auto by_number = a.numbers_ <=> b.numbers_; by_number != 0) return by_number;
  if (a.before_.empty() != b.before_.empty())
    return a.before_.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
  const std::size_t common = std::min(a.before_.size(), b.before_.size());
  for (std::size_t i = 0; i < common; ++i)
    if (const auto by_part = order(a.before_[i], b.before_[i]); by_part != 0) return by_part;
  return a.before_.size() <=> b.before_.size();
}

}  // namespace gpu::scheduler
