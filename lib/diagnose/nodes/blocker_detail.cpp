#include "diagnose/nodes/blocker_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "diagnose/nodes/shortage_text.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "model/objects/selector_text.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/filters/node_declared_features.hpp"
#include "scheduler/filters/node_ports.hpp"

namespace gpu::diagnose {
namespace {

/// The labels of a node that its selector asks for in vain, with what the node has there.
std::string selector_detail(const Pod& pod, const Node& node) {
  std::string detail;
  std::set<std::string_view> told;
  const auto add = [&](const std::string& key) {
    const std::string* const has = node.labels.find(key);
    if (!told.insert(key).second) return;
    detail += (detail.empty() ? "" : ", ") + (has == nullptr ? "no " + key : key + "=" + *has);
  };
  for (const auto& [key, value] : pod.node_selector)
    if (const std::string* has = node.labels.find(key); has == nullptr || *has != value) add(key);
  if (const auto& affinity = pod.placement.node_affinity; affinity && !matches(*affinity, node))
    for (const NodeSelectorTerm& term : *affinity)
      for (const Requirement& requirement : term.expressions)
        if (!holds(requirement, node.labels)) add(requirement.key);
  return detail;
}

/// The taints that the pod does not tolerate, but for those of a cordon.
std::string taints_detail(const Pod& pod, const Node& node) {
  std::string detail;
  for (const Taint* taint : untolerated(pod.tolerations, node))
    if (lifecycle_of(*taint) != Unavailable::cordoned || !node.unschedulable)
      detail += (detail.empty() ? "" : ", ") + text_of(*taint);
  return detail;
}

/// A port that the pod wants, and who has it.
struct TakenPort {
  std::int32_t port = 0;
  const Pod* by = nullptr;
};

std::optional<TakenPort> taken_port(const scheduler::Cluster& cluster, const Pod& pod,
                                    std::size_t node) {
  const std::vector<scheduler::PortsInUse::Use>& uses =
      cluster.shared<scheduler::PortsInUse>().by_node[node];
  for (const scheduler::HostPort& wanted : scheduler::host_ports(pod, cluster.rules()))
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

BlockerDetails::BlockerDetails(const scheduler::Cluster& cluster, const Pod& pod,
                               const NodeReasons& reasons)
    : cluster_(cluster), pod_(pod), reasons_(reasons), overlay_(cluster), volumes_(overlay_, pod) {}

const SpreadDetails& BlockerDetails::spread() const {
  if (!spread_) spread_.emplace(overlay_, pod_);
  return *spread_;
}

const AffinityDetails& BlockerDetails::affinity() const {
  if (!affinity_) affinity_.emplace(cluster_, pod_);
  return *affinity_;
}

const SharedGpuDetails& BlockerDetails::shared_gpus() const {
  if (!shared_gpus_) shared_gpus_.emplace(overlay_, pod_);
  return *shared_gpus_;
}

std::string BlockerDetails::detail(const scheduler::NodeVerdict& verdict, BlockerKind kind) const {
  const std::size_t node = verdict.node;
  const Node& of = *cluster_.nodes()[node].node;
  switch (detail_source(kind)) {
    case DetailSource::selector:
      return selector_detail(pod_, of);
    case DetailSource::maintenance: {
      auto work = maintenance_of(cluster_, cluster_.nodes()[node]);
      return work ? std::move(work->what) : std::string();
    }
    case DetailSource::taints:
      return taints_detail(pod_, of);
    case DetailSource::stack: {
      const StackFault* const fault = first_fault(node, reasons_);
      return fault == nullptr ? std::string() : fault->detail;
    }
    case DetailSource::amounts:
      return shortage_detail(cluster_, reasons_, verdict, kind);
    case DetailSource::ports:
      return port_detail(cluster_, pod_, node);
    case DetailSource::volume_limit:
      return volumes_.limit_detail(node);
    case DetailSource::volume_place:
      return volumes_.place_detail(node);
    case DetailSource::spread:
      return spread().detail(node);
    case DetailSource::affinity:
      return affinity().affinity_detail(node);
    case DetailSource::anti_affinity:
      return affinity().anti_affinity_detail(node);
    case DetailSource::features:
      return missing_features(cluster_, pod_, of);
    case DetailSource::shared_gpus:
      return shared_gpus().detail(node);
    case DetailSource::memory_label:
      return "no label " + std::string(kGpuMemoryLabel);
    case DetailSource::none:
    case DetailSource::volume_use:
    case DetailSource::missing_volume:
      return {};
  }
  return {};
}

std::vector<Advice> BlockerDetails::advice(BlockerKind kind, std::size_t node) const {
  if (kind == BlockerKind::no_gpu_part) return shared_gpus().annotation_advice(node);
  if (kind == BlockerKind::no_memory_label) return shared_gpus().label_advice(node);
  return {};
}

std::string BlockerDetails::headline(BlockerKind kind, const RuledOut& ruled_out) const {
  switch (detail_source(kind)) {
    case DetailSource::ports:
      return port_headline(cluster_, pod_, ruled_out);
    case DetailSource::volume_use:
      return volumes_.use_headline(ruled_out);
    case DetailSource::volume_limit:
      return volumes_.limit_headline(ruled_out);
    case DetailSource::volume_place:
      return volumes_.place_headline(ruled_out);
    case DetailSource::missing_volume:
      return volumes_.missing_headline(ruled_out);
    case DetailSource::spread:
      return spread().headline(ruled_out);
    case DetailSource::affinity:
      return affinity().affinity_headline(ruled_out);
    case DetailSource::anti_affinity:
      return affinity().anti_affinity_headline(ruled_out);
    case DetailSource::features:
      return features_headline(cluster_, pod_, ruled_out);
    case DetailSource::shared_gpus:
      return shared_gpus().headline(ruled_out);
    case DetailSource::memory_label:
      return shared_gpus().label_headline(ruled_out);
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
