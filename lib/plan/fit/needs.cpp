#include "plan/fit/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "cost/rows/cost_row.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/requests.hpp"
#include "plan/fit/run.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::plan {
namespace {

constexpr std::size_t kMostTypes = 12;
constexpr int kMostRounds = 5;

std::string_view label(const Node& node, std::string_view key) {
  const std::string* const value = node.labels.find(key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::string_view instance_type(const Node& node) {
  const std::string_view type = label(node, "node.kubernetes.io/instance-type");
  return type.empty() ? label(node, "beta.kubernetes.io/instance-type") : type;
}

std::int64_t gpus_of(const Node& node) { return gpu_devices_in(node.allocatable); }

/// As it would come up: without what says of one node that it is ill, cordoned or leaving.
Node fresh(const Node& node) {
  Node made = node;
  made.unschedulable = false;
  made.deleted.reset();
  std::erase_if(made.taints, [](const Taint& taint) {
    return is_health_taint(taint) || lifecycle_of(taint) != Unavailable::none ||
           taint.key == "node.kubernetes.io/unschedulable";
  });
  return made;
}

/// Nodes of one type: one of them stands for all.
struct NodeType {
  const Node* like = nullptr;
  Node node;
};

/// Whether `a` stands for the type rather than `b`: more GPUs, then ready.
bool is_better(const Node& a, const Node& b) {
  return std::tuple(gpus_of(a), is_ready(a)) > std::tuple(gpus_of(b), is_ready(b));
}

std::vector<NodeType> node_types(const Snapshot& snapshot, bool with_gpus) {
  using Key = std::tuple<std::string, std::string, std::vector<std::string>>;
  std::map<Key, const Node*> types;
  for (const Node& node : snapshot.nodes) {
    if (with_gpus && gpus_of(node) == 0) continue;
    std::vector<std::string> taints;
    for (const Taint& taint : fresh(node).taints)
      taints.push_back(taint.key + "=" + taint.value + ":" + taint.effect);
    Key key{std::string(instance_type(node)),
            with_gpus ? std::string(label(node, "nvidia.com/gpu.product")) : std::string(),
            std::move(taints)};
    const Node*& best = types[std::move(key)];
    if (best == nullptr || is_better(node, *best)) best = &node;
  }
  std::vector<NodeType> found;
  for (const auto& [key, node] : types) found.push_back({node, fresh(*node)});
  if (found.size() > kMostTypes) found.resize(kMostTypes);
  return found;
}

/// Pods that come with every such node.
std::vector<Pod> daemons_on(const Snapshot& snapshot, const std::string& node) {
  std::vector<Pod> daemons;
  for (const Pod& pod : snapshot.pods) {
    if (pod.node_name != node || is_finished(pod)) continue;
    const OwnerReference* const owner = scheduler::controller_of(pod);
    if (owner != nullptr && (owner->kind == "DaemonSet" || owner->kind == "Node"))
      daemons.push_back(pod);
  }
  return daemons;
}

/// The cluster with so many more nodes of the type.
Snapshot with_nodes(Snapshot snapshot, const NodeType& type, std::int64_t count) {
  const std::vector<Pod> daemons = daemons_on(snapshot, type.node.name);
  for (std::int64_t i = 1; i <= count; ++i) {
    Node node = type.node;
    node.name = fmt::format("{}~new-{:03}", type.node.name, i);
    if (node.labels.contains("kubernetes.io/hostname"))
      node.labels.set("kubernetes.io/hostname", node.name);
    for (Pod pod : daemons) {
      pod.node_name = node.name;
      pod.name += fmt::format("~{}", i);
      pod.uid += fmt::format("~{}", i);
      snapshot.pods.push_back(std::move(pod));
    }
    for (CsiNode csi : std::vector<CsiNode>(snapshot.scheduling.csi_nodes))
      if (csi.name == type.node.name) {
        csi.name = node.name;
        snapshot.scheduling.csi_nodes.push_back(std::move(csi));
      }
    snapshot.nodes.push_back(std::move(node));
  }
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::sort(snapshot.nodes.begin(), snapshot.nodes.end(), by_name);
  std::sort(snapshot.scheduling.csi_nodes.begin(), snapshot.scheduling.csi_nodes.end(), by_name);
  std::sort(snapshot.pods.begin(), snapshot.pods.end(), [](const Pod& a, const Pod& b) {
    return std::tie(a.ns, a.name) < std::tie(b.ns, b.name);
  });
  return snapshot;
}

/// Only nodes of the type, and nothing on them but what comes with them.
Snapshot only_new(const Snapshot& snapshot, const NodeType& type) {
  Snapshot empty = snapshot;
  empty.pods = daemons_on(snapshot, type.node.name);
  for (const Pod& pod : snapshot.pods)
    if (pod.node_name.empty() && pod.nominated_node.empty()) empty.pods.push_back(pod);
  empty.nodes = {*type.like};
  Snapshot made = with_nodes(std::move(empty), type, 1);
  std::erase_if(made.nodes, [&](const Node& node) { return node.name == type.node.name; });
  return made;
}

std::int64_t missing_in(const Snapshot& snapshot, const std::vector<AskedObject>& objects,
                        const diagnose::ExplainOptions& options) {
  Filling filling(snapshot);
  std::int64_t most = 0;
  constexpr std::size_t kWays = 3;
  for (std::size_t way = 0; way < kWays; ++way) {
    const std::vector<PartRun> parts =
        run_through(filling, objects, TieBreak::of_run(way), Detail::starts, options);
    std::int64_t missing = 0;
    for (const AskedObject& object : objects)
      for (const AskedPods& each : object.parts)
        missing += std::min(each.planned.count, kMostTriedPods) - parts[each.row].started;
    most = std::max(most, missing);
  }
  return most;
}

/// How many pods one such node takes, at least one of each template that fits there.
std::int64_t pods_on_one(const Snapshot& snapshot, const NodeType& type,
                         const std::vector<AskedObject>& objects) {
  Filling filling(only_new(snapshot, type));
  std::int64_t most = 0;
  TieBreak ties(TieBreak::Way::first);
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) {
      filling.expect(each.planned.pod);
      const Filling::Mark before = filling.mark();
      std::int64_t taken = 0;
      while (taken < std::min(each.planned.count, kMostTriedPods) &&
             filling.start(each.planned.pod, ties))
        ++taken;
      filling.back_to(before);
      most = std::max(most, taken);
    }
  return most;
}

std::optional<std::int64_t> count_of(const Snapshot& snapshot, const NodeType& type,
                                     const std::vector<AskedObject>& objects, std::int64_t missing,
                                     const diagnose::ExplainOptions& options) {
  const std::int64_t each = pods_on_one(snapshot, type, objects);
  if (each == 0) return std::nullopt;
  std::int64_t count = 0;
  std::int64_t left = missing;
  for (int round = 0; round < kMostRounds && left > 0; ++round) {
    count += (left + each - 1) / each;
    if (count > kMostNodes) return count;
    const std::int64_t now = missing_in(with_nodes(snapshot, type, count), objects, options);
    if (now >= left && round > 1) return std::nullopt;
    left = now;
  }
  if (left > 0) return std::nullopt;
  return count;
}

void add_price(NodeNeed& need, const NodeType& type, const cost::Ledger& ledger) {
  const cost::Ledger::Entry* const entry = ledger.node(type.node.name);
  if (entry == nullptr) return;
  need.model = cost::card_model(entry->facts);
  const cost::NodePrice& price = entry->ledger.price();
  if (!price.per_hour) return;
  Money sum;
  for (std::int64_t i = 0; i < need.nodes; ++i) sum = sum + *price.per_hour;
  need.hour = sum;
  need.price_source = std::string(cost::name_of(price.source));
  need.as_of = price.as_of;
  need.is_estimate = price.is_estimate;
}

bool is_cheaper(const NodeNeed& a, const NodeNeed& b) {
  if (a.hour.has_value() != b.hour.has_value()) return a.hour.has_value();
  if (a.hour && *a.hour != *b.hour) return a.hour->nano < b.hour->nano;
  return std::tie(a.nodes, a.type, a.like) < std::tie(b.nodes, b.type, b.like);
}

}  // namespace

NeededNodes nodes_needed(const Snapshot& snapshot, const std::vector<AskedObject>& objects,
                         const cost::Ledger& ledger, const diagnose::ExplainOptions& options) {
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts)
      if (each.planned.count > kMostTriedPods) return {.needs = {}, .is_cut = true};
  bool with_gpus = false;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts)
      with_gpus = with_gpus || gpu_devices_in(effective_requests(each.planned.pod)) > 0 ||
                  !each.planned.pod.claim_slots.empty();
  const std::int64_t missing = missing_in(snapshot, objects, options);
  NeededNodes found;
  std::vector<NodeNeed>& needs = found.needs;
  if (missing == 0) return found;
  for (const NodeType& type : node_types(snapshot, with_gpus)) {
    const auto count = count_of(snapshot, type, objects, missing, options);
    if (count && *count > kMostNodes) found.is_cut = true;
    if (!count || *count > kMostNodes) continue;
    NodeNeed need{.type = std::string(instance_type(type.node)),
                  .like = type.node.name,
                  .gpus = gpus_of(type.node),
                  .nodes = *count};
    add_price(need, type, ledger);
    needs.push_back(std::move(need));
  }
  std::sort(needs.begin(), needs.end(), is_cheaper);
  return found;
}

}  // namespace gpu::plan
