#include "diagnose/nodes/node_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "diagnose/nodes/blocker_detail.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {
namespace {

/// A group while it is gathered: places in verdict.nodes.
struct Gathered {
  BlockerKinds kinds;
  std::vector<const scheduler::NodeVerdict*> nodes;
  std::int64_t most_free = 0;
  std::int64_t most_devices = 0;
  int likeness = 0;  ///< of the best node: likeness_of()
};

/// How near a node without the GPUs that are asked for comes to what was meant: 2 where it has the
/// nearest name of what no node has, 1 where it has other GPUs, else 0.
int likeness_of(const scheduler::Cluster& cluster, const scheduler::NodeVerdict& verdict,
                BlockerKinds kinds, const NodeReasons& reasons) {
  if (!kinds.has(BlockerKind::no_gpus)) return 0;
  const ResourceList& offered = cluster.nodes()[verdict.node].node->allocatable;
  const auto has_near = [&](const scheduler::Amount& asked) {
    const std::string name(cluster.name_of(asked.resource));
    return name.find('/') != std::string::npos &&
           amount_of(offered, nearest_resource(cluster, name)).value() > 0;
  };
  if (std::any_of(reasons.requests().begin(), reasons.requests().end(), has_near)) return 2;
  const auto is_gpu = [](const auto& entry) {
    return entry.second.value() > 0 && gpu_resource(entry.first);
  };
  return std::any_of(offered.begin(), offered.end(), is_gpu) ? 1 : 0;
}

bool is_nearer(const Gathered& a, const Gathered& b) {
  const auto rank = [](const Gathered& group) {
    // The selector's own nodes are what the pod is meant for; a broken GPU stack comes before
    // GPUs that others hold, as in the headline.
    const bool is_left_out = group.kinds.has_any_of(kinds_with(BlockerTrait::left_out));
    return std::tuple(group.kinds.has(BlockerKind::no_gpus), group.kinds.size(),
                      !group.kinds.are_among(kinds_with(BlockerTrait::stack)), -group.most_free,
                      -group.likeness, is_left_out, -group.most_devices, group.kinds);
  };
  return rank(a) < rank(b);
}

/// Of what nodes differ in, taints are short enough to name: those of the nearest nodes first.
/// Empty where a node has several, since nobody could tell which belong together.
std::string taints_text(const std::vector<std::string>& details) {
  constexpr std::size_t kMost = 3;
  const std::size_t shown = details.size() > kMost ? kMost - 1 : details.size() - 1;
  std::string text;
  for (std::size_t i = 0; i < details.size(); ++i) {
    if (details[i].find(", ") != std::string::npos) return {};
    if (i < shown) text += (i == 0 ? "" : ", ") + details[i];
  }
  return text + " or " +
         (details.size() > kMost ? std::to_string(details.size() - shown) + " others"
                                 : details.back());
}

/// A detail that all nodes of a group share says more in the group's row than at each node.
void keep_common_details(NodeGroup& group, const Gathered& gathered,
                         const BlockerDetails& blockers) {
  auto blocker_at = group.blockers.begin();
  for (const BlockerKind kind : gathered.kinds) {
    GroupBlocker& blocker = *blocker_at++;
    std::vector<std::string> details = {blocker.detail};
    std::set<std::string> told;
    for (const scheduler::NodeVerdict* node : gathered.nodes) {
      std::string detail = blockers.detail(*node, kind);
      if (detail == blocker.detail || !told.insert(detail).second) continue;
      details.push_back(std::move(detail));
      if (kind != BlockerKind::taint) break;
    }
    if (details.size() > 1)
      blocker.detail = kind == BlockerKind::taint ? taints_text(details) : std::string();
  }
}

/// Devices that a node publishes, by its name: of a pod that asks for them by claims, nodes that
/// have some are nearer than others.
using DevicesByNode = std::map<std::string_view, std::int64_t>;

DevicesByNode devices_by_node(const scheduler::Cluster& cluster, const NodeReasons& reasons) {
  DevicesByNode devices;
  if (!reasons.gpus().empty()) return devices;
  for (const ResourceSlice& slice : cluster.snapshot().slices)
    if (!slice.node_name.empty())
      devices[slice.node_name] += static_cast<std::int64_t>(slice.devices.size());
  return devices;
}

std::int64_t devices_on(const scheduler::Cluster& cluster, const DevicesByNode& devices,
                        std::size_t node) {
  const auto found = devices.find(cluster.nodes()[node].node->name);
  return found == devices.end() ? 0 : found->second;
}

NodeGroup group_from(const scheduler::Cluster& cluster, const Gathered& gathered,
                     const NodeReasons& reasons, const BlockerDetails& details) {
  NodeGroup group;
  for (const BlockerKind kind : gathered.kinds) {
    const scheduler::NodeVerdict& first = *gathered.nodes.front();
    group.blockers.push_back(reasons.blocker_of(first, kind));
    group.blockers.back().detail = details.detail(first, kind);
  }
  keep_common_details(group, gathered, details);
  // An upgrade is why the node is cordoned, and why its plugin is gone.
  std::set<std::string> told;
  for (GroupBlocker& blocker : group.blockers)
    if (!told.insert(blocker.detail).second) blocker.detail.clear();
  for (const scheduler::NodeVerdict* verdict : gathered.nodes) {
    NearNode near{.name = cluster.nodes()[verdict->node].node->name,
                  .free_gpus = free_of_advertised(cluster, verdict->node, reasons),
                  .note = note_of(cluster, verdict->node, reasons)};
    // Slots of GPUs that do not give the part that is requested are free for others.
    if (near.free_gpus && gathered.kinds.has(BlockerKind::no_gpu_part)) near.free_gpus = 0;
    for (const scheduler::Amount& asked : reasons.requests())
      near.free.emplace_back(cluster.name_of(asked.resource),
                             reasons.free_of(verdict->node, asked.resource));
    group.nodes.push_back(std::move(near));
  }
  return group;
}

}  // namespace

std::vector<NodeGroup> groups_of(const scheduler::Cluster& cluster, const Pod& pod,
                                 const scheduler::Verdict& verdict, const NodeReasons& reasons) {
  const BlockerDetails details(cluster, pod, reasons);
  const DevicesByNode devices = devices_by_node(cluster, reasons);
  std::map<BlockerKinds, Gathered> by_kinds;
  for (const scheduler::NodeVerdict& node : verdict.nodes) {
    const BlockerKinds kinds = reasons.kinds_of(node);
    Gathered& group = by_kinds[kinds];
    group.kinds = kinds;
    group.nodes.push_back(&node);
    group.most_free = std::max(group.most_free, free_gpus_on(node.node, reasons));
    group.likeness = std::max(group.likeness, likeness_of(cluster, node, kinds, reasons));
    group.most_devices = std::max(group.most_devices, devices_on(cluster, devices, node.node));
  }
  std::vector<Gathered> gathered;
  for (auto& [kinds, group] : by_kinds) gathered.push_back(std::move(group));
  std::sort(gathered.begin(), gathered.end(), is_nearer);

  std::vector<NodeGroup> groups;
  for (Gathered& group : gathered) {
    std::stable_sort(group.nodes.begin(), group.nodes.end(),
                     [&](const scheduler::NodeVerdict* a, const scheduler::NodeVerdict* b) {
                       const auto rank = [&](const scheduler::NodeVerdict* each) {
                         const bool is_of_gpus = !reasons.gpus().empty();
                         return std::tuple(free_gpus_on(each->node, reasons),
                                           likeness_of(cluster, *each, group.kinds, reasons),
                                           devices_on(cluster, devices, each->node),
                                           is_of_gpus ? 1 : share_free_on(each->node, reasons));
                       };
                       return rank(a) > rank(b);
                     });
    groups.push_back(group_from(cluster, group, reasons, details));
  }
  return groups;
}

}  // namespace gpu::diagnose
