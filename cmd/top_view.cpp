#include "cmd/top_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

using report::Align;
using report::Audience;
using report::Cell;
using report::Column;
using report::Concern;
using report::Record;
using usage::NodeState;
using usage::NodeUsage;

constexpr unsigned kPeople = Audience::people | Audience::people_wide;
constexpr unsigned kPlain = Audience::plain | Audience::plain_wide;
constexpr unsigned kWide = Audience::people_wide | Audience::plain_wide;
constexpr unsigned kMachine = static_cast<unsigned>(Audience::machine);

/// A column and how a row fills it.
struct NodesColumn {
  Column column;
  std::function<Cell(const NodeUsage&)> cell;
};

Cell text_or_unknown(std::string_view text) { return text.empty() ? Cell() : Cell(text); }

Concern concern_of(NodeState state) {
  switch (state) {
    case NodeState::ready:
    case NodeState::dra:
      return Concern::none;
    case NodeState::full:
    case NodeState::cordoned:
    case NodeState::leaving:
    case NodeState::tainted:
      return Concern::warning;
    case NodeState::unhealthy:
    case NodeState::no_plugin:
    case NodeState::not_ready:
      return Concern::broken;
  }
  return Concern::none;
}

Cell state_cell(const NodeUsage& row) { return {usage::name_of(row.state), concern_of(row.state)}; }

/// "?" where nobody says how many units share a card.
std::string replicas_text(const Sharing& sharing) {
  return sharing.replicas ? std::to_string(*sharing.replicas) : "?";
}

/// A unit that is a share of a card says so: T4-16G/4 is a quarter of a T4.
Cell model_cell(const NodeUsage& row) {
  const Pool& pool = row.pool;
  if (pool.model.empty()) return {};
  if (pool.sharing.strategy == SharingStrategy::none) return pool.model;
  return fmt::format("{}/{}", pool.model, replicas_text(pool.sharing));
}

Cell share_cell(const NodeUsage& row) {
  const Pool& pool = row.pool;
  if (!pool.total) return {};
  const std::optional<std::int64_t> allocated = pool.allocated ? pool.allocated : pool.at_least;
  if (!allocated) return {};
  return report::Share{.allocated = *allocated,
                       .total = *pool.total,
                       .unavailable = pool.unavailable.value_or(0),
                       .unavailable_concern = concern_of(row.state),
                       .at_least = !pool.allocated.has_value()};
}

Cell sharing_record(const NodeUsage& row) {
  const Sharing& sharing = row.pool.sharing;
  return Record{{"strategy", gpu::name_of(sharing.strategy)},
                {"replicas", report::cell_of(sharing.replicas)}};
}

Cell sharing_text(const NodeUsage& row) {
  const Sharing& sharing = row.pool.sharing;
  if (sharing.strategy == SharingStrategy::none) return "none";
  return fmt::format("{}/{}", gpu::name_of(sharing.strategy), replicas_text(sharing));
}

Cell reason_cell(const NodeUsage& row) {
  if (row.pool.unavailable == 0) return {};
  return text_or_unknown(code_of(row.pool.reason));
}

/// Live use comes with metrics; until then nothing is known.
Cell unknown(const NodeUsage&) { return {}; }

NodesColumn text_column(std::string_view key, std::string_view title, unsigned audience,
                        std::function<Cell(const NodeUsage&)> cell) {
  return {{.key = std::string(key), .title = std::string(title), .audience = audience},
          std::move(cell)};
}

NodesColumn number_column(std::string_view key, std::string_view title, unsigned audience,
                          std::function<Cell(const NodeUsage&)> cell) {
  NodesColumn column = text_column(key, title, audience, std::move(cell));
  column.column.align = Align::right;
  return column;
}

/// For people, marks and bars; for pipes, bare numbers; for machines, every fact under its key.
std::vector<NodesColumn> people_and_plain_columns() {
  std::vector<NodesColumn> columns;
  columns.push_back(text_column("name", "NODE", kPeople | kPlain | kMachine,
                                [](const NodeUsage& row) { return Cell(row.pool.node); }));
  columns.back().column.is_name = true;
  columns.push_back(text_column("model", "MODEL", kPeople | kPlain | kMachine, model_cell));
  columns.push_back(text_column("", "ALLOCATED", kPeople, share_cell));
  columns.push_back(number_column(
      "", "GPUS", kPlain, [](const NodeUsage& row) { return report::cell_of(row.pool.total); }));
  columns.push_back(number_column("", "ALLOCATED", kPlain, [](const NodeUsage& row) {
    return report::cell_of(row.pool.allocated);
  }));
  columns.push_back(number_column(
      "", "FREE", kPlain, [](const NodeUsage& row) { return report::cell_of(row.pool.free); }));
  columns.push_back(number_column("", "UNAVAILABLE", kPlain, [](const NodeUsage& row) {
    return report::cell_of(row.pool.unavailable);
  }));
  columns.push_back(text_column("", "UTIL", kPeople, unknown));
  columns.push_back(number_column("", "UTIL%", kPlain, unknown));
  columns.push_back(text_column("", "MEMORY", kPeople, unknown));
  columns.push_back(number_column("", "MEM_USED_GI", kPlain, unknown));
  columns.push_back(number_column("", "MEM_TOTAL_GI", kPlain, unknown));
  columns.push_back(number_column("", "POWER", kPeople, unknown));
  columns.back().column.drops_first = true;
  columns.push_back(text_column("", "STATE", kPeople | kPlain, state_cell));
  columns.push_back(text_column("", "RESOURCE", kWide,
                                [](const NodeUsage& row) { return Cell(row.pool.resource); }));
  columns.push_back(number_column(
      "", "CARDS", kWide, [](const NodeUsage& row) { return report::cell_of(row.pool.cards); }));
  columns.push_back(text_column("", "SHARING", kWide, sharing_text));
  columns.push_back(text_column("", "REASON", kWide, reason_cell));
  columns.push_back(text_column(
      "", "DRIVER", kWide, [](const NodeUsage& row) { return text_or_unknown(row.pool.driver); }));
  columns.push_back(text_column("", "INSTANCE", kWide, [](const NodeUsage& row) {
    return text_or_unknown(row.instance_type);
  }));
  columns.push_back(text_column("", "ZONE", kWide,
                                [](const NodeUsage& row) { return text_or_unknown(row.zone); }));
  return columns;
}

std::vector<NodesColumn> machine_columns() {
  std::vector<NodesColumn> columns;
  const auto add = [&](std::string_view key, std::function<Cell(const NodeUsage&)> cell) {
    columns.push_back(text_column(key, "", kMachine, std::move(cell)));
  };
  add("product", [](const NodeUsage& row) { return text_or_unknown(row.pool.product); });
  add("vendor", [](const NodeUsage& row) { return Cell(gpu::name_of(row.pool.kind.vendor)); });
  add("resource", [](const NodeUsage& row) { return Cell(row.pool.resource); });
  add("sharing", sharing_record);
  add("cards", [](const NodeUsage& row) { return report::cell_of(row.pool.cards); });
  add("capacity", [](const NodeUsage& row) { return Cell(row.pool.capacity); });
  add("allocatable", [](const NodeUsage& row) { return Cell(row.pool.allocatable); });
  add("allocated", [](const NodeUsage& row) { return report::cell_of(row.pool.allocated); });
  add("allocatedAtLeast", [](const NodeUsage& row) {
    return report::cell_of(row.pool.allocated ? row.pool.allocated : row.pool.at_least);
  });
  add("free", [](const NodeUsage& row) { return report::cell_of(row.pool.free); });
  add("unavailable", [](const NodeUsage& row) { return report::cell_of(row.pool.unavailable); });
  add("unavailableReason", reason_cell);
  for (const char* key : {"utilization", "memoryUsedBytes", "memoryTotalBytes", "powerWatts"})
    add(key, unknown);
  add("state", [](const NodeUsage& row) { return Cell(usage::name_of(row.state)); });
  add("driver", [](const NodeUsage& row) { return text_or_unknown(row.pool.driver); });
  add("instanceType", [](const NodeUsage& row) { return text_or_unknown(row.instance_type); });
  add("zone", [](const NodeUsage& row) { return text_or_unknown(row.zone); });
  add("sampleAgeSeconds", unknown);
  return columns;
}

/// -L: a column for each label, by the node it stands on.
NodesColumn label_column(const Snapshot& snapshot, const std::string& label) {
  const std::string title = upper_case(std::string_view(label).substr(label.rfind('/') + 1));
  return text_column("label." + label, title, kPeople | kPlain | kMachine,
                     [&snapshot, label](const NodeUsage& row) {
                       const auto node = std::lower_bound(
                           snapshot.nodes.begin(), snapshot.nodes.end(), row.pool.node,
                           [](const Node& a, const std::string& name) { return a.name < name; });
                       return text_or_unknown(value_of(node->labels, label));
                     });
}

report::SummaryItem item(const std::optional<std::int64_t>& amount, std::string word) {
  return {report::cell_of(amount), std::move(word), false};
}

std::vector<report::SummaryLine> summary_lines(const std::vector<usage::UsageTotals>& totals,
                                               const std::vector<NodeUsage>& rows) {
  const bool has_broken = std::any_of(rows.begin(), rows.end(), [](const NodeUsage& row) {
    return concern_of(row.state) == Concern::broken && row.pool.unavailable.value_or(0) > 0;
  });
  std::vector<report::SummaryLine> lines;
  for (const usage::UsageTotals& one : totals) {
    report::SummaryLine line{.label = one.label, .total = Cell(one.total)};
    line.items.push_back(item(one.allocated, "allocated"));
    line.items.push_back(item(one.free, "free"));
    line.items.back().emphasized = true;
    if (one.unavailable != 0) {
      line.items.push_back(item(one.unavailable, "unavailable"));
      if (one.unavailable)
        line.items.back().amount.concern = has_broken ? Concern::broken : Concern::warning;
    }
    if (one.nodes_of_unknown_total > 0)
      line.items.push_back(item(one.nodes_of_unknown_total, one.nodes_of_unknown_total == 1
                                                                ? "node uncounted"
                                                                : "nodes uncounted"));
    lines.push_back(std::move(line));
  }
  return lines;
}

Record machine_summary(const std::vector<usage::UsageTotals>& totals, const Snapshot& snapshot) {
  report::List kinds;
  for (const usage::UsageTotals& one : totals)
    kinds.emplace_back(Record{{"kind", one.label},
                              {"total", one.total},
                              {"allocated", report::cell_of(one.allocated)},
                              {"free", report::cell_of(one.free)},
                              {"unavailable", report::cell_of(one.unavailable)},
                              {"nodesWithoutCount", one.nodes_of_unknown_total}});
  Record summary{{"totals", std::move(kinds)}};
  if (snapshot.waiting)
    summary.emplace_back(
        "waiting", Record{{"pods", snapshot.waiting->pods}, {"gpus", snapshot.waiting->gpus}});
  else
    summary.emplace_back("waiting", Cell());
  return summary;
}

std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// True and worth acting on, the costliest first.
std::vector<report::Hint> hints_of(const NodesAnswer& answer) {
  std::vector<report::Hint> hints;
  const auto& waiting = answer.snapshot.waiting;
  if (waiting && waiting->pods > 0)
    hints.push_back({fmt::format("{} for {}", counted(waiting->pods, "pod waits", "pods wait"),
                                 counted(waiting->gpus, "GPU", "GPUs")),
                     "kubectl get pods -A --field-selector=status.phase=Pending"});
  const auto add_state = [&](NodeState state, std::string_view one, std::string_view many) {
    std::int64_t nodes = 0;
    const NodeUsage* first = nullptr;
    for (const NodeUsage& row : answer.rows)
      if (row.state == state) {
        if (first == nullptr) first = &row;
        ++nodes;
      }
    if (first == nullptr) return;
    const std::string who = nodes == 1 ? first->pool.node : fmt::format("{} nodes", nodes);
    hints.push_back({fmt::format("{} {}", who, nodes == 1 ? one : many),
                     "kubectl describe node " + shell_quoted(first->pool.node)});
  };
  add_state(NodeState::no_plugin, "should have GPUs, but no device plugin advertises them",
            "should have GPUs, but no device plugin advertises them");
  add_state(NodeState::unhealthy, "advertises fewer GPUs than it has",
            "advertise fewer GPUs than they have");
  return hints;
}

}  // namespace

report::Report nodes_report(const NodesAnswer& answer) {
  std::vector<NodesColumn> columns = people_and_plain_columns();
  for (NodesColumn& column : machine_columns()) columns.push_back(std::move(column));
  for (const std::string& label : answer.label_columns)
    columns.push_back(label_column(answer.snapshot, label));

  report::Report report{.kind = "NodeUsageList", .empty_text = answer.empty_text};
  report.name_prefix = "node/";
  for (const NodesColumn& column : columns) report.table.columns.push_back(column.column);
  for (const NodeUsage& row : answer.rows) {
    std::vector<Cell> cells;
    cells.reserve(columns.size());
    for (const NodesColumn& column : columns) cells.push_back(column.cell(row));
    report.table.rows.push_back(std::move(cells));
  }
  const std::vector<usage::UsageTotals> totals = usage::usage_totals(answer.rows);
  report.summary = summary_lines(totals, answer.rows);
  report.machine_summary = machine_summary(totals, answer.snapshot);
  report.hints = hints_of(answer);
  for (const Gap& gap : answer.snapshot.gaps)
    report.gaps.push_back({.what = gap.what, .why = gap.why, .help = gap.help});
  return report;
}

}  // namespace gpu::cmd
