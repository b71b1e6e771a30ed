#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/money.hpp"
#include "cost/held/job_held.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/rows/line.hpp"
#include "cost/rows/tally.hpp"
#include "usage/rows/amounts.hpp"

namespace gpu::cost {

/// How exact the prices of a row are: as exact as the least exact of them.
struct PriceBasis {
  PriceSource source = PriceSource::flag;
  std::optional<Time> as_of;  ///< the oldest; nothing where one is undated
  bool is_estimate = false;
  bool is_upper_bound = false;
  std::int64_t prices = 0;  ///< number of prices; 0: none

  void add(const NodePrice& price);
};

/// One row of a view of `cost`: rates of an hour now, and the total until now.
struct CostRow {
  std::string ns;    ///< empty: not of one namespace
  std::string name;  ///< of the pod, the owner, the node, the model, or the label's value
  std::string kind;  ///< of the owner that the row is of: "Job"
  Owner owner;       ///< of a pod, or the one that the row is of; empty for others
  std::string node;  ///< where it is of one
  std::string model;
  std::vector<usage::PoolAmount> amounts;  ///< held now; of nodes and models all that there are
  std::int64_t units = 0;                  ///< of these
  std::optional<double> cards;             ///< physical GPUs of these; nothing: not known
  std::int64_t pods = 0;                   ///< that hold GPUs now
  std::int64_t finished_pods = 0;
  std::int64_t restarts = 0;
  Tally<HeldRate> rate;
  bool is_unheld = false;           ///< no pod holds some or all of it; it is idle, but not by use
  std::int64_t unpriced_units = 0;  ///< held now, without a price

  // Of pods, jobs and what sums them up.
  Tally<Money> total;
  Tally<double> card_hours;
  Tally<Money> startup;  ///< of the total, before a container had started
  Tally<Money> lost;     ///< of the total, by pods that failed: their work was repeated, or lost
  Tally<std::chrono::seconds> held_for, started_for;
  Evidence evidence = Evidence::exact;  ///< how the total is known
  std::int64_t missing_pods = 0;        ///< that a Job has counted, and that are gone
  bool may_have_more_pods = false;      ///< a Job may have had pods that nothing counts
  bool is_since_node = false;        ///< a pod began on an earlier node of that name: not counted
  bool was_on_earlier_node = false;  ///< a pod ended on one, and is priced as the node is now
  bool has_odd_times = false;        ///< times contradict each other: their part is not known
  std::optional<std::chrono::seconds> queued;  ///< the longest

  // Of nodes and models.
  std::int64_t nodes = 0;
  std::int64_t other_pods = 0;  ///< on these nodes, without GPUs: they cost nothing by themselves
  Tally<Money> price;
  std::array<Money, kUnallocated> unallocated{};
  Money unseen, host;

  PriceBasis basis;

  [[nodiscard]] Money unallocated_sum() const;
  /// Whether a part of the total has no price, or no times: the total is then a lower bound.
  [[nodiscard]] bool has_partial_total() const { return total.known > 0 && total.missing > 0; }
};

/// What a row is about.
enum class GroupBy : std::uint8_t { ns, pod, owner, label };

/// `lines` in rows, the dearest first. `label` is the key of a pod label, for GroupBy::label; pods
/// without it share the row `-`.
std::vector<CostRow> demand_rows(const std::vector<CostLine>& lines, GroupBy by,
                                 const std::string& label = {});

/// A row for each node, or for each model of card; the dearest first.
std::vector<CostRow> node_rows(const Ledger& ledger);
std::vector<CostRow> model_rows(const Ledger& ledger);

/// All nodes together.
CostRow total_row(const Ledger& ledger);

/// "H100-80G" for the cards of a node, sliced or not; "T4-16G + L4-24G" where they are of several
/// models; empty where it is not known.
std::string card_model(const GpuNode& facts);

}  // namespace gpu::cost
