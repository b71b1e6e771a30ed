#include "base/time.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace gpu {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Time kFirst = std::chrono::sys_days{std::chrono::year{0} / 1 / 1};
constexpr Time kLast = std::chrono::sys_days{std::chrono::year{10000} / 1 / 1} - seconds{1};

/// Reads fixed-width fields off the front of a text; once something did not match, it stays failed.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  /// Exactly `width` digits, in [low, high].
  int number(std::size_t width, int low, int high) {
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const char c = i < rest_.size() ? rest_[i] : 'x';
      if (c < '0' || c > '9') return failed();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(width);
    return value < low || value > high ? failed() : value;
  }
  /// One of the characters of `choices`.
  char one_of(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == std::string_view::npos) {
      failed();
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  /// A point and at least one digit, or nothing.
  void skip_fraction() {
    if (!rest_.starts_with('.')) return;
    const std::size_t end = rest_.find_first_not_of("0123456789", 1);
    if (end == 1 || end == std::string_view::npos) {
      failed();
      return;
    }
    rest_.remove_prefix(end);
  }
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }

 private:
  int failed() {
    ok_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
  Fields fields(text);
  const int year = fields.number(4, 0, 9999);
  fields.one_of("-");
  const int month = fields.number(2, 1, 12);
  fields.one_of("-");
  const int day = fields.number(2, 1, 31);
  fields.one_of("Tt");
  const int hour = fields.number(2, 0, 23);
  fields.one_of(":");
  const int minute = fields.number(2, 0, 59);
  fields.one_of(":");
  const int second = fields.number(2, 0, 59);  // as Go: no leap seconds
  fields.skip_fraction();
  minutes offset{0};
  if (const char zone = fields.one_of("Zz+-"); zone == '+' || zone == '-') {
    offset = hours{fields.number(2, 0, 23)};
    fields.one_of(":");
    offset += minutes{fields.number(2, 0, 59)};
    if (zone == '-') offset = -offset;
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!fields.done() || !date.ok()) return std::nullopt;
  const Time time =
      Time{std::chrono::sys_days{date}} + hours{hour} + minutes{minute} + seconds{second} - offset;
  // An offset can lead out of the years that RFC 3339 can write.
  if (time < kFirst || time > kLast) return std::nullopt;
  return time;
}

std::string format_time(Time time) {
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::string human_duration(seconds duration) {
  // "12h5m", and "12h" when the small part is zero.
  const auto pair = [](std::int64_t large, char large_unit, std::int64_t small, char small_unit) {
    return small == 0 ? fmt::format("{}{}", large, large_unit)
                      : fmt::format("{}{}{}{}", large, large_unit, small, small_unit);
  };
  const std::int64_t s = duration.count();
  if (s < -1) return "<invalid>";  // a second of clock skew is nothing
  if (s < 0) return "0s";
  if (s < 120) return fmt::format("{}s", s);
  const std::int64_t m = s / 60;
  if (m < 10) return pair(m, 'm', s % 60, 's');
  if (m < 180) return fmt::format("{}m", m);
  const std::int64_t h = m / 60;
  if (h < 8) return pair(h, 'h', m % 60, 'm');
  if (h < 48) return fmt::format("{}h", h);
  const std::int64_t d = h / 24;
  if (d < 8) return pair(d, 'd', h % 24, 'h');
  if (d < 730) return fmt::format("{}d", d);
  if (d < 2920) return pair(d / 365, 'y', d % 365, 'd');
  return fmt::format("{}y", d / 365);
}

}  // namespace gpu
