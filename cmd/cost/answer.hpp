#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "cmd/cost/question.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/prices/price_book.hpp"
#include "cost/rows/cost_row.hpp"
#include "cost/rows/line.hpp"
#include "cost/rows/past_lines.hpp"
#include "model/objects/gap.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cmd {

/// What `cost` found. Refers to the snapshot, and to itself: it is neither copied nor moved.
struct CostAnswer {
  CostAnswer(const CostQuestion& of, const Snapshot& snapshot, const cost::PriceBook& prices,
             const std::optional<Time>& at);
  CostAnswer(const CostAnswer&) = delete;
  CostAnswer& operator=(const CostAnswer&) = delete;

  const CostQuestion& question;
  std::optional<Time> now;   ///< nothing: a file does not say when it was made
  std::optional<Time> from;  ///< totals are of the time since then: --since; nothing: of all
  usage::Inventory inventory;
  cost::Ledger ledger;
  cost::PastLedger past;              ///< of nodes that are gone
  std::vector<cost::CostLine> lines;  ///< that the question chooses
  cost::CostRow all;                  ///< all GPU nodes together
  std::vector<cost::CostRow> rows;
  std::optional<cost::CostRow> owner;  ///< of TYPE/NAME: all its pods, those that are gone, too
  std::vector<Gap> gaps;
  std::string empty_text;  ///< said when there are no rows
};

}  // namespace gpu::cmd
