#include "decode/wire/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "base/base64.hpp"

namespace gpu::decode {
namespace {

using nlohmann::json;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

template <std::size_t Size>
bool is_one_of(std::string_view text, const std::array<std::string_view, Size>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::optional<bool> boolean(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kTrue = {
      "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
  static constexpr std::array<std::string_view, 11> kFalse = {
      "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
  if (is_one_of(text, kTrue)) return true;
  if (is_one_of(text, kFalse)) return false;
  return std::nullopt;
}

bool is_null(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
  return is_one_of(text, kNull);
}

bool is_infinite_or_nan(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords = {".nan",  ".NaN",  ".NAN",  ".inf",
                                                              ".Inf",  ".INF",  "+.inf", "+.Inf",
                                                              "+.INF", "-.inf", "-.Inf", "-.INF"};
  return is_one_of(text, kWords);
}

/// The base that Go's strconv takes for `digits` when asked for base 0, and removes its prefix.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char mark = digits[1];
  const int base = mark == 'x' || mark == 'X'   ? 16
                   : mark == 'o' || mark == 'O' ? 8
                   : mark == 'b' || mark == 'B' ? 2
                                                : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

std::optional<json> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  const bool has_sign = negative || text.starts_with('+');
  std::string_view digits = text.substr(has_sign ? 1 : 0);
  const int base = take_base(digits);
  std::uint64_t magnitude = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (digits.empty() || error != std::errc{} || stop != end) return std::nullopt;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude <= kMax) {
    const auto value = static_cast<std::int64_t>(magnitude);
    return json(negative ? -value : value);
  }
  if (negative && magnitude == kMax + 1) return json(std::numeric_limits<std::int64_t>::min());
  if (has_sign) return std::nullopt;
  return json(magnitude);
}

/// A float as Go writes it to JSON: a whole number has no fraction there.
json float_value(double value) {
  constexpr double kWhole = 9.0e18;
  if (std::trunc(value) == value && std::fabs(value) < kWhole)
    return static_cast<std::int64_t>(value);
  return value;
}

std::optional<json> floating(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
    return std::nullopt;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return float_value(value);
}

std::optional<json> number(std::string_view text) {
  if (text.starts_with('.')) return floating(text);
  if (text.find_first_of("0123456789+-") != 0) return std::nullopt;
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  if (std::optional<json> whole = integer(plain)) return whole;
  return floating(plain);
}

/// A scalar with an explicit tag of YAML's own, `kind` being what stands behind the prefix.
std::optional<json> tagged(std::string_view kind, std::string_view text) {
  if (kind == "binary") {
    Base64Result decoded = decode_base64(text);
    if (!decoded.ok()) return std::nullopt;
    return json(std::move(decoded.bytes));
  }
  if (kind == "null") return is_null(text) ? std::optional(json()) : std::nullopt;
  if (kind == "bool") {
    const std::optional<bool> value = boolean(text);
    return value ? std::optional(json(*value)) : std::nullopt;
  }
  if (kind == "float") return is_infinite_or_nan(text) ? std::nullopt : number(text);
  if (kind == "int") {
    std::optional<json> value = number(text);
    return value && value->is_number_integer() ? value : std::nullopt;
  }
  return json(std::string(text));
}

}  // namespace

std::optional<json> yaml_scalar(std::string_view tag, std::string_view text) {
  if (tag.starts_with(kTagPrefix)) return tagged(tag.substr(kTagPrefix.size()), text);
  if (tag != "?") return json(std::string(text));
  if (is_null(text)) return json();
  if (is_infinite_or_nan(text)) return std::nullopt;
  if (const std::optional<bool> value = boolean(text)) return json(*value);
  if (std::optional<json> value = number(text)) return value;
  return json(std::string(text));
}

std::optional<std::string> yaml_key(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_float()) {
    // sigs.k8s.io/yaml writes a float key with the digits of a 32-bit float.
    std::array<char, 64> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value.get<float>());
    return error == std::errc{} ? std::optional(std::string(buffer.data(), end)) : std::nullopt;
  }
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

}  // namespace gpu::decode
