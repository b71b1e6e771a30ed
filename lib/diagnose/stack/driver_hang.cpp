#include "diagnose/stack/driver_hang.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {
namespace {

/// A DRA driver gives versions without leading zeros.
constexpr std::array<std::string_view, 7> kHanging = {
    "570.124.06", "570.133.20", "570.148.08", "570.158.01", "570.124.6", "570.148.8", "570.158.1"};

bool has_mig(const Node& node) {
  const bool has_slices =
      std::any_of(node.capacity.begin(), node.capacity.end(), [](const auto& each) {
        const auto resource = gpu_resource(each.first);
        return resource && resource->kind == DeviceKind::mig_slice && each.second.value() > 0;
      });
  if (has_slices) return true;
  const auto labels = gpu_labels(node.labels);
  return labels && !labels->single_mig_profile.empty();
}

/// "570.133.20" of "nvcr.io/nvidia/driver:570.133.20-ubuntu22.04".
std::string_view release_in(std::string_view image) {
  constexpr std::string_view kName = "/driver:";
  const std::size_t at = image.find(kName);
  if (at == std::string_view::npos) return {};
  image.remove_prefix(at + kName.size());
  return image.substr(0, image.find_first_not_of("0123456789."));
}

std::string driver_of(const scheduler::Cluster& cluster, const scheduler::NodeState& node) {
  if (const auto labels = gpu_labels(node.node->labels); labels && !labels->driver.empty())
    return labels->driver;
  for (const ResourceSlice& slice : cluster.snapshot().slices)
    if (slice.driver == "gpu.nvidia.com" && slice.node_name == node.node->name)
      for (const Device& device : slice.devices)
        if (const std::string* const version = device.attributes.find("driverVersion"))
          return *version;
  for (const scheduler::BoundPod& bound : node.pods)
    for (const Container& container : bound.pod->containers)
      if (const std::string_view release = release_in(container.image); !release.empty())
        return std::string(release);
  return {};
}

}  // namespace

std::optional<std::string> hanging_driver(const scheduler::Cluster& cluster,
                                          const scheduler::NodeState& node) {
  if (!has_mig(*node.node)) return std::nullopt;
  std::string driver = driver_of(cluster, node);
  if (std::find(kHanging.begin(), kHanging.end(), driver) == kHanging.end()) return std::nullopt;
  return driver;
}

}  // namespace gpu::diagnose
