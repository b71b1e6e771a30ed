#include <algorithm>
#include <limits>

#include "base/ascii.hpp"
#include "scheduler/cel/pattern.hpp"
#include "scheduler/cel/value.hpp"

namespace gpu::scheduler {
namespace {

std::int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
}

CelValue size_of(const CelValue& value) {
  if (const auto* text = value.as<std::string>()) return code_points(*text);
  if (const auto* list = value.as<CelList>()) return static_cast<std::int64_t>((*list)->size());
  return value.as<CelMap>() != nullptr ? not_understood() : no_such_overload("size");
}

bool is_whole(Quantity amount) { return Quantity::of(amount.value()) == amount; }

CelValue sign_of(Quantity amount) {
  const auto order = amount <=> Quantity{};
  return std::int64_t{order < 0 ? -1 : order > 0 ? 1 : 0};
}

std::int64_t number_of(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

/// isLessThan, isGreaterThan, compareTo.
CelValue ordered(std::string_view name, std::strong_ordering order) {
  if (name == "isLessThan") return order < 0;
  if (name == "isGreaterThan") return order > 0;
  return number_of(order);
}

bool is_ordering(std::string_view name) {
  return name == "isLessThan" || name == "isGreaterThan" || name == "compareTo";
}

/// Functions that are there for several types name those that they were asked of.
CelValue no_such_ordering(std::string_view name, const CelValue& left, const CelValue& right) {
  std::string types(name);
  types.append("(").append(cel_type_name(left)).append(", ").append(cel_type_name(right));
  return no_such_overload(types + ")");
}

CelValue of_quantity(std::string_view name, Quantity amount, const CelValue& other) {
  const auto* quantity = other.as<Quantity>();
  if (is_ordering(name))
    return quantity == nullptr ? no_such_ordering(name, amount, other)
                               : ordered(name, amount <=> *quantity);
  if (name != "add" && name != "sub") return not_understood();
  const auto* number = other.as<std::int64_t>();
  if (quantity == nullptr && number == nullptr) return not_understood();
  const Quantity change = quantity != nullptr ? *quantity : Quantity::of(*number);
  return name == "add" ? amount + change : amount - change;
}

CelValue of_text(std::string_view name, const std::string& text, const CelValue& other) {
  const auto* part = other.as<std::string>();
  if (part == nullptr) return no_such_overload();
  if (name == "startsWith") return text.starts_with(*part);
  if (name == "endsWith") return text.ends_with(*part);
  if (name == "contains") return text.find(*part) != std::string::npos;
  if (name == "matches") {
    const std::shared_ptr<const CelPattern> pattern = CelPattern::compile(*part);
    return pattern == nullptr ? not_understood() : CelValue(pattern->is_in(text));
  }
  return not_understood();
}

CelValue property_of(std::string_view name, const CelValue& value) {
  if (name == "size") return size_of(value);
  if (const auto* amount = value.as<Quantity>()) {
    if (name == "sign") return sign_of(*amount);
    // apimachinery keeps some whole amounts ("1.5Gi") in a form of which it says that they are
    // none; which ones is not known here.
    constexpr std::int64_t kSure = std::int64_t{1} << 20;
    if (name == "isInteger" || name == "asInteger") {
      if (!is_whole(*amount) || std::abs(amount->value()) > kSure) return not_understood();
      return name == "isInteger" ? CelValue(true) : CelValue(amount->value());
    }
  }
  if (const auto* version = value.as<CelVersion>()) {
    std::optional<std::uint64_t> number;
    if (name == "major") number = version->major();
    if (name == "minor") number = version->minor();
    if (name == "patch") number = version->patch();
    if (number && *number <= std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      return static_cast<std::int64_t>(*number);
  }
  if (const auto* text = value.as<std::string>(); text != nullptr && is_ascii(*text)) {
    if (name == "lowerAscii") return lower_case(*text);
    if (name == "upperAscii") return upper_case(*text);
    if (name == "trim") return std::string(trimmed(*text));
  }
  return not_understood();
}

CelValue converted(std::string_view name, const CelValue& value) {
  if (name == "dyn") return value;
  const auto* number = value.as<std::int64_t>();
  const auto* text = value.as<std::string>();
  const auto* truth = value.as<bool>();
  if (name == "int" && number != nullptr) return value;
  if (name == "int" && text != nullptr) {
    const std::optional<std::int64_t> read = whole_number(*text);
    return read ? CelValue(*read) : not_understood();
  }
  if (name == "string" && text != nullptr) return value;
  if (name == "string" && number != nullptr) return std::to_string(*number);
  if (name == "string" && truth != nullptr) return std::string(*truth ? "true" : "false");
  if (name == "bool" && truth != nullptr) return value;
  return not_understood();
}

CelValue read_version(std::string_view name, const std::string& text, const CelValue* tolerant) {
  if (tolerant != nullptr && tolerant->as<bool>() == nullptr) return not_understood();
  std::optional<CelVersion> version = tolerant != nullptr && tolerant->is_true()
                                          ? CelVersion::parse_tolerantly(text)
                                          : CelVersion::parse(text);
  if (name == "isSemver") return version.has_value();
  return version ? CelValue(std::move(*version)) : not_understood();
}

}  // namespace

CelValue cel_function(std::string_view name, const std::vector<CelValue>& values) {
  if (values.empty()) return not_understood();
  const auto* text = values[0].as<std::string>();
  if (name == "semver" || name == "isSemver") {
    if (text == nullptr || values.size() > 2) return not_understood();
    return read_version(name, *text, values.size() == 2 ? &values[1] : nullptr);
  }
  if (values.size() != 1) return not_understood();
  if (name == "size" || name == "sign") return property_of(name, values[0]);
  if (name == "quantity" || name == "isQuantity") {
    if (text == nullptr) return not_understood();
    const std::optional<Quantity> amount = Quantity::parse(*text);
    if (name == "isQuantity") return amount.has_value();
    return amount ? CelValue(*amount) : not_understood();
  }
  return converted(name, values[0]);
}

CelValue cel_method(std::string_view name, const std::vector<CelValue>& values) {
  if (values.size() == 1) return property_of(name, values[0]);
  if (values.size() != 2) return not_understood();
  if (const auto* amount = values[0].as<Quantity>()) return of_quantity(name, *amount, values[1]);
  if (is_ordering(name)) {
    const auto* version = values[0].as<CelVersion>();
    const auto* other = values[1].as<CelVersion>();
    if (version == nullptr || other == nullptr) return no_such_ordering(name, values[0], values[1]);
    return ordered(name, *version <=> *other);
  }
  if (const auto* text = values[0].as<std::string>()) return of_text(name, *text, values[1]);
  if (name == "startsWith" || name == "endsWith" || name == "contains") return no_such_overload();
  return name == "matches" ? no_such_overload("matches") : not_understood();
}

}  // namespace gpu::scheduler
