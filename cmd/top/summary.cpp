#include "cmd/top/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/top/top_columns.hpp"
#include "model/objects/gap.hpp"
#include "model/snapshot/waiting_claims.hpp"
#include "report/columns.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using report::Type;
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

using Total = usage::UsageTotals;

/// An amount of a total that may be unknown.
report::Fields<Total>::Entry amount_of(std::string key, std::string says,
                                       std::optional<std::int64_t> Total::*member) {
  return {{std::move(key), Type::count().or_null(), std::move(says)},
          [member](const Total& total) { return report::cell_of(total.*member); }};
}

const report::Fields<Total>& total_fields() {
  static const report::Fields<Total> fields = {
      {{"kind", Type::text_like(usage::total_label_pattern()),
        "Cards, slices, shares and GiB are never added to each other; cards that two pools name "
        "are a total of their own."},
       &Total::label},
      {{"total", Type::count()}, &Total::total},
      amount_of("allocated", "Held by pods that have not finished.", &Total::allocated),
      amount_of("free", "A pod could start there now.", &Total::free),
      amount_of("unavailable", "Neither held nor free.", &Total::unavailable),
      {{"nodesWithoutCount", Type::count(),
        "Nodes that labels call GPU nodes, but whose number of GPUs is not reported."},
       &Total::nodes_of_unknown_total},
      {{"busy", Type::ratio().or_null(), "Mean use now of those that are not unavailable."},
       [](const Total& total) { return ratio_cell(total.busy); }},
  };
  return fields;
}

const report::Fields<WaitingSums>& waiting_fields() {
  static const report::Fields<WaitingSums> fields = {
      {{"pods", Type::count()}, &WaitingSums::pods},
      {{"gpus", Type::count(), "GPUs that they request."}, &WaitingSums::gpus},
  };
  return fields;
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

/// A gap about nodes without metrics that one command explains can be said as a hint.
std::optional<report::Hint> hint_of(const Gap& gap) {
  const bool is_short = gap.help_form == HelpForm::command && !gap.what.empty();
  if (gap.missing != Missing::metrics || !is_short) return std::nullopt;
  report::Hint hint{.text = gap.what, .command = gap.help};
  hint.text.front() = upper_case(hint.text.front());
  return hint;
}

}  // namespace

const report::Fields<TopAnswer>& summary_fields() {
  static const report::Fields<TopAnswer> fields = {
      {{"totals", Type::list(total_fields().type()), "One for each kind of unit, GPUs first."},
       [](const TopAnswer& answer) {
         return total_fields().list(usage::usage_totals(answer.nodes));
       }},
      {{"waiting", waiting_fields().type().or_null(),
        "Unbound pods that request GPUs; null: pods could not all be read."},
       [](const TopAnswer& answer) {
         const std::optional<WaitingSums> waiting = waiting_in(answer.inventory.snapshot);
         return waiting ? report::Cell(waiting_fields().record(*waiting)) : report::Cell();
       }},
  };
  return fields;
}

report::Report report_with_totals(const TopAnswer& answer) {
  const Snapshot& snapshot = answer.inventory.snapshot;
  const std::vector<usage::UsageTotals> totals = usage::usage_totals(answer.nodes);
  report::Report report{.kind = std::string(answer.question.view.kind),
                        .empty_text = answer.empty_text};
  if (!tells_little(answer)) report.summary = summary_lines(totals, answer.nodes);
  report.machine_summary = summary_fields().record(answer);
  if (const auto waiting = waiting_in(snapshot); waiting && waiting->pods > 0)
    report.hints.push_back(waiting_hint(*waiting, answer.question));
  for (const Gap& gap : answer.gaps)
    report.gaps.push_back(
        {.what = gap.what, .why = gap.why, .help = gap.help, .hint = hint_of(gap)});
  return report;
}

report::Table totals_table(const TopAnswer& answer) {
  using report::cell_of;
  using report::kPlain;
  report::Columns<Total> columns;
  columns.text("KIND", kPlain, &Total::label);
  columns.number("TOTAL", kPlain, &Total::total);
  columns.number("ALLOCATED", kPlain, [](const Total& row) { return cell_of(row.allocated); });
  columns.number("FREE", kPlain, [](const Total& row) { return cell_of(row.free); });
  columns.number("UNAVAILABLE", kPlain, [](const Total& row) { return cell_of(row.unavailable); });
  columns.number("NODES_WITHOUT_COUNT", kPlain, &Total::nodes_of_unknown_total);
  columns.number("BUSY%", kPlain, [](const Total& row) { return ratio_cell(row.busy); });
  columns.machine(total_fields());
  return columns.table(usage::usage_totals(answer.nodes));
}

}  // namespace gpu::cmd
