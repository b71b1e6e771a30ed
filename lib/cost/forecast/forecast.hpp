#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/forecast/machine_offer.hpp"
#include "cost/forecast/money_range.hpp"
#include "cost/forecast/named_machines.hpp"
#include "cost/forecast/run_cost.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/prices/price_book.hpp"
#include "cost/rows/line.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cost {

/// What the pods of one template would cost.
struct PodForecast {
  std::string template_at;  ///< "spec.workerGroupSpecs[0].template"; empty: the object has one
  RunBounds bounds;
  std::string none_because;      ///< "suspend is true": there are no pods until that changes
  std::vector<GpuRequest> gpus;  ///< of one pod; empty: it requests none
  MachineBasis basis = MachineBasis::nothing;
  /// Why it fits on no node of the cluster, by NodeRefusals; empty if it fits on one, and if that
  /// is not known.
  std::string no_node_because;
  std::vector<MachineOffer> offers;  ///< the cheapest first, those without a price last
  MoneyRange hour;                   ///< of one pod
  /// On those of the machines that can be bought as spot capacity; nothing: none is known.
  std::optional<MoneyRange> spot_hour;
  std::vector<std::string> not_checked;
};

/// Whether an object can run on spot machines, which the cloud may take back.
enum class SpotFit : std::uint8_t {
  suited,    ///< its pods are created again, and repeat the work since the last checkpoint
  unsuited,  ///< it has no retries: one interruption ends it
};

/// What one object of a manifest would cost.
struct ObjectForecast {
  std::string ns, kind, name, file;
  std::vector<PodForecast> pods;  ///< never empty
  RunCost cost;
  /// All pods at once, if all of them can run on spot capacity, and some do not yet.
  std::optional<MoneyRange> spot_hour;
  SpotFit spot_fit = SpotFit::suited;
  /// What the object of that name costs an hour now; nothing: none of its pods holds GPUs.
  std::optional<Money> now;

  [[nodiscard]] bool has_gpus() const;
  [[nodiscard]] std::int64_t pods_at_once() const;
  /// With all that autoscalers may add; nothing: no limit is known.
  [[nodiscard]] std::optional<std::int64_t> pods_at_most() const;
  /// Devices that its pods request at one time.
  [[nodiscard]] std::int64_t units() const;
};

/// All objects together.
struct ForecastSum {
  MoneyRange hour = kNoMoney;
  std::optional<MoneyRange> total, bound = kNoMoney;
  std::optional<Money> now;  ///< of those that exist; nothing: none does
};
ForecastSum sum_of(const std::vector<ObjectForecast>& objects);

/// The input of a forecast. Refers to all of it.
struct ForecastBasis {
  const Snapshot& snapshot;  ///< an empty one where no cluster is seen
  const Ledger& ledger;
  const PriceBook& prices;
  const std::vector<CostLine>& lines;  ///< what pods of the cluster cost now
};

/// The options of a forecast.
struct ForecastRules {
  std::optional<std::chrono::seconds> run_for;  ///< each pod; nothing: not given
  MigBy mig_by = MigBy::compute;
};

/// What the objects of manifests would cost, in their order. Objects whose pods are not known are
/// left out: PlannedObjects::unknown without an outline.
std::vector<ObjectForecast> forecast(const PlannedObjects& planned, const ForecastBasis& basis,
                                     const ForecastRules& rules);

}  // namespace gpu::cost
