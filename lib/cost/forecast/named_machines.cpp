#include "cost/forecast/named_machines.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "cost/prices/node_facts.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/instance_table.hpp"

namespace gpu::cost {
namespace {

constexpr std::string_view kType = "node.kubernetes.io/instance-type";
constexpr std::string_view kOldType = "beta.kubernetes.io/instance-type";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";

/// More alternatives than anybody writes.
constexpr std::size_t kMostSets = 256;

/// `sets`, each with each value of the requirement.
void spread(std::vector<StringMap>& sets, const Requirement& requirement) {
  if (requirement.op != "In" || requirement.values.empty()) return;
  std::vector<StringMap> made;
  for (const StringMap& set : sets)
    for (const std::string& value : requirement.values) {
      if (made.size() == kMostSets) break;
      made.push_back(set);
      made.back().set(requirement.key, value);
    }
  sets = std::move(made);
}

/// The labels that a node must have, a set for each way to have them.
std::vector<StringMap> label_sets(const Pod& pod) {
  if (!pod.placement.node_affinity) return {pod.node_selector};
  std::vector<StringMap> all;
  for (const NodeSelectorTerm& term : *pod.placement.node_affinity) {
    std::vector<StringMap> sets = {pod.node_selector};
    for (const Requirement& each : term.expressions) spread(sets, each);
    all.insert(all.end(), sets.begin(), sets.end());
    if (all.size() > kMostSets) break;
  }
  if (all.empty()) all.push_back(pod.node_selector);
  return all;
}

std::string_view type_in(const StringMap& labels) {
  const std::string_view type = value_of(labels, kType);
  return type.empty() ? value_of(labels, kOldType) : type;
}

std::string product_in(const StringMap& labels) {
  const auto read = gpu_labels(labels);
  return read ? read->product : std::string();
}

FutureMachine machine_of(const StringMap& labels, const MachineMarket& market) {
  FutureMachine machine{.labels = labels, .product = product_in(labels)};
  if (!market.provider.empty()) machine.provider_id = market.provider + "://";
  if (!market.region.empty() && !labels.contains(kRegion))
    machine.labels.set(kRegion, market.region);
  return machine;
}

/// A machine for each instance type of the provider with GPUs of that product.
std::vector<FutureMachine> machines_with(const FutureMachine& one, const MachineMarket& market) {
  std::vector<FutureMachine> machines;
  const std::vector<const GpuModel*> models = models_called(whole_product(one.product));
  for (const GpuInstance& row : gpu_instances()) {
    const bool is_offered = row.kind == InstanceKind::instance && !row.is_slice && row.gpus > 0 &&
                            row.provider == market.provider;
    const bool has_it = std::any_of(models.begin(), models.end(),
                                    [&](const GpuModel* each) { return each->name == row.model; });
    if (!is_offered || !has_it) continue;
    machines.push_back(one);
    machines.back().labels.set(kType, row.type);
    machines.back().cards = row.gpus;
  }
  return machines;
}

/// Instance types alone, where one of the machines has one: the rest are of other alternatives.
void keep_best(FutureMachines& found) {
  const auto is_typed = [](const FutureMachine& each) { return !type_in(each.labels).empty(); };
  const auto has_model = [](const FutureMachine& each) { return !each.product.empty(); };
  auto& machines = found.machines;
  if (std::any_of(machines.begin(), machines.end(), is_typed))
    found.basis = MachineBasis::instance_types;
  else if (std::any_of(machines.begin(), machines.end(), has_model))
    found.basis = MachineBasis::model;
}

template <class Key>
Key most_frequent(const std::map<Key, std::int64_t>& counts) {
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? Key() : most->first;
}

}  // namespace

std::string_view name_of(MachineBasis basis) {
  switch (basis) {
    case MachineBasis::nodes:
      return "nodes";
    case MachineBasis::node_pools:
      return "nodePools";
    case MachineBasis::instance_types:
      return "instanceTypes";
    case MachineBasis::model:
      return "model";
    case MachineBasis::nothing:
      return "nothing";
  }
  return {};
}

MachineMarket market_of(const Snapshot& snapshot) {
  std::map<std::string, std::int64_t> providers, regions;
  for (const Node& node : snapshot.nodes) {
    if (std::string provider = provider_of(node.provider_id); !provider.empty())
      ++providers[provider];
    if (std::string region = region_of(node.labels, node.provider_id); !region.empty())
      ++regions[region];
  }
  return {.provider = most_frequent(providers), .region = most_frequent(regions)};
}

FutureMachines named_machines(const Pod& pod, const MachineMarket& market) {
  FutureMachines found;
  for (const StringMap& labels : label_sets(pod))
    found.machines.push_back(machine_of(labels, market));
  keep_best(found);
  if (found.basis != MachineBasis::model) return found;
  std::vector<FutureMachine> machines;
  for (const FutureMachine& each : found.machines) {
    std::vector<FutureMachine> typed = machines_with(each, market);
    if (typed.empty()) typed.push_back(each);  // the median of all providers
    std::move(typed.begin(), typed.end(), std::back_inserter(machines));
  }
  found.machines = std::move(machines);
  return found;
}

}  // namespace gpu::cost
