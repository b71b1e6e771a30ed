#include <limits>

#include "scheduler/cel/value.hpp"

namespace gpu::scheduler {
namespace {

/// What a comparison makes of an order.
std::optional<bool> holds(std::string_view sign, std::strong_ordering order) {
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  if (sign == ">") return order > 0;
  if (sign == ">=") return order >= 0;
  return std::nullopt;
}

/// Only values of one type, which has an order, can be compared. Versions and quantities have
/// functions for it.
CelValue compared(std::string_view sign, const CelValue& left, const CelValue& right) {
  const auto by = [&]<class Type>(const Type* mine) -> CelValue {
    const Type* theirs = right.as<Type>();
    if (theirs == nullptr) return no_such_overload();
    return *holds(sign, *mine <=> *theirs);
  };
  if (const auto* value = left.as<bool>()) return by(value);
  if (const auto* value = left.as<std::int64_t>()) return by(value);
  if (const auto* value = left.as<std::string>()) return by(value);
  return no_such_overload("_" + std::string(sign) + "_");
}

CelValue is_in(const CelDevice& device, const CelValue& item, const CelValue& container) {
  if (const CelList* list = container.as<CelList>()) {
    // A list of literals is a set to CEL, in which a version cannot be looked for.
    if (item.as<CelVersion>() != nullptr || item.as<Quantity>() != nullptr) return not_understood();
    for (const CelValue& each : **list)
      if (cel_equal(each, item).is_true()) return true;
    return false;
  }
  if (container.as<CelMap>() == nullptr) return no_such_overload();
  const std::string* key = item.as<std::string>();
  return key == nullptr ? not_understood() : cel_contains(device, container, *key);
}

CelValue divided(std::string_view sign, std::int64_t left, std::int64_t right) {
  if (right == 0) return cel_error(sign == "/" ? "division by zero" : "modulus by zero");
  if (right == -1 && left == std::numeric_limits<std::int64_t>::min())
    return cel_error("integer overflow");
  return sign == "/" ? left / right : left % right;
}

CelValue computed(std::string_view sign, std::int64_t left, std::int64_t right) {
  if (sign == "/" || sign == "%") return divided(sign, left, right);
  std::int64_t result = 0;
  bool overflows = false;
  if (sign == "+") overflows = __builtin_add_overflow(left, right, &result);
  if (sign == "-") overflows = __builtin_sub_overflow(left, right, &result);
  if (sign == "*") overflows = __builtin_mul_overflow(left, right, &result);
  return overflows ? cel_error("integer overflow") : CelValue(result);
}

}  // namespace

CelValue cel_binary(const CelDevice& device, std::string_view sign, const CelValue& left,
                    const CelValue& right) {
  constexpr std::size_t kLongestJoined = 64UL * 1024;
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  if (sign == "==") return cel_equal(left, right);
  if (sign == "!=") {
    const CelValue equal = cel_equal(left, right);
    const CelError* error = equal.as<CelError>();
    // To CEL, what cannot be compared is not equal.
    if (error != nullptr && error->kind == CelError::Kind::not_understood) return equal;
    return !equal.is_true();
  }
  if (sign == "in") return is_in(device, left, right);
  if (holds(sign, std::strong_ordering::equal)) return compared(sign, left, right);
  const auto* head = left.as<std::string>();
  if (head != nullptr) {
    const auto* tail = right.as<std::string>();
    if (tail == nullptr || sign != "+") return no_such_overload();
    return head->size() + tail->size() < kLongestJoined ? CelValue(*head + *tail)
                                                        : not_understood();
  }
  const auto* number = left.as<std::int64_t>();
  if (number == nullptr)
    return left.as<CelList>() == nullptr ? no_such_overload("_" + std::string(sign) + "_")
                                         : not_understood();
  const auto* other = right.as<std::int64_t>();
  return other == nullptr ? no_such_overload() : computed(sign, *number, *other);
}

}  // namespace gpu::scheduler
