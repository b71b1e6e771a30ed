#include "cmd/top/top_report.hpp"

#include <numeric>

#include "cmd/top/sort.hpp"
#include "cmd/top/summary.hpp"

namespace gpu::cmd {
namespace {

/// Totals alone: people have them above the table, machines in `summary`; pipes and csv get rows.
report::Report summary_report(const TopAnswer& answer) {
  report::Report report = report_with_totals(answer);
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

report::Table columns_for(const TopQuestion& question) {
  const Snapshot nothing;
  return question.view
      .report({.question = question, .inventory = usage::Inventory(nothing, std::nullopt)})
      .table;
}

}  // namespace

report::Table columns_of(const ViewSpec& view) { return columns_for({.view = view}); }

report::AnswerForm form_of(const ViewSpec& view) {
  const report::Table with_all_keys =
      columns_for({.view = view, .shape = Shape::tree, .label_columns = {"NAME"}});
  return {.kind = std::string(view.kind),
          .command = "top " + std::string(view.name),
          .item = std::string(view.item),
          .fields = report::declared_fields(with_all_keys),
          .summary = summary_fields().declared(),
          .summary_says = "The same in every view."};
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

void take_hints_from_gaps(report::Report& report) {
  constexpr std::size_t kMostHints = 3;
  std::erase_if(report.gaps, [&](const report::Note& gap) {
    if (report.hints.size() >= kMostHints || !gap.hint) return false;
    report.hints.push_back(*gap.hint);
    return true;
  });
}

}  // namespace gpu::cmd
