#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/quantity.hpp"
#include "model/objects/device.hpp"
#include "scheduler/cel/version.hpp"

namespace gpu::scheduler {

/// The device that a selector is evaluated for.
struct CelDevice {
  std::string_view driver;
  const Device& device;
};

/// Evaluation came to an end without a value.
struct CelError {
  enum class Kind : std::uint8_t {
    runtime,         ///< CEL says so, in `text`
    not_understood,  ///< the expression is not supported here; `text` is never shown
  };
  Kind kind = Kind::not_understood;
  std::string text;
};

/// The variable `device` itself.
struct CelDeviceObject {};

/// device.attributes or device.capacity; with a domain, what it has of that domain.
struct CelMap {
  enum class Of : std::uint8_t { attributes, capacity } of = Of::attributes;
  std::optional<std::string> domain;
};

class CelValue;
using CelList = std::shared_ptr<const std::vector<CelValue>>;

/// A value of one of CEL's types, or an error.
class CelValue {
 public:
  using Any = std::variant<CelError, bool, std::int64_t, std::string, Quantity, CelVersion, CelList,
                           CelMap, CelDeviceObject>;

  CelValue() = default;
  template <class Type>
    requires(!std::is_same_v<std::remove_cvref_t<Type>, CelValue>)
  CelValue(Type value) : any_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  template <class Type>
  [[nodiscard]] const Type* as() const {
    return std::get_if<Type>(&any_);
  }
  [[nodiscard]] bool is_error() const { return as<CelError>() != nullptr; }
  [[nodiscard]] bool is_true() const { return as<bool>() != nullptr && *as<bool>(); }
  [[nodiscard]] bool is_false() const { return as<bool>() != nullptr && !*as<bool>(); }
  [[nodiscard]] const Any& any() const { return any_; }

 private:
  Any any_;
};

/// An error with CEL's own text.
CelValue cel_error(std::string text);
/// "no such overload": the types do not fit.
CelValue no_such_overload();
/// "no such overload: NAME": the function has no version for these types.
CelValue no_such_overload(std::string_view function);
/// As CEL names types: "int", "kubernetes.Quantity".
std::string_view cel_type_name(const CelValue& value);
/// What is not understood here.
CelValue not_understood();

/// x.key or x["key"].
CelValue cel_select(const CelDevice& device, const CelValue& object, std::string_view key);

/// Whether x.key is there: has(x.key), and "key" in x.
CelValue cel_contains(const CelDevice& device, const CelValue& object, std::string_view key);

/// x == y. Values of two types are not equal; of versions and quantities, that is an error.
CelValue cel_equal(const CelValue& left, const CelValue& right);

/// `left` SIGN `right` for < <= > >= == != in + - * / %.
CelValue cel_binary(const CelDevice& device, std::string_view sign, const CelValue& left,
                    const CelValue& right);

/// name(...) of values without errors.
CelValue cel_function(std::string_view name, const std::vector<CelValue>& values);

/// x.name(...): x is the first value.
CelValue cel_method(std::string_view name, const std::vector<CelValue>& values);

}  // namespace gpu::scheduler
