#include "cmd/cost/forecast_keys.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/cost/cost_cells.hpp"
#include "report/fields.hpp"

namespace gpu::cmd {
namespace {

using cost::GpuRequest;
using cost::MachineOffer;
using cost::MoneyRange;
using cost::ObjectForecast;
using cost::PodForecast;
using report::Cell;
using report::Field;
using report::Type;

Cell cards_cell(const std::optional<double>& cards) {
  // To the millionth: what is behind it comes of adding floating-point numbers.
  constexpr double kMillion = 1e6;
  return cards ? Cell(report::Ratio{std::round(*cards * kMillion) / kMillion}) : Cell();
}

const report::Fields<GpuRequest>& request_fields() {
  static const report::Fields<GpuRequest> fields = {
      {{"resource", Type::text(), "Of a ResourceClaim its device class."}, &GpuRequest::resource},
      {{"units", Type::count(), "Of one pod; 0: not known, and so no price is."},
       &GpuRequest::units},
      {{"isClaimed", Type::flag(), "Through a ResourceClaim."}, &GpuRequest::is_claimed},
      {{"part", Type::text().or_null(), "What it requests of each, for people; null: all of it."},
       [](const GpuRequest& request) {
         return request.part ? Cell(cost::text_of(*request.part)) : Cell();
       }},
  };
  return fields;
}

const report::Fields<MachineOffer>& offer_fields() {
  static const report::Fields<MachineOffer> fields = {
      {{"instanceType", Type::text().or_null()},
       [](const MachineOffer& offer) { return text_cell(offer.type); }},
      {{"model", Type::text().or_null(), "Of its GPUs."},
       [](const MachineOffer& offer) { return text_cell(offer.model); }},
      {{"nodes", Type::count(), "Of the cluster that could take a pod; 0: none is there yet."},
       [](const MachineOffer& offer) { return Cell(offer.nodes); }},
      {{"capacityType", Type::one_of<cost::CapacityType>(cost::name_of)},
       [](const MachineOffer& offer) { return Cell(cost::name_of(offer.capacity)); }},
      {{"cards", Type::amount().or_null(), "Physical GPUs of one pod."},
       [](const MachineOffer& offer) { return cards_cell(offer.cards); }},
      {{"podUsdPerHour", Type::amount().or_null(), "One pod; null: no price."},
       [](const MachineOffer& offer) { return usd_cell(offer.hour); }},
      {{"podSpotUsdPerHour", Type::amount().or_null(),
        "The same as spot capacity; null: not known, or it is that already."},
       [](const MachineOffer& offer) { return usd_cell(offer.spot_hour); }},
      {{"priceSource", Type::one_of<cost::PriceSource>(cost::name_of)},
       [](const MachineOffer& offer) { return Cell(cost::name_of(offer.source)); }},
      {{"priceAsOf", Type::text().or_null()},
       [](const MachineOffer& offer) {
         return offer.as_of ? Cell(format_time(*offer.as_of).substr(0, 10)) : Cell();
       }},
      {{"isEstimate", Type::flag(), "Another region's price, or a median."},
       [](const MachineOffer& offer) { return Cell(offer.is_estimate); }},
      {{"isUpperBound", Type::flag(), "Spot capacity at the on-demand price."},
       [](const MachineOffer& offer) { return Cell(offer.is_upper_bound); }},
  };
  return fields;
}

report::List texts_of(const std::vector<std::string>& texts) {
  report::List list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

const report::Fields<PodForecast>& pod_fields() {
  static const report::Fields<PodForecast> fields = {
      {{"template", Type::text().or_null(), "Where it stands, if the object has several."},
       [](const PodForecast& pod) { return text_cell(pod.template_at); }},
      {{"podsAtOnce", Type::count()},
       [](const PodForecast& pod) { return Cell(pod.bounds.pods_at_once); }},
      {{"podsAtMost", Type::count().or_null(),
        "At one time, with all that autoscalers may add; null: no limit is known."},
       [](const PodForecast& pod) { return report::cell_of(cost::pods_at_most(pod.bounds)); }},
      {{"grownBy", Type::text().or_null(),
        "The field that limits what autoscalers may add, or why none does; null: no autoscaler of "
        "the manifests does."},
       [](const PodForecast& pod) {
         return pod.bounds.growth ? Cell(pod.bounds.growth->by) : Cell();
       }},
      {{"podsInAll", Type::count(), "That have to succeed, without retries."},
       [](const PodForecast& pod) { return Cell(pod.bounds.pods_in_all); }},
      {{"noneBecause", Type::text().or_null(),
        "Why it creates no pods now; amounts are those once that changes."},
       [](const PodForecast& pod) { return text_cell(pod.none_because); }},
      {{"gpus", Type::list(request_fields().type())},
       [](const PodForecast& pod) { return Cell(request_fields().list(pod.gpus)); }},
      {{"pricedBy", Type::one_of<cost::MachineBasis>(cost::name_of).or_null(),
        "Nodes of the cluster that could take a pod, otherwise what NodePools may create, "
        "otherwise what the "
        "manifest names; null: it requests no GPU."},
       [](const PodForecast& pod) {
         return pod.gpus.empty() ? Cell() : Cell(cost::name_of(pod.basis));
       }},
      {{"noNodeBecause", Type::text().or_null(),
        "Why no node of the cluster takes a pod; null: one does, or that is not known."},
       [](const PodForecast& pod) { return text_cell(pod.no_node_because); }},
      {{"machines", Type::list(offer_fields().type()), "The cheapest first."},
       [](const PodForecast& pod) { return Cell(offer_fields().list(pod.offers)); }},
      {{"notChecked", Type::list(Type::text())},
       [](const PodForecast& pod) { return Cell(texts_of(pod.not_checked)); }},
  };
  return fields;
}

struct Horizon {
  std::int64_t hours = 0;
  MoneyRange amount;
};

const report::Fields<Horizon>& horizon_fields() {
  static const report::Fields<Horizon> fields = {
      {{"hours", Type::count(1)}, &Horizon::hours},
      {{"usdMin", Type::amount().or_null()},
       [](const Horizon& horizon) { return usd_cell(horizon.amount.low); }},
      {{"usdMax", Type::amount().or_null()},
       [](const Horizon& horizon) { return usd_cell(horizon.amount.high); }},
  };
  return fields;
}

Cell horizons_cell(const ObjectForecast& object) {
  std::vector<Horizon> horizons;
  for (const std::int64_t hours : kHorizons)
    if (const auto amount = over_horizon(object, hours)) horizons.push_back({hours, *amount});
  return horizons.empty() ? Cell() : Cell(horizon_fields().list(horizons));
}

using RangeOf = std::optional<MoneyRange> (*)(const ObjectForecast&);

/// A key for each end of an amount.
void add_range(ForecastColumns& columns, const std::string& key, const std::string& says,
               RangeOf of) {
  columns.machine({key + "Min", Type::amount().or_null(), says},
                  [of](const ObjectForecast& object) {
                    const auto range = of(object);
                    return range ? usd_cell(range->low) : Cell();
                  });
  columns.machine({key + "Max", Type::amount().or_null(), "null: some price is not known."},
                  [of](const ObjectForecast& object) {
                    const auto range = of(object);
                    return range ? usd_cell(range->high) : Cell();
                  });
}

void add_object(ForecastColumns& columns) {
  columns.machine({"namespace", Type::text()}, [](const auto& object) { return Cell(object.ns); });
  columns.machine({"kind", Type::text()}, [](const auto& object) { return Cell(object.kind); });
  columns.machine({"name", Type::text()}, [](const auto& object) { return Cell(object.name); });
  columns.machine({"file", Type::text().or_null()},
                  [](const auto& object) { return text_cell(object.file); });
  columns.machine({"pods", Type::count(), "That start at one time."},
                  [](const auto& object) { return Cell(object.pods_at_once()); });
  columns.machine({"podsAtMost", Type::count().or_null(),
                   "At one time, with all that autoscalers may add; null: no limit is known."},
                  [](const auto& object) { return report::cell_of(object.pods_at_most()); });
  columns.machine({"gpus", Type::count(), "Units that all pods at one time request."},
                  [](const auto& object) { return Cell(object.units()); });
}

void add_amounts(ForecastColumns& columns) {
  add_range(columns, "usdPerHour", "All pods that start at one time, on the cheapest machines.",
            [](const ObjectForecast& object) { return std::optional(object.cost.hour); });
  add_range(columns, "grownUsdPerHour",
            "The same with all that autoscalers may add; null: no limit is known.",
            [](const ObjectForecast& object) { return object.cost.grown_hour; });
  add_range(
      columns, "spotUsdPerHour",
      "The pods that start on machines that are offered as spot; null: not known, or they are "
      "spot already.",
      [](const ObjectForecast& object) { return object.spot_hour; });
  columns.machine(
      {"isSuitedForSpot", Type::flag(),
       "Its pods are created again when a machine is taken back; what was done since the "
       "last checkpoint is done again."},
      [](const ObjectForecast& object) { return Cell(object.spot_fit == cost::SpotFit::suited); });
  columns.machine(
      {"usdPerHourNow", Type::amount().or_null(),
       "What the object of that name costs now; null: no pod of it was seen to hold GPUs."},
      [](const ObjectForecast& object) { return usd_cell(object.now); });
  add_range(columns, "usdTotal", "Each pod runs once for --hours; null: no --hours.",
            [](const ObjectForecast& object) { return object.cost.total; });
  add_range(
      columns, "usdWorst",
      "The same with all retries, and all that autoscalers may add; null: not asked, or no limit "
      "is known.",
      [](const ObjectForecast& object) { return object.cost.worst; });
  add_range(columns, "usdByDeadline",
            "All pods until the deadline, and all that autoscalers may add; null: no deadline.",
            [](const ObjectForecast& object) { return object.cost.by_deadline; });
}

void add_bounds(ForecastColumns& columns) {
  columns.machine({"deadlineSeconds", Type::count().or_null(),
                   "activeDeadlineSeconds of all its restarts together."},
                  [](const ObjectForecast& object) { return length_cell(object.cost.deadline); });
  columns.machine(
      {"retries", Type::count().or_null(),
       "Of pods; null: it does not run to an end, or its retries are not counted."},
      [](const ObjectForecast& object) { return report::cell_of(object.cost.retries); });
  columns.machine({"restarts", Type::count(), "Of all of its pods together."},
                  [](const ObjectForecast& object) { return Cell(object.cost.restarts); });
  columns.machine({"runsToAnEnd", Type::flag()},
                  [](const ObjectForecast& object) { return Cell(object.cost.ends); });
  columns.machine({"boundBy", Type::one_of<cost::BoundBy>(cost::name_of).or_null(),
                   "What --max is held against: usdByDeadlineMax, or usdWorstMax of --hours."},
                  [](const ObjectForecast& object) {
                    return text_cell(std::string(cost::name_of(object.cost.bound_by())));
                  });
  columns.machine({"horizons", Type::list(horizon_fields().type()).or_null(),
                   "Where neither a deadline nor --hours is given."},
                  horizons_cell);
}

}  // namespace

std::optional<MoneyRange> over_horizon(const ObjectForecast& object, std::int64_t hours) {
  if (object.cost.bound_by() != cost::BoundBy::nothing) return std::nullopt;
  return cost::total_over(object.cost.hour, std::chrono::hours(hours));
}

void add_forecast_keys(ForecastColumns& columns) {
  add_object(columns);
  add_amounts(columns);
  add_bounds(columns);
  columns.machine(
      {"templates", Type::list(pod_fields().type(), 1)},
      [](const ObjectForecast& object) { return Cell(pod_fields().list(object.pods)); });
}

}  // namespace gpu::cmd
