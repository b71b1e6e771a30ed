#include "scheduler/cel/value.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace gpu::scheduler {
namespace {

/// The name under which a Device keeps an attribute of `domain`.
std::string stored_name(const CelDevice& device, const std::string& domain, std::string_view key) {
  if (domain == device.driver) return std::string(key);
  return domain + "/" + std::string(key);
}

CelValue attribute_value(const Device& device, const std::string& name, const std::string& text) {
  const AttributeType* type = device.attribute_types.find(name);
  if (type == nullptr || *type == AttributeType::string) return text;
  switch (*type) {
    case AttributeType::string:
      return text;
    case AttributeType::boolean:
      return text == "true";
    case AttributeType::integer: {
      const std::optional<std::int64_t> number = whole_number(text);
      return number ? CelValue(*number) : not_understood();
    }
    case AttributeType::version: {
      std::optional<CelVersion> version = CelVersion::parse(text);
      return version ? CelValue(std::move(*version)) : not_understood();
    }
  }
  return not_understood();
}

std::optional<CelValue> find(const CelDevice& device, const CelMap& map, std::string_view key) {
  const std::string name = stored_name(device, *map.domain, key);
  if (map.of == CelMap::Of::capacity) {
    const Quantity* amount = device.device.capacity.find(name);
    return amount == nullptr ? std::nullopt : std::optional<CelValue>(*amount);
  }
  const std::string* text = device.device.attributes.find(name);
  if (text == nullptr) return std::nullopt;
  return attribute_value(device.device, name, *text);
}

template <class Entries>
bool has_domain(const CelDevice& device, const Entries& entries, std::string_view domain) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    const std::size_t slash = entry.first.find('/');
    if (slash == std::string::npos) return domain == device.driver;
    return std::string_view(entry.first).substr(0, slash) == domain;
  });
}

CelValue field_of_device(const CelDevice& device, std::string_view key) {
  if (key == "driver") return std::string(device.driver);
  if (key == "allowMultipleAllocations") return device.device.allow_multiple;
  if (key == "attributes") return CelMap{CelMap::Of::attributes, std::nullopt};
  if (key == "capacity") return CelMap{CelMap::Of::capacity, std::nullopt};
  return not_understood();
}

/// Lists in lists, each twice in the next, are exponentially many values: only so many are
/// compared.
constexpr int kMostCompared = 10'000;

CelValue equal(const CelValue& left, const CelValue& right, int& steps) {
  if (++steps > kMostCompared) return not_understood();
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  const auto same = [&]<class Type>(const Type* mine) -> CelValue {
    const Type* theirs = right.as<Type>();
    return theirs != nullptr && *mine == *theirs;
  };
  if (const auto* value = left.as<bool>()) return same(value);
  if (const auto* value = left.as<std::int64_t>()) return same(value);
  if (const auto* value = left.as<std::string>()) return same(value);
  if (const auto* value = left.as<Quantity>())
    return right.as<Quantity>() == nullptr ? no_such_overload() : same(value);
  if (const auto* value = left.as<CelVersion>())
    return right.as<CelVersion>() == nullptr ? no_such_overload() : same(value);
  const CelList* mine = left.as<CelList>();
  const CelList* theirs = right.as<CelList>();
  if (mine == nullptr) return not_understood();
  if (theirs == nullptr) return false;
  if ((*mine)->size() != (*theirs)->size()) return false;
  for (std::size_t i = 0; i < (*mine)->size(); ++i) {
    const CelValue is_same = equal((**mine)[i], (**theirs)[i], steps);
    if (is_same.is_error()) return not_understood();
    if (!is_same.is_true()) return false;
  }
  return true;
}

}  // namespace

CelValue cel_error(std::string text) { return CelError{CelError::Kind::runtime, std::move(text)}; }
CelValue no_such_overload() { return cel_error("no such overload"); }
CelValue no_such_overload(std::string_view function) {
  return cel_error("no such overload: " + std::string(function));
}
CelValue not_understood() { return CelError{}; }

std::string_view cel_type_name(const CelValue& value) {
  if (value.as<bool>() != nullptr) return "bool";
  if (value.as<std::int64_t>() != nullptr) return "int";
  if (value.as<std::string>() != nullptr) return "string";
  if (value.as<Quantity>() != nullptr) return "kubernetes.Quantity";
  if (value.as<CelVersion>() != nullptr) return "kubernetes.Semver";
  return value.as<CelList>() != nullptr ? "list" : "map";
}

CelValue cel_select(const CelDevice& device, const CelValue& object, std::string_view key) {
  if (object.is_error()) return object;
  if (object.as<CelDeviceObject>() != nullptr) return field_of_device(device, key);
  if (object.as<CelList>() != nullptr) return not_understood();
  const CelMap* map = object.as<CelMap>();
  // A domain that the device has nothing of is an empty map.
  if (map != nullptr && !map->domain) return CelMap{map->of, std::string(key)};
  if (map != nullptr)
    if (std::optional<CelValue> value = find(device, *map, key)) return std::move(*value);
  return cel_error("no such key: " + std::string(key));
}

CelValue cel_contains(const CelDevice& device, const CelValue& object, std::string_view key) {
  if (object.is_error()) return object;
  const CelMap* map = object.as<CelMap>();
  if (map == nullptr) return not_understood();
  if (map->domain) return find(device, *map, key).has_value();
  return map->of == CelMap::Of::attributes ? has_domain(device, device.device.attributes, key)
                                           : has_domain(device, device.device.capacity, key);
}

CelValue cel_equal(const CelValue& left, const CelValue& right) {
  int steps = 0;
  return equal(left, right, steps);
}

}  // namespace gpu::scheduler
