#include "decode/resource_slice.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "model/device.hpp"

namespace gpu::decode {

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
