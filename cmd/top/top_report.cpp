#include "cmd/top/top_report.hpp"

#include <numeric>

#include "cmd/top/sort.hpp"
#include "cmd/top/summary.hpp"

namespace gpu::cmd {
namespace {

/// Totals alone: people have them above the table, machines in `summary`; pipes and csv get rows.
report::Report summary_report(const TopAnswer& answer) {
  report::Report report = report_with_totals(answer, answer.question.view.report(answer).kind);
  const bool has_rows =
      answer.question.reader == Reader::pipe || answer.question.format == report::Format::csv;
  if (has_rows) report.table = totals_table(answer);
  return report;
}

report::Report sorted_tree(const TopAnswer& answer) {
  const ViewSpec& view = answer.question.view;
  std::vector<std::size_t> order(answer.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!answer.question.sort_by.empty())
    order = order_by(view.report(answer).table, view.name, answer.question.sort_by);
  return view.tree(answer, order);
}

}  // namespace

report::Table columns_of(const ViewSpec& view) {
  const Snapshot nothing;
  return view
      .report({.question = {.view = view}, .inventory = usage::Inventory(nothing, std::nullopt)})
      .table;
}

report::Report top_report(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  if (question.shape == Shape::summary) return summary_report(answer);
  if (question.shape == Shape::tree && question.reader != Reader::machine)
    return sorted_tree(answer);
  report::Report report = question.view.report(answer);
  if (!question.sort_by.empty()) sort_by(report.table, question.view.name, question.sort_by);
  return report;
}

}  // namespace gpu::cmd
