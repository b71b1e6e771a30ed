#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cost/forecast/forecast.hpp"
#include "cost/ledger/make_ledger.hpp"
#include "cost/rows/line.hpp"

/// A cluster, and what is planned for it.
namespace gpu::make {

/// `count` pods like `pod`, of an object of that kind called "train".
inline PlannedPod planned(Pod pod, std::string kind, std::int64_t count = 1) {
  PlannedPod made{.count = count, .file = "train.yaml"};
  pod.name = "train";
  pod.node_name.clear();
  if (kind != "Pod") pod.owners = {{.kind = std::move(kind), .name = "train", .controller = true}};
  made.pod = std::move(pod);
  made.bounds.pods_at_once = made.bounds.pods_in_all = count;
  return made;
}

/// The same of a Job.
inline PlannedPod job(std::int64_t gpus, std::int64_t count = 1, std::int64_t retries = 6) {
  PlannedPod made = planned(pod("train", "", gpus), "Job", count);
  made.bounds.ends = true;
  made.bounds.retries = retries;
  return made;
}

/// Everything that a forecast is made from.
struct Forecasting {
  explicit Forecasting(Snapshot of, cost::PriceRules rules = {})
      : prices(book_of(std::move(rules))),
        snapshot(std::move(of)),
        inventory(snapshot),
        ledger(inventory, prices, {}),
        lines(cost::cost_lines(ledger, snapshot, std::nullopt)) {}
  Forecasting(const Forecasting&) = delete;

  [[nodiscard]] std::vector<cost::ObjectForecast> all(
      std::vector<PlannedPod> pods, std::optional<std::chrono::seconds> run_for = {}) const {
    PlannedObjects planned;
    planned.pods = std::move(pods);
    return cost::forecast(planned, {snapshot, ledger, prices, lines}, {.run_for = run_for});
  }
  [[nodiscard]] cost::ObjectForecast one(PlannedPod pod,
                                         std::optional<std::chrono::seconds> run_for = {}) const {
    return all({std::move(pod)}, run_for).at(0);
  }

  cost::PriceBook prices;
  Snapshot snapshot;
  usage::Inventory inventory;
  cost::Ledger ledger;
  std::vector<cost::CostLine> lines;

 private:
  static cost::PriceBook book_of(cost::PriceRules rules) {
    cost::PriceBook book;
    book.add(std::move(rules));
    return book;
  }
};

}  // namespace gpu::make
