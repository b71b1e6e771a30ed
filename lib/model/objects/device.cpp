#include "model/objects/device.hpp"

#include <algorithm>
#include <array>

namespace gpu {

bool is_gpu_driver(std::string_view driver) {
  static constexpr std::array<std::string_view, 4> kDevices = {"gpu", "gaudi", "tpu", "neuron"};
  const std::string_view first = driver.substr(0, driver.find('.'));
  return std::any_of(kDevices.begin(), kDevices.end(), [&](std::string_view device) {
    return first.find(device) != std::string_view::npos;
  });
}

}  // namespace gpu
