#include "manifest/kinds/spread.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gpu::manifest {
namespace {

/// Fields of a pod's spec that conventionally stand behind its affinity.
bool stands_behind_affinity(std::string_view key) {
  constexpr std::array<std::string_view, 4> kBehind = {"tolerations", "resourceClaims",
                                                       "containers", "volumes"};
  return std::find(kBehind.begin(), kBehind.end(), key) != kBehind.end();
}

Tree with_affinity(const Tree& pod_spec, const Tree& affinity) {
  Tree ordered;
  for (const Tree::Entry& each : std::get<Tree::Map>(pod_spec.value())) {
    if (stands_behind_affinity(each.key) && ordered.find("affinity") == nullptr)
      ordered.set("affinity", affinity);
    ordered.set(each.key, each.value, each.why);
  }
  return ordered;
}

}  // namespace

void keep_apart(Tree& pod_spec, Tree labels) {
  Tree rule = Tree::map(
      {{"requiredDuringSchedulingIgnoredDuringExecution",
        Tree::list(
            {Tree::map({{"topologyKey", "kubernetes.io/hostname"},
                        {"labelSelector", Tree::map({{"matchLabels", std::move(labels)}})}})})}});
  if (Tree* const affinity = pod_spec.find("affinity")) {
    affinity->set("podAntiAffinity", std::move(rule));
    return;
  }
  pod_spec = with_affinity(pod_spec, Tree::map({{"podAntiAffinity", std::move(rule)}}));
}

}  // namespace gpu::manifest
