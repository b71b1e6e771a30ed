#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/money.hpp"
#include "base/time.hpp"
#include "cost/held/held.hpp"
#include "cost/ledger/ledger.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::cost {

/// What one pod holds, or held, of one pool, or what a claim holds that no pod uses. Refers to the
/// snapshot and the ledger.
struct CostLine {
  std::string ns;
  const Pod* pod = nullptr;       ///< null: a claim without pods, or a pod that is gone
  const PastPod* past = nullptr;  ///< a pod that is gone
  std::string claim;
  Owner owner;  ///< empty for a claim without pods
  std::string node;
  const Pool* pool = nullptr;  ///< null: the node is gone, or does not have the resource any more
  std::string resource;
  std::int64_t units = 0;
  const NodePrice* price = nullptr;  ///< null: as `pool`
  std::optional<double> cards;       ///< physical GPUs; nothing: not known
  bool holds_now = false;
  /// An hour, now; nothing where it has no price. All 0 for a pod that is finished.
  std::optional<HeldRate> rate;
  std::optional<Money> hour;  ///< what it costs an hour while it holds
  Held held;
  bool is_since_node = false;  ///< it began on an earlier node of that name: held from this one on
  bool was_on_earlier_node = false;  ///< it ended on one, which is priced as this one
  bool has_odd_times = false;        ///< its times contradict each other, or are in the future
  std::optional<std::chrono::seconds> held_for, started_for;
  std::optional<Money>
      total;  ///< so far, or since `from`; nothing: no price, or its times are not known
  std::optional<double> card_hours;
};

/// A line for each row of the ledger, then one for each pod of the snapshot that is finished and
/// had GPUs. `now`: nothing if a file does not say when it was written; totals are unknown then.
/// With `from`, totals count the time since then, and pods that had released their GPUs before are
/// left out.
std::vector<CostLine> cost_lines(const Ledger& ledger, const Snapshot& snapshot,
                                 const std::optional<Time>& now,
                                 const std::optional<Time>& from = {});

}  // namespace gpu::cost
