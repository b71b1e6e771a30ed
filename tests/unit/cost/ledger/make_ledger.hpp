#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/ledger/ledger.hpp"
#include "make.hpp"
#include "usage/rows/inventory.hpp"

/// A cluster with what its nodes cost.
namespace gpu::make {

/// `node` as an instance of that type.
inline Node of_type(Node node, const std::string& type, const std::string& product = "") {
  node.labels.set("node.kubernetes.io/instance-type", type);
  node.labels.set("topology.kubernetes.io/region", "us-east-1");
  if (!product.empty()) node.labels.set("nvidia.com/gpu.product", product);
  return node;
}

/// A ledger and all that it refers to.
struct Priced {
  explicit Priced(Snapshot of, cost::ChargeRules rules = {}, const cost::PriceBook& prices = {})
      : snapshot(std::move(of)), inventory(snapshot), ledger(inventory, prices, rules) {}
  Priced(const Priced&) = delete;

  Snapshot snapshot;
  usage::Inventory inventory;
  cost::Ledger ledger;
};

/// What the parts of a node add up to.
inline Money sum_of(const cost::NodeLedger& node) {
  return node.held_sum().total() + node.unallocated_sum() + node.unseen() + node.host();
}

}  // namespace gpu::make
