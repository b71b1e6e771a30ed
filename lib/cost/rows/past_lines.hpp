#pragma once

#include <optional>
#include <vector>

#include "base/time.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/rows/cost_row.hpp"
#include "cost/rows/line.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cost {

/// The cost of nodes that are gone, as far as metrics describe them.
class PastLedger {
 public:
  PastLedger(const History& history, const PriceBook& prices, ChargeRules rules);
  PastLedger(const PastLedger&) = delete;
  PastLedger& operator=(const PastLedger&) = delete;
  ~PastLedger() = default;

  [[nodiscard]] const Ledger::Entry* node(std::string_view name) const {
    return ledger_.node(name);
  }

 private:
  Snapshot snapshot_;
  usage::Inventory inventory_;
  Ledger ledger_;
};

/// A line for each resource of each pod of the snapshot's history, with the price of its node now,
/// or in the past. Totals are of the time since `from`. These pods hold nothing now, and their use
/// is not known, so they have no rate.
std::vector<CostLine> past_lines(const Ledger& ledger, const PastLedger& past,
                                 const Snapshot& snapshot, const std::optional<Time>& now,
                                 const std::optional<Time>& from);

/// Marks a row of many pods, of a namespace, a label or an owner, as a lower bound if pods that are
/// gone may be missing: the history is incomplete, or does not have their labels.
void doubt_sum(CostRow& row, const History& history);

}  // namespace gpu::cost
