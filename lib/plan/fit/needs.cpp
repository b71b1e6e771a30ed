#include "plan/fit/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "cost/rows/cost_row.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/objects/own_kind.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/requests.hpp"
#include "plan/fit/missing.hpp"
#include "plan/fit/run.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::plan {
namespace {

constexpr std::size_t kMostTypes = 12;
constexpr int kMostRounds = 6;
/// Each lays the whole cluster out anew.
constexpr int kMostTries = 10;

std::string_view label(const Node& node, std::string_view key) {
  const std::string* const value = node.labels.find(key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::string_view instance_type(const Node& node) {
  const std::string_view type = label(node, "node.kubernetes.io/instance-type");
  return type.empty() ? label(node, "beta.kubernetes.io/instance-type") : type;
}

std::int64_t gpus_of(const Node& node) { return gpu_devices_in(node.allocatable); }

/// As it would come up: without what says of one node that it is ill, cordoned or leaving, and with
/// all of its GPUs, some of which may be unhealthy or not counted yet.
Node fresh(const Node& node) {
  Node made = node;
  made.unschedulable = false;
  made.deleted.reset();
  for (const auto& [name, amount] : node.capacity)
    if (gpu_resource(name) && amount_of(made.allocatable, name) < amount)
      made.allocatable.set(name, amount);
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
  return std::tuple(gpus_of(fresh(a)), is_ready(a)) > std::tuple(gpus_of(fresh(b)), is_ready(b));
}

std::vector<NodeType> node_types(const Snapshot& snapshot, bool with_gpus) {
  using Key = std::tuple<std::string, std::string, std::vector<std::string>>;
  std::map<Key, const Node*> types;
  for (const Node& node : snapshot.nodes) {
    if (with_gpus && gpus_of(fresh(node)) == 0) continue;
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
    if (owner != nullptr && (is_own(*owner, "DaemonSet") || is_own(*owner, "Node")))
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

/// All but nodes and pods.
Snapshot without_nodes(const Snapshot& snapshot) {
  Snapshot empty = snapshot;
  empty.nodes.clear();
  empty.pods.clear();
  return empty;
}

/// Only nodes of the type, and nothing on them but what comes with them. `empty` has neither nodes
/// nor pods.
Snapshot only_new(const Snapshot& snapshot, Snapshot empty, const NodeType& type) {
  empty.pods = daemons_on(snapshot, type.node.name);
  for (const Pod& pod : snapshot.pods)
    if (pod.node_name.empty() && pod.nominated_node.empty()) empty.pods.push_back(pod);
  empty.nodes = {*type.like};
  Snapshot made = with_nodes(std::move(empty), type, 1);
  std::erase_if(made.nodes, [&](const Node& node) { return node.name == type.node.name; });
  return made;
}

/// How many pods one such node takes of the template of which it takes the most.
std::int64_t pods_on_one(Filling& filling, const std::vector<AskedObject>& objects) {
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

/// The search for the fewest nodes of one type. Refers to all that it is made of.
class NodeCount {
 public:
  NodeCount(const Snapshot& snapshot, const NodeType& type, const std::vector<AskedObject>& objects,
            const diagnose::ExplainOptions& options)
      : snapshot_(snapshot), type_(type), objects_(objects), options_(options) {}

  /// `each` pods fit on one of them at the most, and `missing` do not start without any. More than
  /// kMostNodes: so many would not do. Nothing: no number does.
  std::optional<std::int64_t> fewest(std::int64_t each, Missing missing) {
    std::int64_t too_few = 0;
    std::int64_t enough = 0;
    for (int round = 0; round < kMostRounds && enough == 0; ++round) {
      const std::int64_t more = std::max<std::int64_t>(1, (missing.without_room + each - 1) / each);
      const std::int64_t count = too_few + more;
      if (count > kMostNodes) return count;
      if (round == 0 && is_plain()) too_few = count - 1;
      const Missing now = missing_with(count);
      if (now.pods == 0)
        enough = count;
      else if (round > 1 && now.without_room >= missing.without_room && now.pods >= missing.pods)
        return std::nullopt;
      else
        too_few = count;
      missing = now;
    }
    if (enough == 0) return std::nullopt;
    for (; too_few + 1 < enough && tries_ < kMostTries;) {
      const std::int64_t middle = too_few + (enough - too_few) / 2;
      (missing_with(middle).pods == 0 ? enough : too_few) = middle;
    }
    return enough;
  }

 private:
  /// Whether new nodes take no more pods than fit on them: no rule lets more onto others for them.
  [[nodiscard]] bool is_plain() const {
    if (objects_.size() != 1 || objects_.front().parts.size() != 1) return false;
    const Pod& pod = objects_.front().parts.front().planned.pod;
    return pod.placement.spread.empty() && pod.placement.pod_affinity.empty() &&
           pod.placement.pod_anti_affinity.empty() && pod.volumes.empty() &&
           pod.claim_slots.empty();
  }

  Missing missing_with(std::int64_t count) {
    ++tries_;
    Filling filling(with_nodes(snapshot_, type_, count));
    return missing_in(filling, objects_, options_);
  }

  const Snapshot& snapshot_;
  const NodeType& type_;
  const std::vector<AskedObject>& objects_;
  const diagnose::ExplainOptions& options_;
  int tries_ = 0;
};

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

NeededNodes nodes_needed(Filling& filling, const std::vector<AskedObject>& objects,
                         const cost::Ledger& ledger, const diagnose::ExplainOptions& options) {
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts)
      if (each.planned.count > kMostTriedPods) return {.needs = {}, .is_cut = true};
  const Snapshot& snapshot = filling.cluster().snapshot();
  bool with_gpus = false;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts)
      with_gpus = with_gpus || gpu_devices_in(effective_requests(each.planned.pod)) > 0 ||
                  !each.planned.pod.claim_slots.empty();
  const Missing missing = missing_in(filling, objects, options);
  NeededNodes found;
  std::vector<NodeNeed>& needs = found.needs;
  if (missing.pods == 0) return found;
  const Snapshot empty = without_nodes(snapshot);
  for (const NodeType& type : node_types(snapshot, with_gpus)) {
    Filling one(only_new(snapshot, empty, type));
    const std::int64_t each = pods_on_one(one, objects);
    if (each == 0) continue;
    const auto count = NodeCount(snapshot, type, objects, options).fewest(each, missing);
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
