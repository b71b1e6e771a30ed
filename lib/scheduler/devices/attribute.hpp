#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/objects/device.hpp"

namespace gpu::scheduler {

/// The first attribute whose value the default scheduler does not know, a list
/// (DRAListTypeAttributes); nothing where it knows all.
inline std::optional<std::string_view> unknown_attribute(const Device& device) {
  for (const auto& attribute : device.attribute_types)
    if (!device.attributes.contains(attribute.first)) return attribute.first;
  return std::nullopt;
}

/// Whether `name`, without the driver's domain, is such an attribute.
inline bool is_unknown_attribute(const Device& device, std::string_view driver,
                                 std::string_view name) {
  if (device.attributes.contains(name)) return false;
  return device.attribute_types.contains(name) ||
         device.attribute_types.contains(std::string(driver).append("/").append(name));
}

}  // namespace gpu::scheduler
