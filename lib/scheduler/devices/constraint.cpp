#include "scheduler/devices/constraint.hpp"

#include <algorithm>

#include "scheduler/devices/attribute.hpp"

namespace gpu::scheduler {

std::string RequestName::whole() const {
  std::string name(request);
  if (!alternative.empty()) name.append("/").append(alternative);
  return name;
}

bool ConstraintState::is_about(const RequestName& name) const {
  const std::vector<std::string>& requests = constraint_.requests;
  const auto has = [&](std::string_view each) {
    return std::find(requests.begin(), requests.end(), each) != requests.end();
  };
  if (requests.empty() || has(name.request)) return true;
  return !name.alternative.empty() && has(name.whole());
}

std::optional<ConstraintState::Value> ConstraintState::value_of(std::string_view driver,
                                                                const Device& device) const {
  std::string_view name = constraint_.match_attribute.empty() ? constraint_.distinct_attribute
                                                              : constraint_.match_attribute;
  // The driver's own attributes are kept without its domain.
  if (name.size() > driver.size() && name.starts_with(driver) && name[driver.size()] == '/')
    name.remove_prefix(driver.size() + 1);
  const std::string* text = device.attributes.find(name);
  if (text == nullptr && is_unknown_attribute(device, driver, name)) return Value{};
  if (text == nullptr) return std::nullopt;
  const AttributeType* type = device.attribute_types.find(name);
  return Value{type == nullptr ? AttributeType::string : *type, *text};
}

bool ConstraintState::add(const RequestName& name, std::string_view driver, const Device& device) {
  if (!is_about(name)) return true;
  std::optional<Value> value = value_of(driver, device);
  if (!value) return false;
  if (!constraint_.match_attribute.empty()) {
    if (devices_ > 0 && (!value->first || *value != common_)) return false;
    common_ = std::move(*value);
  } else {
    const auto has_value = [&](const auto& other) {
      return !value->first || other.second == *value;
    };
    if (devices_ > 0 && std::any_of(seen_.begin(), seen_.end(), has_value)) return false;
    seen_.insert_or_assign(std::string(name.request), std::move(*value));
  }
  ++devices_;
  return true;
}

void ConstraintState::remove(const RequestName& name) {
  if (!is_about(name)) return;
  --devices_;
  if (const auto seen = seen_.find(name.request); seen != seen_.end()) seen_.erase(seen);
}

}  // namespace gpu::scheduler
