#include "cmd/top/view.hpp"

#include <numeric>

#include "cmd/top/sort.hpp"
#include "cmd/top/summary.hpp"

namespace gpu::cmd {
namespace {

report::Report report_of(const TopAnswer& answer) {
  switch (answer.question.view) {
    case View::nodes:
      return nodes_report(answer);
    case View::gpus:
      return gpus_report(answer);
    case View::pods:
      return pods_report(answer);
    case View::namespaces:
      return namespaces_report(answer);
    case View::models:
      return models_report(answer);
  }
  return {};
}

/// Totals alone: people have them above the table, machines in `summary`; pipes and csv get rows.
report::Report summary_report(const TopAnswer& answer) {
  report::Report report = report_with_totals(answer, report_of(answer).kind);
  const bool has_rows =
      answer.question.reader == Reader::pipe || answer.question.format == report::Format::csv;
  if (has_rows) report.table = totals_table(answer);
  return report;
}

report::Report sorted_tree(const TopAnswer& answer) {
  std::vector<std::size_t> order(answer.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!answer.question.sort_by.empty())
    order = order_by(nodes_report(answer).table, View::nodes, answer.question.sort_by);
  return tree_report(answer, order);
}

}  // namespace

report::Report top_report(const TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  if (question.shape == Shape::summary) return summary_report(answer);
  if (question.shape == Shape::tree && question.reader != Reader::machine)
    return sorted_tree(answer);
  report::Report report = report_of(answer);
  if (!question.sort_by.empty()) sort_by(report.table, question.view, question.sort_by);
  return report;
}

}  // namespace gpu::cmd
