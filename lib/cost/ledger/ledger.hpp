#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/ledger/node_ledger.hpp"
#include "cost/prices/price_book.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cost {

/// What the GPU nodes of a cluster cost now, and who holds what of it. Refers to the inventory.
class Ledger {
 public:
  Ledger(const usage::Inventory& inventory, const PriceBook& prices, ChargeRules rules);

  /// A node, with what it costs.
  struct Entry {
    GpuNode facts;
    NodeLedger ledger;
    [[nodiscard]] const std::string& name() const { return facts.pools.front()->node; }
  };
  /// Every node with GPUs, by name; those that were not read last.
  [[nodiscard]] const std::vector<Entry>& nodes() const { return nodes_; }
  /// Null where there is no such node with GPUs.
  [[nodiscard]] const Entry* node(std::string_view name) const;
  /// Everything that is held, in the order of pod_usage().
  [[nodiscard]] const std::vector<usage::PodUsage>& rows() const { return rows_; }

 private:
  std::vector<usage::PodUsage> rows_;
  std::vector<Entry> nodes_;
  std::map<std::string_view, std::size_t, std::less<>> by_name_;
};

/// The facts by which the price of a node of the cluster is found.
PricedNode priced_node(const GpuNode& facts);

}  // namespace gpu::cost
