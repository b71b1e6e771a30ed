#include <algorithm>
#include <unordered_map>
#include <vector>

#include "model/objects/node.hpp"
#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::int64_t kMi = 1024 * 1024;
constexpr std::int64_t kLeastBytes = 23 * kMi;
constexpr std::int64_t kMostBytes = 1000 * kMi;  // of each container

/// An image on nodes: the size that the first of them tells, and how many have it.
struct SeenImage {
  std::int64_t bytes = 0;
  std::int64_t nodes = 0;
};

std::vector<std::uint64_t> images_of(const Pod& pod) {
  std::vector<std::uint64_t> keys;
  for (const auto* const list : {&pod.init_containers, &pod.containers})
    for (const Container& container : *list)
      if (!container.image.empty()) keys.push_back(image_key(container.image));
  return keys;
}

bool has_image(const Node& node, std::uint64_t key) {
  return std::any_of(node.images.begin(), node.images.end(),
                     [&](const NodeImage& image) { return image.key == key; });
}

std::unordered_map<std::uint64_t, SeenImage> seen_images(const Cluster& cluster,
                                                         const std::vector<std::uint64_t>& keys) {
  std::unordered_map<std::uint64_t, SeenImage> seen;
  for (const std::uint64_t key : keys) {
    if (seen.contains(key)) continue;
    SeenImage& image = seen[key];
    for (const NodeState& state : cluster.nodes()) {
      const auto found = std::find_if(state.node->images.begin(), state.node->images.end(),
                                      [&](const NodeImage& each) { return each.key == key; });
      if (found == state.node->images.end()) continue;
      if (image.nodes++ == 0) image.bytes = found->bytes;
    }
  }
  return seen;
}

}  // namespace

Points image_points(const ScoredPod& scored) {
  Points points(scored.nodes.size());
  const std::vector<std::uint64_t> keys = images_of(scored.pod);
  const auto seen = seen_images(scored.cluster, keys);
  const std::size_t containers = scored.pod.init_containers.size() + scored.pod.containers.size();
  const std::int64_t most =
      kMostBytes * static_cast<std::int64_t>(std::max<std::size_t>(containers, 1));
  const auto nodes = static_cast<double>(scored.cluster.nodes().size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Node& node = *scored.cluster.nodes()[scored.nodes[i]].node;
    std::int64_t sum = 0;
    for (const std::uint64_t key : keys) {
      if (!has_image(node, key)) continue;
      const SeenImage& image = seen.at(key);
      sum += static_cast<std::int64_t>(static_cast<double>(image.bytes) *
                                       (static_cast<double>(image.nodes) / nodes));
    }
    points[i] =
        kMostPoints * (std::clamp(sum, kLeastBytes, most) - kLeastBytes) / (most - kLeastBytes);
  }
  return points;
}

}  // namespace gpu::scheduler
