#include "cmd/top/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/top/idle_hints.hpp"
#include "cmd/top/top_columns.hpp"
#include "model/snapshot/waiting_claims.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using report::Record;
using usage::NodeUsage;
using usage::UsageTotals;

report::SummaryItem item(const std::optional<std::int64_t>& amount, std::string word) {
  return {report::cell_of(amount), std::move(word), false};
}

/// A mean over parts of cards says little of how busy the cards are.
bool counts_whole_devices(const usage::UsageTotals& totals) {
  return totals.label == "GPUs" || totals.label == "TPUs" || totals.label == "Neuron";
}

std::vector<report::SummaryLine> summary_lines(const std::vector<usage::UsageTotals>& totals,
                                               const std::vector<usage::NodeUsage>& rows) {
  const bool has_broken = std::any_of(rows.begin(), rows.end(), [](const usage::NodeUsage& row) {
    return concern_of(row.state) == report::Concern::broken && row.pool.unavailable.value_or(0) > 0;
  });
  std::vector<report::SummaryLine> lines;
  for (const usage::UsageTotals& one : totals) {
    report::SummaryLine line{.label = one.label, .total = report::Cell(one.total)};
    line.items.push_back(item(one.allocated, "allocated"));
    line.items.push_back(item(one.free, "free"));
    line.items.back().emphasized = true;
    if (one.unavailable != 0) {
      line.items.push_back(item(one.unavailable, "unavailable"));
      if (one.unavailable)
        line.items.back().amount.concern =
            has_broken ? report::Concern::broken : report::Concern::warning;
    }
    if (one.nodes_of_unknown_total > 0)
      line.items.push_back(item(one.nodes_of_unknown_total, one.nodes_of_unknown_total == 1
                                                                ? "node uncounted"
                                                                : "nodes uncounted"));
    if (one.busy && counts_whole_devices(one))
      line.items.push_back({report::Cell(report::Ratio{*one.busy}), "busy", false});
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
                              {"nodesWithoutCount", one.nodes_of_unknown_total},
                              {"busy", ratio_cell(one.busy)}});
  Record summary{{"totals", std::move(kinds)}};
  const std::optional<WaitingSums> waiting = waiting_in(snapshot);
  summary.emplace_back(
      "waiting", waiting ? report::Cell(Record{{"pods", waiting->pods}, {"gpus", waiting->gpus}})
                         : report::Cell());
  return summary;
}

/// One namespace is read without the others: nothing is known then of what is free, and lines of
/// unknowns say nothing to people.
bool tells_little(const TopAnswer& answer) {
  return !answer.question.ns.empty() && answer.question.view.about != About::nodes &&
         answer.inventory.snapshot.pod_coverage != Coverage::whole;
}

/// What waits has no node, so filters do not choose among it: the whole cluster's is said to be so.
report::Hint waiting_hint(const WaitingSums& waiting, const TopQuestion& question) {
  const bool is_filtered = !question.names.empty() || !question.nodes.empty() ||
                           !question.selector.empty() || !question.model.empty() ||
                           !question.resource.empty();
  std::string text = fmt::format("{} for {}", counted(waiting.pods, "pod waits", "pods wait"),
                                 counted(waiting.gpus, "GPU", "GPUs"));
  const bool is_of_namespace = !question.ns.empty() && question.view.about != About::nodes;
  if (is_filtered && !is_of_namespace) text += " in the whole cluster";
  const std::string where = is_of_namespace ? "-n " + shell_quoted(question.ns) : "-A";
  return {text, "kubectl gpu why-pending " + where};
}

}  // namespace

report::Report report_with_totals(const TopAnswer& answer, std::string_view kind) {
  const Snapshot& snapshot = answer.inventory.snapshot;
  const std::vector<usage::UsageTotals> totals = usage::usage_totals(answer.nodes);
  report::Report report{.kind = std::string(kind), .empty_text = answer.empty_text};
  if (!tells_little(answer)) report.summary = summary_lines(totals, answer.nodes);
  report.machine_summary = machine_summary(totals, snapshot);
  if (const auto waiting = waiting_in(snapshot); waiting && waiting->pods > 0)
    report.hints.push_back(waiting_hint(*waiting, answer.question));
  for (const Gap& gap : answer.gaps)
    report.gaps.push_back(
        {.what = gap.what, .why = gap.why, .help = gap.help, .hint = hint_of(gap)});
  return report;
}

report::Table totals_table(const TopAnswer& answer) {
  const unsigned audience = kPlain | kMachine;
  Columns<usage::UsageTotals> columns;
  columns.text("kind", "KIND", audience,
               [](const usage::UsageTotals& row) { return report::Cell(row.label); });
  columns.number("total", "TOTAL", audience,
                 [](const usage::UsageTotals& row) { return row.total; });
  columns.number("allocated", "ALLOCATED", audience,
                 [](const usage::UsageTotals& row) { return report::cell_of(row.allocated); });
  columns.number("free", "FREE", audience,
                 [](const usage::UsageTotals& row) { return report::cell_of(row.free); });
  columns.number("unavailable", "UNAVAILABLE", audience,
                 [](const usage::UsageTotals& row) { return report::cell_of(row.unavailable); });
  columns.number("nodesWithoutCount", "NODES_WITHOUT_COUNT", audience,
                 [](const usage::UsageTotals& row) { return row.nodes_of_unknown_total; });
  columns.number("", "BUSY%", kPlain,
                 [](const usage::UsageTotals& row) { return ratio_cell(row.busy); });
  columns.machine("busy", [](const usage::UsageTotals& row) { return ratio_cell(row.busy); });
  return columns.table(usage::usage_totals(answer.nodes));
}

}  // namespace gpu::cmd
