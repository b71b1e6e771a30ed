#include "report/values.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"

namespace gpu::report {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;
constexpr std::int64_t kGi = std::int64_t{1} << 30;

std::int64_t rounded(double value) {
  constexpr double kLargest = 9e18;
  if (!(std::abs(value) < kLargest)) return 0;
  return std::llround(value);
}

std::string percent_text(Ratio ratio) {
  return std::isfinite(ratio.value) ? fmt::format("{}%", rounded(ratio.value * 100)) : "-";
}

// Cents, half a cent away from zero.
std::int64_t cents_of(Usd amount) {
  constexpr std::int64_t kCent = kNano / 100;
  const std::int64_t half = amount.nano < 0 ? -kCent / 2 : kCent / 2;
  return static_cast<std::int64_t>((Int128{amount.nano} + half) / kCent);
}

std::string money_text(std::string dollars, std::int64_t cents) {
  if (cents < 0 && dollars == "0") dollars = "-0";
  return fmt::format("{}.{:02}", dollars, std::abs(cents % 100));
}

Words bytes_words(Bytes bytes) {
  struct Unit {
    std::int64_t size;
    std::string_view name;
  };
  static constexpr std::array<Unit, 4> kUnits = {{{.size = kGi << 10, .name = "Ti"},
                                                  {.size = kGi, .name = "Gi"},
                                                  {.size = kGi >> 10, .name = "Mi"},
                                                  {.size = kGi >> 20, .name = "Ki"}}};
  const double magnitude = std::abs(static_cast<double>(bytes.value));
  for (const Unit& unit : kUnits) {
    const double amount = static_cast<double>(bytes.value) / static_cast<double>(unit.size);
    // Two digits at least: 10Ti, but 9,876Gi rather than 9.6Ti.
    if (magnitude >= static_cast<double>(unit.size) * 10)
      return {.text = grouped(rounded(amount)), .unit = std::string(unit.name)};
    if (magnitude >= static_cast<double>(unit.size) && unit.size <= kGi)
      return {.text = bytes.value % unit.size == 0 ? grouped(rounded(amount))
                                                   : fmt::format("{:.1f}", amount),
              .unit = std::string(unit.name)};
  }
  return {.text = grouped(bytes.value), .unit = "B"};
}

Words power_words(Watts power, PowerUnit unit) {
  if (!std::isfinite(power.value)) return {.text = "-", .unit = ""};
  switch (unit) {
    case PowerUnit::watts:
      return {.text = grouped(rounded(power.value)), .unit = "W"};
    case PowerUnit::kilowatts:
      return {.text = fmt::format("{:.1f}", power.value / 1000), .unit = "kW"};
  }
  return {};
}

/// Always watts: what a card draws is compared with its limit.
Words power_words(const WattsOf& power) {
  if (!power.limit || !std::isfinite(*power.limit))
    return power_words(Watts{power.used}, PowerUnit::watts);
  if (!std::isfinite(power.used)) return {.text = "-", .unit = ""};
  return {.text = fmt::format("{}/{}", rounded(power.used), rounded(*power.limit)), .unit = "W"};
}

// Views keep records and lists for machines; a shape that people can read all the same.
std::string joined(const List& list, std::string_view degree);
std::string joined(const Record& record, std::string_view degree) {
  std::string out;
  for (const auto& [key, cell] : record) {
    const Words words = words_of(cell.value, PowerUnit::watts, degree);
    out += fmt::format("{}{}={}{}", out.empty() ? "" : ",", key, words.text, words.unit);
  }
  return out;
}
std::string joined(const List& list, std::string_view degree) {
  std::string out;
  for (const Cell& cell : list) {
    const Words words = words_of(cell.value, PowerUnit::watts, degree);
    out += fmt::format("{}{}{}", out.empty() ? "" : ",", words.text, words.unit);
  }
  return out;
}

}  // namespace

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t start = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > start + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::int64_t whole_gi(std::int64_t bytes) {
  const Int128 half = bytes < 0 ? -kGi / 2 : kGi / 2;
  return static_cast<std::int64_t>((Int128{bytes} + half) / kGi);
}

double ratio_of(const BytesOf& memory) {
  if (memory.total <= 0) return 0;
  return static_cast<double>(memory.used) / static_cast<double>(memory.total);
}

Words words_of(const Cell::Value& value, PowerUnit power, std::string_view degree) {
  return std::visit(
      Overloaded{
          [](std::monostate) { return Words{.text = "-", .unit = ""}; },
          [](const std::string& text) { return Words{.text = text, .unit = ""}; },
          [](std::int64_t number) { return Words{.text = grouped(number), .unit = ""}; },
          [](bool flag) { return Words{.text = flag ? "yes" : "no", .unit = ""}; },
          [](Ratio ratio) { return Words{.text = percent_text(ratio), .unit = ""}; },
          [](Bytes bytes) { return bytes_words(bytes); },
          [&](Watts watts) { return power_words(watts, power); },
          [](const WattsOf& watts) { return power_words(watts); },
          [&](Celsius temperature) {
            if (!std::isfinite(temperature.value)) return Words{.text = "-", .unit = ""};
            return Words{.text = std::to_string(rounded(temperature.value)),
                         .unit = fmt::format("{}C", degree)};
          },
          [](Seconds age) { return Words{.text = human_duration(age.value), .unit = ""}; },
          [](Usd amount) {
            const std::int64_t cents = cents_of(amount);
            return Words{.text = money_text(grouped(cents / 100), cents), .unit = ""};
          },
          [](const Share& share) {
            return Words{.text = fmt::format("{}/{}", share.allocated, share.total),
                         .unit = share.unit};
          },
          [](const BytesOf& memory) {
            return Words{
                .text = fmt::format("{}/{}", whole_gi(memory.used), whole_gi(memory.total)),
                .unit = "Gi"};
          },
          [](const Branch& branch) { return Words{.text = branch.text, .unit = ""}; },
          [&](const Record& record) { return Words{.text = joined(record, degree), .unit = ""}; },
          [&](const List& list) { return Words{.text = joined(list, degree), .unit = ""}; }},
      value);
}

std::string bare_text(const Cell::Value& value, std::string_view title) {
  const auto whole = [](double number) {
    return std::isfinite(number) ? std::to_string(rounded(number)) : "-";
  };
  return std::visit(
      Overloaded{[](std::monostate) -> std::string { return "-"; },
                 [](const std::string& text) { return text; },
                 [](std::int64_t number) { return std::to_string(number); },
                 [](bool flag) -> std::string { return flag ? "yes" : "no"; },
                 [&](Ratio ratio) { return whole(ratio.value * 100); },
                 [&](Bytes bytes) {
                   return std::to_string(title.ends_with("_GI") ? whole_gi(bytes.value)
                                                                : bytes.value);
                 },
                 [&](Watts power) { return whole(power.value); },
                 [&](Celsius temperature) { return whole(temperature.value); },
                 [](Seconds age) { return std::to_string(age.value.count()); },
                 [](Usd amount) {
                   const std::int64_t cents = cents_of(amount);
                   return money_text(std::to_string(cents / 100), cents);
                 },
                 [&](const auto& other) { return words_of(other, PowerUnit::watts, "").text; }},
      value);
}

std::optional<std::string> machine_scalar(const Cell::Value& value) {
  using Text = std::optional<std::string>;
  const auto composite = []() -> Text {
    throw Error(ErrorKind::internal, "a mark or a bar in a column for machines");
  };
  return std::visit(
      Overloaded{[](std::monostate) -> Text { return "null"; },
                 [](const std::string&) -> Text { return std::nullopt; },
                 [](std::int64_t number) -> Text { return std::to_string(number); },
                 [](bool flag) -> Text { return flag ? "true" : "false"; },
                 [](Ratio ratio) -> Text { return number_text(ratio.value); },
                 [](Bytes bytes) -> Text { return std::to_string(bytes.value); },
                 [](Watts power) -> Text { return number_text(power.value); },
                 [&](const WattsOf&) { return composite(); },
                 [](Celsius temperature) -> Text { return number_text(temperature.value); },
                 [](Seconds age) -> Text { return std::to_string(age.value.count()); },
                 [](Usd amount) -> Text { return usd_text(amount); },
                 [&](const Share&) { return composite(); },
                 [&](const BytesOf&) { return composite(); },
                 [&](const Branch&) { return composite(); },
                 [](const Record&) -> Text { return std::nullopt; },
                 [](const List&) -> Text { return std::nullopt; }},
      value);
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end);
  // YAML 1.1 takes 1e-05 for text.
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos)
    text.insert(exponent, ".0");
  return text;
}

std::string usd_text(Usd amount) {
  const std::int64_t whole = amount.nano / kNano;
  const std::int64_t fraction = amount.nano % kNano;
  if (fraction == 0) return std::to_string(whole);
  std::string digits = fmt::format("{:09}", fraction < 0 ? -fraction : fraction);
  digits.erase(digits.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}", amount.nano < 0 && whole == 0 ? "-" : "", whole, digits);
}

}  // namespace gpu::report
