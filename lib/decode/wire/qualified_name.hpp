#pragma once

#include <string_view>

namespace gpu::decode {

/// The name of an attribute or capacity of a DRA device, without the driver's own domain, in which
/// a name without one stands anyway: "type" for "gpu.nvidia.com/type" of gpu.nvidia.com.
inline std::string_view without_domain(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos && name.substr(0, slash) == driver ? name.substr(slash + 1)
                                                                            : name;
}

}  // namespace gpu::decode
