#include "cmd/cost/cost_columns.hpp"

#include <fmt/format.h>

#include "base/duration.hpp"
#include "cmd/cost/cost_cells.hpp"

namespace gpu::cmd {
namespace {

using cost::CostRow;
using report::Cell;
using report::kPeople;
using report::kPlain;
using report::kWide;

/// Half of what is known to be held does nothing.
report::Concern concern_of(const CostRow& row) {
  const auto busy = busy_of(row);
  return busy && *busy < 0.5 ? report::Concern::warning : report::Concern::none;
}

Cell busy_cell(const CostRow& row) {
  const auto busy = busy_of(row);
  return busy ? Cell(report::Ratio{*busy}, concern_of(row)) : Cell();
}

Cell idle_rate_cell(const CostRow& row) {
  Cell cell = usd_cell(idle_of(row));
  cell.concern = concern_of(row);
  return cell;
}

Cell amounts_cell(const CostRow& row) {
  return row.amounts.empty() ? Cell() : Cell(usage::amounts_text(row.amounts));
}

void add_name(CostColumns& columns, const std::string& title, std::string CostRow::*member) {
  columns
      .text(title, kPeople | kPlain,
            [member](const CostRow& row) { return text_cell(row.*member); })
      .is_name = true;
}

/// "32" in the row of a model, which needs not be named again; "14 mig" as it is.
Cell amounts_of_model_cell(const CostRow& row) {
  std::string text = usage::amounts_text(row.amounts);
  if (text.ends_with(" " + row.name)) text.resize(text.size() - row.name.size() - 1);
  return text.empty() ? Cell() : Cell(std::move(text));
}

void add_amounts(CostColumns& columns, Cell (*cell)(const CostRow&) = &amounts_cell) {
  columns.text("GPUS", kPeople, cell).is_prose = true;
  columns.number("GPUS", kPlain, [](const CostRow& row) { return Cell(row.units); });
}

/// Rates of an hour: all, how much of it is busy, and the idle part.
void add_rate_columns(CostColumns& columns) {
  columns.number("$/HOUR", kPeople, [](const CostRow& row) { return usd_cell(hour_of(row)); });
  columns.number("USD_PER_HOUR", kPlain, [](const CostRow& row) { return usd_cell(hour_of(row)); });
  columns.text("BUSY", kPeople, busy_cell).drops_next = true;
  columns.number("BUSY%", kPlain, busy_cell);
  columns.number("IDLE $/HOUR", kPeople, idle_rate_cell);
  columns.number("IDLE_USD_PER_HOUR", kPlain, idle_rate_cell);
  const auto unknown = [](const CostRow& row) { return usd_cell(unknown_of(row)); };
  columns.number("UNKNOWN $/HOUR", static_cast<unsigned>(report::Audience::people_wide), unknown);
  columns.number("UNKNOWN_USD_PER_HOUR", kPlain, unknown);
}

/// An hour's rate again, so it may go.
void add_month(CostColumns& columns) {
  columns.number("$/MONTH", kPeople, [](const CostRow& row) { return month_cell(hour_of(row)); })
      .drops_last = true;
}

/// "TOTAL $" so far, or with --since "7d TOTAL $".
std::string total_title(const CostAnswer& answer) {
  const auto& since = answer.question.metrics.since;
  return since ? typed_duration(*since) + " TOTAL $" : "TOTAL $";
}

void add_total(CostColumns& columns, const CostAnswer& answer) {
  const auto total = [](const CostRow& row) { return usd_cell(row.total.value()); };
  columns.number(total_title(answer), kPeople, total);
  columns.number("USD_TOTAL", kPlain, total);
}

void add_totals(CostColumns& columns, const CostAnswer& answer) {
  columns
      .number("HELD", kPeople, [](const CostRow& row) { return length_cell(row.held_for.value()); })
      .drops_first = true;
  columns.number("HELD_SECONDS", kPlain,
                 [](const CostRow& row) { return length_cell(row.held_for.value()); });
  add_total(columns, answer);
  columns.number("STARTED", kWide,
                 [](const CostRow& row) { return length_cell(row.started_for.value()); });
  columns.number("WAITED", kWide, [](const CostRow& row) { return length_cell(row.queued); });
  columns.number("RESTARTS", kWide, [](const CostRow& row) { return Cell(row.restarts); });
  columns.number("STARTUP $", kWide,
                 [](const CostRow& row) { return usd_cell(row.startup.value()); });
  columns.number("LOST $", kWide, [](const CostRow& row) { return usd_cell(row.lost.value()); });
}

void add_basis(CostColumns& columns, std::string (*note)(const CostRow&)) {
  columns.text("PRICE", kWide, [](const CostRow& row) {
    return row.basis.prices == 0 ? Cell() : Cell(cost::name_of(row.basis.source));
  });
  columns.text("", kPeople, [note](const CostRow& row) { return Cell(note(row)); }).is_note = true;
}

void add_unallocated(CostColumns& columns) {
  using cost::Unallocated;
  const auto at = [](Unallocated reason) {
    return [reason](const CostRow& row) {
      return row.price.value() ? usd_cell(row.unallocated[static_cast<std::size_t>(reason)])
                               : Cell();
    };
  };
  columns.number("FREE $/HOUR", kPeople, at(Unallocated::free));
  columns.number("FREE_USD_PER_HOUR", kPlain, at(Unallocated::free));
  const auto lost = [](const CostRow& row) {
    if (!row.price.value()) return Cell();
    return usd_cell(row.unallocated_sum() - row.unallocated.front());
  };
  columns.number("LOST $/HOUR", kPeople, lost);
  columns.number("LOST_USD_PER_HOUR", kPlain, lost);
  columns.number("STRANDED", kWide, at(Unallocated::stranded));
  columns.number("CORDONED", kWide, at(Unallocated::cordoned));
  columns.number("UNHEALTHY", kWide, at(Unallocated::unhealthy));
  columns.number("GEOMETRY", kWide, at(Unallocated::geometry));
  columns.number("OTHER PODS", kWide, [](const CostRow& row) { return Cell(row.other_pods); });
}

}  // namespace

void add_namespace_columns(CostColumns& columns, const CostAnswer& answer) {
  add_name(columns, "NAMESPACE", &CostRow::ns);
  add_amounts(columns);
  add_rate_columns(columns);
  add_month(columns);
  if (answer.from) add_total(columns, answer);
  add_basis(columns, answer.from ? total_note : rate_note);
}

void add_label_columns(CostColumns& columns, const CostAnswer& answer) {
  std::string title = answer.question.label.substr(answer.question.label.rfind('/') + 1);
  for (char& c : title)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  add_name(columns, title.empty() ? "LABEL" : title, &CostRow::name);
  add_amounts(columns);
  add_rate_columns(columns);
  add_month(columns);
  add_basis(columns, rate_note);
}

void add_pod_columns(CostColumns& columns, const CostAnswer& answer) {
  add_name(columns, "NAMESPACE", &CostRow::ns);
  add_name(columns, "POD", &CostRow::name);
  columns.text("NODE", kPeople | kPlain, [](const CostRow& row) { return text_cell(row.node); })
      .drops_first = true;
  add_amounts(columns);
  add_rate_columns(columns);
  add_totals(columns, answer);
  add_basis(columns, total_note);
}

void add_owner_columns(CostColumns& columns, const CostAnswer& answer) {
  add_name(columns, "NAMESPACE", &CostRow::ns);
  columns.text("KIND", kPeople | kPlain, [](const CostRow& row) { return text_cell(row.kind); })
      .drops_first = true;
  add_name(columns, "NAME", &CostRow::name);
  columns
      .number("PODS", kPeople | kPlain,
              [](const CostRow& row) { return Cell(row.pods + row.finished_pods); })
      .drops_next = true;
  add_amounts(columns);
  add_rate_columns(columns);
  add_totals(columns, answer);
  columns.number("GPU_HOURS", kWide, [](const CostRow& row) {
    const auto hours = row.card_hours.value();
    return hours ? Cell(fmt::format("{:.1f}", *hours)) : Cell();
  });
  columns.text("EVIDENCE", kPlain | report::Audience::people_wide,
               [](const CostRow& row) { return Cell(cost::name_of(row.evidence)); });
  add_basis(columns, total_note);
}

void add_supply_columns(CostColumns& columns, const CostAnswer& answer) {
  const bool is_of_nodes = &answer.question.view == &kCostNodes;
  add_name(columns, is_of_nodes ? "NODE" : "MODEL", &CostRow::name);
  if (is_of_nodes)
    columns.text("MODEL", kPlain | report::Audience::people_wide,
                 [](const CostRow& row) { return text_cell(row.model); });
  else
    columns.number("NODES", kPeople | kPlain, [](const CostRow& row) { return Cell(row.nodes); });
  add_amounts(columns, is_of_nodes ? &amounts_cell : &amounts_of_model_cell);
  add_rate_columns(columns);
  add_unallocated(columns);
  add_basis(columns, rate_note);
}

}  // namespace gpu::cmd
