#include <cmath>

#include "cmd/cost/cost_cells.hpp"
#include "cmd/cost/cost_columns.hpp"
#include "report/fields.hpp"

namespace gpu::cmd {
namespace {

using cost::CostRow;
using cost::Unallocated;
using report::Cell;
using report::Type;

const report::Fields<Owner>& owner_keys() {
  static const report::Fields<Owner> fields = {
      {{"kind", Type::text()}, &Owner::kind},
      {{"name", Type::text()}, &Owner::name},
  };
  return fields;
}

report::Fields<CostRow>::Entry unallocated_key(Unallocated reason, std::string says) {
  return {{std::string(cost::name_of(reason)), Type::amount().or_null(), std::move(says)},
          [reason](const CostRow& row) {
            return usd_cell(row.unallocated[static_cast<std::size_t>(reason)]);
          }};
}

/// A part of what is held; unknown where nothing of it has a price.
CostColumns::Fill rate_part(Money cost::HeldRate::*part) {
  return [part](const CostRow& row) {
    const auto rate = row.rate.value();
    return rate ? usd_cell((*rate).*part) : Cell();
  };
}

/// What only pods have: null of items of nodes.
CostColumns::Fill of_pods(CostColumns::Fill fill) {
  return
      [fill = std::move(fill)](const CostRow& row) { return row.nodes > 0 ? Cell() : fill(row); };
}

std::string_view evidence_name(cost::Evidence evidence) {
  return evidence > cost::Evidence::no_record ? std::string_view() : cost::name_of(evidence);
}

Cell hours_cell(const std::optional<double>& hours) {
  // To the millionth: what is behind it comes of adding floating-point numbers.
  constexpr double kMillion = 1e6;
  return hours ? Cell(report::Ratio{std::round(*hours * kMillion) / kMillion}) : Cell();
}

/// Of nodes of which at least one has a price.
bool has_node_price(const CostRow& row) { return row.nodes > 0 && row.price.value().has_value(); }

report::Field missing_key() {
  return {"missingPods", Type::count(), "That a Job has counted, and that are gone."};
}

Cell missing_cell(const CostRow& row) { return row.missing_pods; }

report::Field evidence_key() {
  return {"evidence", Type::one_of<cost::Evidence>(evidence_name),
          "How usdTotal and gpuHours are known: exact: of pods that are listed, with their times; "
          "estimated: pods that are gone are counted like the others; history: by metrics of the "
          "time, with --since; lowerBound: nothing says whether there were more; noRecord: nothing "
          "is left."};
}

Cell evidence_cell(const CostRow& row) { return cost::name_of(row.evidence); }

void add_identity(CostColumns& columns) {
  columns
      .machine({"namespace", Type::text().or_null(), "null: not of one namespace."},
               [](const CostRow& row) { return text_cell(row.ns); })
      .is_sortable = true;
  columns
      .machine(
          {"name", Type::text().or_null(),
           "The pod, owner, node, model or label value that the item is of; null: a namespace, "
           "or pods without the label."},
          [](const CostRow& row) { return text_cell(row.name); })
      .is_sortable = true;
  columns.machine({"owner", owner_keys().type().or_null(),
                   "Of a pod, at the top of its ownerReferences; or what the item itself is."},
                  [](const CostRow& row) {
                    if (row.owner.name.empty()) return Cell();
                    return Cell(owner_keys().record(row.owner));
                  });
  columns.machine({"node", Type::text().or_null(), "null: of several."},
                  [](const CostRow& row) { return text_cell(row.node); });
  columns.machine({"model", Type::text().or_null(),
                   "null: unknown, or several; of a node all of them: T4-16G + L4-24G."},
                  [](const CostRow& row) { return text_cell(row.model); });
  columns
      .machine({"gpus", Type::count(), "Units held now; of nodes and models all that there are."},
               [](const CostRow& row) { return Cell(row.units); })
      .is_sortable = true;
  columns.machine(
      {"cards", Type::amount().or_null(), "Physical GPUs that these are: 0.25 for a quarter."},
      [](const CostRow& row) { return hours_cell(row.cards); });
  columns.machine({"pods", Type::count(), "Pods that hold them now."},
                  [](const CostRow& row) { return Cell(row.pods); });
  columns.machine(
      {"finishedPods", Type::count(),
       "Pods that held GPUs and are still listed; with --since those that are gone, too."},
      [](const CostRow& row) { return Cell(row.finished_pods); });
}

void add_rates(CostColumns& columns) {
  const auto amount = [&](std::string key, std::string says, CostColumns::Fill fill) {
    columns.machine({std::move(key), Type::amount().or_null(), std::move(says)}, std::move(fill))
        .is_sortable = true;
  };
  amount("usdPerHour",
         "Now; of nodes and models all of them, otherwise what is held. null: no price, or all is "
         "gone.",
         [](const CostRow& row) { return usd_cell(hour_of(row)); });
  amount("busyUsdPerHour", "What is held, times its use.", rate_part(&cost::HeldRate::busy));
  amount("idleUsdPerHour", "What is held, times what of it is not used.",
         rate_part(&cost::HeldRate::idle));
  amount("unknownUsdPerHour",
         "Held, or of nodes perhaps held, and whose use is not known: never counted as idle.",
         [](const CostRow& row) { return usd_cell(unknown_of(row)); });
  amount("usdTotal", "So far, or of the time of --since, by today's price. null: not known.",
         of_pods([](const CostRow& row) { return usd_cell(row.total.value()); }));
  amount("startupUsd", "Of usdTotal, before a container had started: image pull, init containers.",
         of_pods([](const CostRow& row) { return usd_cell(row.startup.value()); }));
  amount("lostUsd", "Of usdTotal, by pods that failed.",
         of_pods([](const CostRow& row) { return usd_cell(row.lost.value()); }));
}

void add_times(CostColumns& columns) {
  columns.machine({"gpuHours", Type::amount().or_null(), "Of physical GPUs, so far."},
                  of_pods([](const CostRow& row) { return hours_cell(row.card_hours.value()); }));
  const auto length = [&](std::string key, std::string says, CostColumns::Fill fill) {
    columns.machine({std::move(key), Type::count().or_null(), std::move(says)}, std::move(fill));
  };
  length("heldSeconds", "From the moment a pod was bound until it ended; of all pods together.",
         of_pods([](const CostRow& row) { return length_cell(row.held_for.value()); }));
  length("startedSeconds", "The part of that in which its containers had started.",
         of_pods([](const CostRow& row) { return length_cell(row.started_for.value()); }));
  length("queuedSeconds", "The longest wait of a pod before it was bound: it costs nothing.",
         [](const CostRow& row) { return length_cell(row.queued); });
  columns.machine({"restarts", Type::count(), "Of containers."},
                  [](const CostRow& row) { return Cell(row.restarts); });
  columns.machine(missing_key(), missing_cell);
  columns.machine(evidence_key(), evidence_cell);
}

void add_price(CostColumns& columns) {
  columns.machine({"priceSource", Type::one_of<cost::PriceSource>(cost::name_of).or_null(),
                   "The least exact rule that gave a price of the item; null: no price."},
                  [](const CostRow& row) {
                    return row.basis.prices == 0 ? Cell() : Cell(cost::name_of(row.basis.source));
                  });
  columns.machine({"priceAsOf", Type::text().or_null(), "The day of the oldest price."},
                  [](const CostRow& row) {
                    if (row.basis.prices == 0 || !row.basis.as_of) return Cell();
                    return Cell(format_time(*row.basis.as_of).substr(0, 10));
                  });
  columns.machine({"isEstimate", Type::flag(),
                   "Another region's price, a median, or one price for GPUs of several models."},
                  [](const CostRow& row) { return Cell(row.basis.is_estimate); });
  columns.machine({"isUpperBound", Type::flag(),
                   "Spot capacity whose price is not known, at the on-demand price."},
                  [](const CostRow& row) { return Cell(row.basis.is_upper_bound); });
  columns.machine(
      {"unpricedGpus", Type::count(), "Units held now without a price: not in the sums."},
      [](const CostRow& row) { return Cell(row.unpriced_units); });
}

}  // namespace

const report::Fields<CostRow>& unallocated_fields() {
  static const report::Fields<CostRow> fields = {
      unallocated_key(Unallocated::free, "A pod could start there now."),
      unallocated_key(Unallocated::stranded,
                      "Free, but no CPU, memory or pod slot is left beside."),
      unallocated_key(Unallocated::cordoned, "The node takes no pods."),
      unallocated_key(Unallocated::unhealthy, "Broken, not advertised, or on a node not ready."),
      unallocated_key(Unallocated::geometry, "Parts of cards that are in no slice and no share."),
  };
  return fields;
}

const report::Fields<CostRow>& owner_sum_fields() {
  static const report::Fields<CostRow> fields = {
      {{"namespace", Type::text().or_null()}, [](const CostRow& row) { return text_cell(row.ns); }},
      {{"kind", Type::text()}, &CostRow::kind},
      {{"name", Type::text()}, &CostRow::name},
      {{"usdTotal", Type::amount().or_null(), "null: not known."},
       [](const CostRow& row) { return usd_cell(row.total.value()); }},
      {{"gpuHours", Type::amount().or_null()},
       [](const CostRow& row) { return hours_cell(row.card_hours.value()); }},
      {{"heldSeconds", Type::count().or_null()},
       [](const CostRow& row) { return length_cell(row.held_for.value()); }},
      {{"lostUsd", Type::amount().or_null()},
       [](const CostRow& row) { return usd_cell(row.lost.value()); }},
      {missing_key(), missing_cell},
      {evidence_key(), evidence_cell},
  };
  return fields;
}

void add_cost_keys(CostColumns& columns) {
  add_identity(columns);
  add_rates(columns);
  add_times(columns);
  columns.machine({"unallocatedUsdPerHour", unallocated_fields().type().or_null(),
                   "What no one holds; null: the item is not of nodes, or has no price."},
                  [](const CostRow& row) {
                    return has_node_price(row) ? Cell(unallocated_fields().record(row)) : Cell();
                  });
  columns.machine(
      {"hostUsdPerHour", Type::amount().or_null(),
       "CPU and memory of nodes, with --split opencost; null: as above."},
      [](const CostRow& row) { return has_node_price(row) ? usd_cell(row.host) : Cell(); });
  columns.machine({"otherPods", Type::count(), "Of nodes: pods without GPUs, daemons among them."},
                  [](const CostRow& row) { return Cell(row.other_pods); });
  add_price(columns);
}

}  // namespace gpu::cmd
