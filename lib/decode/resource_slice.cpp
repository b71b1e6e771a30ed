#include "decode/resource_slice.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gpu::decode {
namespace {

/// gpu.nvidia.com, gpu.amd.com, gpu.intel.com, gaudi.intel.com, tpu.google.com, neuron.aws.com; the
/// compute-domain.nvidia.com driver publishes channels, not cards.
bool is_gpu_driver(std::string_view driver) {
  static constexpr std::array<std::string_view, 4> kDevices = {"gpu", "gaudi", "tpu", "neuron"};
  const std::string_view first = driver.substr(0, driver.find('.'));
  return std::any_of(kDevices.begin(), kDevices.end(), [&](std::string_view device) {
    return first.find(device) != std::string_view::npos;
  });
}

}  // namespace

std::optional<std::string> gpu_node_of_slice(const nlohmann::json& slice) {
  const auto spec = slice.find("spec");
  if (spec == slice.end() || !spec->is_object()) return std::nullopt;
  const auto driver = spec->find("driver");
  const auto node = spec->find("nodeName");
  const bool is_of_a_node =
      driver != spec->end() && driver->is_string() && node != spec->end() && node->is_string();
  if (!is_of_a_node || !is_gpu_driver(driver->get_ref<const std::string&>())) return std::nullopt;
  return node->get<std::string>();
}

}  // namespace gpu::decode
