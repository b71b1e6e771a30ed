#include "schedule/placement_fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "schedule/neighbour_fact.hpp"
#include "schedule/node_declared_features.hpp"
#include "schedule/node_ports.hpp"
#include "schedule/overlay.hpp"
#include "schedule/selector_text.hpp"
#include "schedule/spread_fact.hpp"
#include "schedule/volume_fact.hpp"

namespace gpu::schedule {
namespace {

/// A port that the pod wants, and who has it.
struct TakenPort {
  std::int32_t port = 0;
  const Pod* by = nullptr;
};

std::optional<TakenPort> taken_port(const Cluster& cluster, const Pod& pod, std::size_t node) {
  const std::vector<PortsInUse::Use>& uses = cluster.shared<PortsInUse>().by_node[node];
  for (const HostPort& wanted : host_ports(pod))
    if (const PortsInUse::Use* const use = collision(uses, wanted))
      return TakenPort{wanted.port, use->pod};
  return std::nullopt;
}

/// Pods of one DaemonSet or Deployment are one holder.
const OwnerReference* owner_of(const Pod& pod) {
  const auto found = std::find_if(pod.owners.begin(), pod.owners.end(),
                                  [](const OwnerReference& each) { return each.controller; });
  return found == pod.owners.end() ? nullptr : &*found;
}

/// "research/other-0", "ml/a on gpu-1, ml/b on gpu-2 and 2 more", "pods of DaemonSet dcgm in gpu".
std::string takers_text(const Cluster& cluster, const Pod& pod, const RuledOut& ruled_out) {
  std::vector<std::string> names;
  const Pod* first = nullptr;
  bool is_one_owner = true;
  for (const std::size_t node : ruled_out.nodes) {
    const auto taken = taken_port(cluster, pod, node);
    if (!taken) continue;
    names.push_back(fmt::format("{}/{} on {}", taken->by->ns, taken->by->name,
                                cluster.nodes()[node].node->name));
    if (first == nullptr) first = taken->by;
    const OwnerReference* const owner = owner_of(*taken->by);
    const OwnerReference* const of_first = owner_of(*first);
    is_one_owner = is_one_owner && owner != nullptr && of_first != nullptr && *owner == *of_first &&
                   taken->by->ns == first->ns;
  }
  if (names.size() > 1 && is_one_owner)
    return fmt::format("pods of {} {} in {}", owner_of(*first)->kind, owner_of(*first)->name,
                       first->ns);
  return names_text(names);
}

std::string port_headline(const Cluster& cluster, const Pod& pod, const RuledOut& ruled_out) {
  const auto taken = taken_port(cluster, pod, ruled_out.nodes.front());
  if (!taken) return {};
  if (ruled_out.nodes.size() == 1)
    return fmt::format("host port {} is taken on {}, by {}/{}", taken->port,
                       cluster.nodes()[ruled_out.nodes.front()].node->name, taken->by->ns,
                       taken->by->name);
  return fmt::format("host port {} is taken on {}, by {}", taken->port, ruled_out.all,
                     takers_text(cluster, pod, ruled_out));
}

std::string port_detail(const Cluster& cluster, const Pod& pod, std::size_t node) {
  const auto taken = taken_port(cluster, pod, node);
  return taken ? fmt::format("{}: {}/{}", taken->port, taken->by->ns, taken->by->name) : "";
}

/// "feature RestartAllContainersOnContainerExits", of kubelets that are too old or lack a gate.
std::string missing_features(const Cluster& cluster, const Pod& pod, const Node& node) {
  const auto missing = NodeDeclaredFeatures(cluster.rules(), pod).missing(node);
  if (missing.empty()) return {};
  return fmt::format("{} {}", missing.size() == 1 ? "feature" : "features",
                     fmt::join(missing, ", "));
}

}  // namespace

/// What takes a look at all pods is made when it is first asked for.
struct PlacementFacts::State {
  State(const Cluster& of_cluster, const Pod& of_pod)
      : cluster(of_cluster), pod(of_pod), overlay(of_cluster), volumes(overlay, of_pod) {}

  const SpreadFacts& of_spread() const {
    if (!spread) spread = std::make_unique<SpreadFacts>(overlay, pod);
    return *spread;
  }
  const NeighbourFacts& of_neighbours() const {
    if (!neighbours) neighbours = std::make_unique<NeighbourFacts>(cluster, pod);
    return *neighbours;
  }

  const Cluster& cluster;
  const Pod& pod;
  Overlay overlay;
  VolumeFacts volumes;
  mutable std::unique_ptr<SpreadFacts> spread;
  mutable std::unique_ptr<NeighbourFacts> neighbours;
};

PlacementFacts::PlacementFacts(const Cluster& cluster, const Pod& pod)
    : state_(std::make_unique<const State>(cluster, pod)) {}
PlacementFacts::PlacementFacts(PlacementFacts&&) noexcept = default;
PlacementFacts::~PlacementFacts() = default;

std::string PlacementFacts::detail(Word word, std::size_t node) const {
  switch (word) {
    case Word::port_taken:
      return port_detail(state_->cluster, state_->pod, node);
    case Word::spread:
      return state_->of_spread().detail(node);
    case Word::pod_affinity:
    case Word::pod_anti_affinity:
      return state_->of_neighbours().detail(word, node);
    case Word::volume_in_use:
    case Word::many_volumes:
    case Word::volume_elsewhere:
    case Word::no_volume:
      return state_->volumes.detail(word, node);
    case Word::other_node_name:
    case Word::node_selector:
    case Word::cordoned:
    case Word::not_ready:
    case Word::taint:
    case Word::too_many_pods:
    case Word::few_free_gpus:
    case Word::few_gpus:
    case Word::no_gpus:
    case Word::renamed_gpus:
    case Word::unhealthy_gpus:
    case Word::no_device_plugin:
    case Word::unhealthy_device_plugin:
    case Word::no_driver:
    case Word::few_resources:
    case Word::little_cpu:
    case Word::little_memory:
    case Word::little_storage:
    case Word::no_devices:
    case Word::other:
      return {};
    case Word::missing_feature:
      return missing_features(state_->cluster, state_->pod, *state_->cluster.nodes()[node].node);
  }
  return {};
}

std::string PlacementFacts::headline(Word word, const RuledOut& ruled_out) const {
  if (word == Word::missing_feature) {
    const Node& node = *state_->cluster.nodes()[ruled_out.nodes.front()].node;
    const std::string missing = missing_features(state_->cluster, state_->pod, node);
    return fmt::format("pod needs the {}, which {} not have", missing,
                       ruled_out.nodes.size() == 1 ? node.name + " does" : ruled_out.all + " do");
  }
  if (word == Word::port_taken) return port_headline(state_->cluster, state_->pod, ruled_out);
  if (word == Word::spread) return state_->of_spread().headline(ruled_out);
  if (word == Word::pod_affinity || word == Word::pod_anti_affinity)
    return state_->of_neighbours().headline(word, ruled_out);
  const bool is_of_volumes = word == Word::volume_in_use || word == Word::many_volumes ||
                             word == Word::volume_elsewhere || word == Word::no_volume;
  return is_of_volumes ? state_->volumes.headline(word, ruled_out) : "";
}

}  // namespace gpu::schedule
