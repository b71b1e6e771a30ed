#include "cost/ledger/ledger.hpp"

#include <algorithm>
#include <utility>

#include "model/gpu/gpu_labels.hpp"

namespace gpu::cost {
namespace {

const StringMap kNoLabels;

const Node* node_named(const Snapshot& snapshot, std::string_view name) {
  const auto at = std::lower_bound(
      snapshot.nodes.begin(), snapshot.nodes.end(), name,
      [](const Node& node, std::string_view wanted) { return node.name < wanted; });
  return at != snapshot.nodes.end() && at->name == name ? &*at : nullptr;
}

/// The nodes of the inventory's pools, each once, with nothing held.
std::vector<GpuNode> facts_of(const usage::Inventory& inventory) {
  std::vector<GpuNode> all;
  for (const Pool& pool : inventory.pools) {
    if (all.empty() || all.back().pools.front()->node != pool.node)
      all.push_back({.node = node_named(inventory.snapshot, pool.node),
                     .sums = sums_of(inventory.snapshot, pool.node)});
    all.back().pools.push_back(&pool);
  }
  return all;
}

}  // namespace

PricedNode priced_node(const GpuNode& facts) {
  PricedNode priced{.name = facts.pools.front()->node, .labels = &kNoLabels};
  for (const Pool* pool : facts.pools)
    if (priced.product.empty()) priced.product = card_product(pool->product);
  priced.cards = physical_cards(facts);
  if (facts.node == nullptr) return priced;
  priced.labels = &facts.node->labels;
  priced.annotations = &facts.node->annotations;
  priced.provider_id = facts.node->provider_id;
  const auto labels = gpu_labels(facts.node->labels);
  // In MIG single strategy the label tells the memory of a slice.
  if (labels && labels->single_mig_profile.empty()) priced.memory_mib = labels->memory_mib;
  return priced;
}

Ledger::Ledger(const usage::Inventory& inventory, const PriceBook& prices, ChargeRules rules)
    : rows_(usage::pod_usage(inventory)) {
  std::vector<GpuNode> facts = facts_of(inventory);
  std::map<std::string_view, GpuNode*, std::less<>> by_name;
  for (GpuNode& of_node : facts) by_name[of_node.pools.front()->node] = &of_node;
  for (const usage::PodUsage& row : rows_) by_name.at(row.pool->node)->rows.push_back(&row);
  nodes_.reserve(facts.size());
  for (GpuNode& of_node : facts) {
    NodePrice price = prices.price(priced_node(of_node));
    by_name_[of_node.pools.front()->node] = nodes_.size();
    NodeLedger ledger(of_node, std::move(price), rules);
    nodes_.push_back({std::move(of_node), std::move(ledger)});
  }
}

const Ledger::Entry* Ledger::node(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &nodes_[at->second];
}

}  // namespace gpu::cost
