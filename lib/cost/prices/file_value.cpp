#include "cost/prices/file_value.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cost {
namespace {

/// Text of a file as a message repeats it.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return shorten_end(sanitize(text.substr(0, 4 * kMost)), kMost, "...");
}

}  // namespace

std::string text_of(FileLine at) { return fmt::format("{}:{}", at.file, at.line); }

void refuse(FileLine at, std::string_view problem) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", text_of(at), sanitize(problem)));
}

std::optional<Money> sane_amount(std::string_view text, Money most) {
  const std::optional<Money> amount = parse_money(text);
  return amount && *amount >= Money{} && *amount <= most ? amount : std::nullopt;
}

std::optional<Time> date_of(std::string_view text) {
  const bool is_date =
      text.size() == 10 || (text.size() > 10 && (text[10] == 'T' || text[10] == ' '));
  if (!is_date) return std::nullopt;
  return parse_time(std::string(text.substr(0, 10)) + "T00:00:00Z");
}

Money amount_in(FileLine at, std::string_view key, std::string_view text, Money most) {
  if (text.starts_with('-')) refuse(at, fmt::format("{} is below 0", key));
  const std::optional<Money> amount = parse_money(text);
  if (!amount) refuse(at, fmt::format("{} is no amount in USD: `{}`", key, shown(text)));
  if (*amount > most)
    refuse(at, fmt::format("{} is over {}: `{}`", key, most.nano / 1'000'000'000, shown(text)));
  return *amount;
}

Time date_in(FileLine at, std::string_view text) {
  const std::optional<Time> midnight = date_of(text);
  if (!midnight) refuse(at, fmt::format("`{}` is no date such as 2026-11-01", shown(text)));
  return *midnight;
}

}  // namespace gpu::cost
