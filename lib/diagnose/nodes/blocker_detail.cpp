#include "diagnose/nodes/blocker_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "diagnose/nodes/affinity_detail.hpp"
#include "diagnose/nodes/spread_detail.hpp"
#include "diagnose/nodes/volume_detail.hpp"
#include "model/objects/selector_text.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/filters/node_declared_features.hpp"
#include "scheduler/filters/node_ports.hpp"

namespace gpu::diagnose {
namespace {

/// A port that the pod wants, and who has it.
struct TakenPort {
  std::int32_t port = 0;
  const Pod* by = nullptr;
};

std::optional<TakenPort> taken_port(const scheduler::Cluster& cluster, const Pod& pod,
                                    std::size_t node) {
  const std::vector<scheduler::PortsInUse::Use>& uses =
      cluster.shared<scheduler::PortsInUse>().by_node[node];
  for (const scheduler::HostPort& wanted : scheduler::host_ports(pod))
    if (const scheduler::PortsInUse::Use* const use = collision(uses, wanted))
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
std::string takers_text(const scheduler::Cluster& cluster, const Pod& pod,
                        const RuledOut& ruled_out) {
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

std::string port_headline(const scheduler::Cluster& cluster, const Pod& pod,
                          const RuledOut& ruled_out) {
  const auto taken = taken_port(cluster, pod, ruled_out.nodes.front());
  if (!taken) return {};
  if (ruled_out.nodes.size() == 1)
    return fmt::format("host port {} is taken on {}, by {}/{}", taken->port,
                       cluster.nodes()[ruled_out.nodes.front()].node->name, taken->by->ns,
                       taken->by->name);
  return fmt::format("host port {} is taken on {}, by {}", taken->port, ruled_out.all,
                     takers_text(cluster, pod, ruled_out));
}

std::string port_detail(const scheduler::Cluster& cluster, const Pod& pod, std::size_t node) {
  const auto taken = taken_port(cluster, pod, node);
  return taken ? fmt::format("{}: {}/{}", taken->port, taken->by->ns, taken->by->name) : "";
}

/// "feature RestartAllContainersOnContainerExits", of kubelets that are too old or lack a gate.
std::string missing_features(const scheduler::Cluster& cluster, const Pod& pod, const Node& node) {
  const auto missing = scheduler::NodeDeclaredFeatures(cluster.rules(), pod).missing(node);
  if (missing.empty()) return {};
  return fmt::format("{} {}", missing.size() == 1 ? "feature" : "features",
                     fmt::join(missing, ", "));
}

std::string features_headline(const scheduler::Cluster& cluster, const Pod& pod,
                              const RuledOut& ruled_out) {
  const Node& node = *cluster.nodes()[ruled_out.nodes.front()].node;
  return fmt::format("pod needs the {}, which {} not have", missing_features(cluster, pod, node),
                     ruled_out.nodes.size() == 1 ? node.name + " does" : ruled_out.all + " do");
}

}  // namespace

/// What takes a look at all pods is made when it is first asked for.
struct BlockerDetails::State {
  State(const scheduler::Cluster& of_cluster, const Pod& of_pod)
      : cluster(of_cluster), pod(of_pod), overlay(of_cluster), volumes(overlay, of_pod) {}

  const SpreadDetails& of_spread() const {
    if (!spread) spread = std::make_unique<SpreadDetails>(overlay, pod);
    return *spread;
  }
  const AffinityDetails& of_neighbours() const {
    if (!neighbours) neighbours = std::make_unique<AffinityDetails>(cluster, pod);
    return *neighbours;
  }

  const scheduler::Cluster& cluster;
  const Pod& pod;
  scheduler::Overlay overlay;
  VolumeDetails volumes;
  mutable std::unique_ptr<SpreadDetails> spread;
  mutable std::unique_ptr<AffinityDetails> neighbours;
};

BlockerDetails::BlockerDetails(const scheduler::Cluster& cluster, const Pod& pod)
    : state_(std::make_unique<const State>(cluster, pod)) {}
BlockerDetails::BlockerDetails(BlockerDetails&&) noexcept = default;
BlockerDetails::~BlockerDetails() = default;

std::string BlockerDetails::detail(BlockerKind kind, std::size_t node) const {
  switch (detail_source(kind)) {
    case DetailSource::ports:
      return port_detail(state_->cluster, state_->pod, node);
    case DetailSource::volumes:
      return state_->volumes.detail(kind, node);
    case DetailSource::spread:
      return state_->of_spread().detail(node);
    case DetailSource::neighbors:
      return state_->of_neighbours().detail(kind, node);
    case DetailSource::features:
      return missing_features(state_->cluster, state_->pod, *state_->cluster.nodes()[node].node);
    case DetailSource::none:
    case DetailSource::selector:
    case DetailSource::maintenance:
    case DetailSource::taints:
    case DetailSource::stack:
    case DetailSource::amounts:
      return {};
  }
  return {};
}

std::string BlockerDetails::headline(BlockerKind kind, const RuledOut& ruled_out) const {
  switch (detail_source(kind)) {
    case DetailSource::ports:
      return port_headline(state_->cluster, state_->pod, ruled_out);
    case DetailSource::volumes:
      return state_->volumes.headline(kind, ruled_out);
    case DetailSource::spread:
      return state_->of_spread().headline(ruled_out);
    case DetailSource::neighbors:
      return state_->of_neighbours().headline(kind, ruled_out);
    case DetailSource::features:
      return features_headline(state_->cluster, state_->pod, ruled_out);
    case DetailSource::none:
    case DetailSource::selector:
    case DetailSource::maintenance:
    case DetailSource::taints:
    case DetailSource::stack:
    case DetailSource::amounts:
      return {};
  }
  return {};
}

}  // namespace gpu::diagnose
