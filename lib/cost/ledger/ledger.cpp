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
  const auto named = std::find_if(facts.pools.begin(), facts.pools.end(),
                                  [](const Pool* pool) { return !pool->product.empty(); });
  const Pool& first = named == facts.pools.end() ? *facts.pools.front() : **named;
  priced.product = card_product(first.product);
  priced.cards = physical_cards(facts);
  if (facts.node == nullptr) return priced;
  priced.labels = &facts.node->labels;
  priced.annotations = &facts.node->annotations;
  priced.provider_id = facts.node->provider_id;
  const auto labels = gpu_labels(facts.node->labels);
  // In MIG single strategy the label tells the memory of a slice; a node may have GPUs of other
  // vendors, too.
  const bool is_of_card =
      labels && labels->single_mig_profile.empty() && labels->vendor == first.kind.vendor;
  if (is_of_card) priced.memory_mib = labels->memory_mib;
  return priced;
}

namespace {

/// Where a product or both are not known, the GPUs of one vendor are taken to be alike.
bool is_of_model(const GpuNode& part, const Pool& pool) {
  const Pool& first = *part.pools.front();
  if (first.product.empty() || pool.product.empty()) return first.kind.vendor == pool.kind.vendor;
  return card_product(first.product) == card_product(pool.product);
}

/// Whether the pool is of GPUs that stand in no other.
bool has_own_cards(const Pool& pool) { return !pool.is_second_view && pool.total.value_or(0) > 0; }

/// The GPUs of each model that the node has, with what is held of them.
std::vector<GpuNode> by_model(const GpuNode& facts) {
  std::vector<GpuNode> parts;
  const auto add = [&](const Pool* pool) {
    auto at = std::find_if(parts.begin(), parts.end(),
                           [&](const GpuNode& part) { return is_of_model(part, *pool); });
    if (at == parts.end() && !has_own_cards(*pool)) at = parts.begin();
    if (at == parts.end()) at = parts.insert(at, {.node = facts.node, .sums = facts.sums});
    at->pools.push_back(pool);
  };
  for (const Pool* pool : facts.pools)
    if (has_own_cards(*pool)) add(pool);
  if (parts.size() < 2) return {facts};
  for (const Pool* pool : facts.pools)
    if (!has_own_cards(*pool)) add(pool);
  for (const usage::PodUsage* row : facts.rows)
    for (GpuNode& part : parts)
      if (std::find(part.pools.begin(), part.pools.end(), row->pool) != part.pools.end())
        part.rows.push_back(row);
  return parts;
}

/// One price shared evenly where the node has one whatever its GPUs are, as a machine has that is
/// rented. Where the price follows from the model, each model's GPUs have their own. Where it does,
/// and not from their number, the parts of the models are not checked: an estimate.
NodeLedger ledger_of(const GpuNode& facts, const PriceBook& prices, ChargeRules rules) {
  const PricedNode whole = priced_node(facts);
  NodePrice price = prices.price(whole);
  std::vector<GpuNode> models = by_model(facts);
  if (models.size() < 2) return {facts, std::move(price), rules};
  std::vector<NodeLedger::Part> parts;
  bool is_of_node = true;
  bool is_of_cards = true;
  for (GpuNode& model : models) {
    PricedNode priced = priced_node(model);
    NodePrice own = prices.price(priced);
    is_of_cards = is_of_cards && priced.cards.has_value();
    priced.cards = whole.cards;
    const NodePrice of_all = prices.price(priced);
    is_of_node = is_of_node && of_all.per_hour == price.per_hour;
    is_of_cards = is_of_cards && (!own.per_hour || own.per_hour != of_all.per_hour);
    parts.push_back({.facts = std::move(model), .price = std::move(own)});
  }
  if (!is_of_node && is_of_cards) return {facts, std::move(parts), rules};
  price.is_estimate = price.is_estimate || !is_of_node;
  return {facts, std::move(price), rules};
}

}  // namespace

Ledger::Ledger(const usage::Inventory& inventory, const PriceBook& prices, ChargeRules rules)
    : rows_(usage::pod_usage(inventory)) {
  std::vector<GpuNode> facts = facts_of(inventory);
  std::map<std::string_view, GpuNode*, std::less<>> by_name;
  for (GpuNode& of_node : facts) by_name[of_node.pools.front()->node] = &of_node;
  for (const usage::PodUsage& row : rows_) by_name.at(row.pool->node)->rows.push_back(&row);
  nodes_.reserve(facts.size());
  for (GpuNode& of_node : facts) {
    by_name_[of_node.pools.front()->node] = nodes_.size();
    NodeLedger ledger = ledger_of(of_node, prices, rules);
    nodes_.push_back({std::move(of_node), std::move(ledger)});
  }
}

const Ledger::Entry* Ledger::node(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &nodes_[at->second];
}

}  // namespace gpu::cost
