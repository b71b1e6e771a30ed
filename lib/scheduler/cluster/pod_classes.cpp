#include "scheduler/cluster/pod_classes.hpp"

#include <functional>

namespace gpu::scheduler {
namespace {

struct HashOfLabels {
  std::size_t operator()(const Pod* pod) const {
    const std::hash<std::string_view> hash;
    std::size_t sum = hash(pod->ns);
    for (const auto& [key, value] : pod->labels) sum = sum * 31 + hash(key) * 17 + hash(value);
    return sum;
  }
};
struct SameLabels {
  bool operator()(const Pod* a, const Pod* b) const {
    return a->ns == b->ns && a->labels == b->labels;
  }
};

}  // namespace

PodClasses::PodClasses(const Cluster& cluster) {
  std::unordered_map<const Pod*, std::uint32_t, HashOfLabels, SameLabels> known;
  for (std::size_t i = 0; i < cluster.nodes().size(); ++i) {
    const auto node = static_cast<std::uint32_t>(i);
    for (const BoundPod& bound : cluster.nodes()[i].pods) {
      const auto [at, is_new] =
          known.try_emplace(bound.pod, static_cast<std::uint32_t>(classes_.size()));
      if (is_new) {
        classes_.push_back({.pod = bound.pod});
        by_namespace_[bound.pod->ns].push_back(at->second);
      }
      std::vector<PodClass::Place>& places = classes_[at->second].places;
      if (places.empty() || places.back().node != node) places.push_back({.node = node});
      ++places.back().pods;
      if (bound.pod->deleted) ++places.back().terminating;
    }
  }
}

const std::vector<std::uint32_t>& PodClasses::in(std::string_view ns) const {
  static const std::vector<std::uint32_t> kNone;
  const auto found = by_namespace_.find(ns);
  return found == by_namespace_.end() ? kNone : found->second;
}

}  // namespace gpu::scheduler
