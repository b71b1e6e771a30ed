#include "cmd/cost/explain_price.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cost/ledger/ledger.hpp"
#include "cost/rows/cost_row.hpp"
#include "report/columns.hpp"
#include "report/render.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::kPeople;
using report::kPlain;
using report::Type;

bool has_node(const Snapshot& snapshot, const std::string& name) {
  return std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                     [&](const Node& node) { return node.name == name; });
}

std::string help_for_node(const std::string& name, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 5;
  if (const auto nearest = nearest_name(name, names))
    return fmt::format("a similar one is `{}`", sanitize(*nearest));
  if (names.empty()) return "see which nodes there are\n      kubectl gpu top nodes";
  return "nodes with GPUs are " + sanitize(first_few(names, kMost));
}

const cost::Ledger::Entry& entry_named(const cost::Ledger& ledger, const Snapshot& snapshot,
                                       const std::string& name) {
  if (const cost::Ledger::Entry* entry = ledger.node(name)) return *entry;
  std::vector<std::string_view> names;
  for (const auto& entry : ledger.nodes()) names.push_back(entry.name());
  const std::string shown = sanitize(name);
  throw Error(ErrorKind::usage,
              has_node(snapshot, name) ? fmt::format("node `{}` has no GPUs to be priced", shown)
                                       : fmt::format("there is no node `{}`", shown),
              help_for_node(name, names));
}

/// A cluster is asked for that node alone; of files all nodes are read, so that those with GPUs can
/// be named where it is none of them.
kube::Needs needs_of_node(const std::string& node, const GlobalFlags& flags) {
  kube::Needs needs;
  if (!flags.from) needs.node_names = {node};
  return needs;
}

report::Columns<cost::PriceStep> step_columns() {
  report::Columns<cost::PriceStep> columns;
  columns.text({"source", Type::text()}, "SOURCE", kPeople | kPlain,
               [](const auto& step) { return Cell(cost::name_of(step.source)); });
  columns.text({"rule", Type::text().or_null()}, "RULE", kPeople | kPlain,
               [](const auto& step) { return step.rule.empty() ? Cell() : Cell(step.rule); });
  columns.text({"outcome", Type::text()}, "OUTCOME", kPeople | kPlain,
               [](const auto& step) { return Cell(step.outcome); });
  columns.text("", kPeople, [](const auto& step) {
    return step.won ? Cell("this one", report::Concern::good) : Cell("");
  });
  columns.machine({"won", Type::flag()}, [](const auto& step) { return Cell(step.won); });
  return columns;
}

/// "gpu-a1: 55.04 $/h, 8 GPUs of 6.88 each, on-demand (assumed: no label says)".
std::string headline(const cost::Ledger::Entry& entry) {
  const cost::NodePrice& price = entry.ledger.price();
  std::string text = entry.name() + ": ";
  if (!price.per_hour) return text + "the price is not known";
  const double hour = static_cast<double>(price.per_hour->nano) / 1e9;
  text += fmt::format("${:.4f} an hour", hour);
  const auto cards = entry.ledger.cards();
  const bool has_one_price = entry.ledger.prices().size() == 1;
  if (cards && *cards > 0 && has_one_price)
    text += fmt::format(", {} of ${:.4f} each", counted(*cards, "GPU"),
                        hour / static_cast<double>(*cards));
  if (!has_one_price)
    text += fmt::format(", GPUs of {}; the rules below are those of the first model",
                        cost::card_model(entry.facts));
  if (price.cards && cards && *price.cards != *cards)
    text += fmt::format(" ({} are paid for)", *price.cards);
  text += fmt::format(", {}", cost::name_of(price.capacity.type));
  if (price.capacity.evidence.empty()) return text + " (assumed: no label says)";
  return text + " (" + price.capacity.evidence + ")";
}

}  // namespace

report::AnswerForm price_step_form() {
  return {.kind = "PriceStepList",
          .command = "cost --explain-price",
          .item = "One item per source of prices, in the order in which they are tried.",
          .fields = report::declared_fields(step_columns().table({})),
          .summary = {},
          .summary_says = "Empty."};
}

int explain_price(const std::string& node, const cost::PriceBook& prices, const CostFlags& flags,
                  Env& env) {
  if (node.empty())
    throw Error(ErrorKind::usage, "`--explain-price` needs the name of a node",
                "see all\n      kubectl gpu cost nodes");
  const Snapshot snapshot = read_snapshot(flags.global, needs_of_node(node, flags.global), env);
  const usage::Inventory inventory(snapshot);
  const cost::Ledger ledger(inventory, prices, {});
  const cost::Ledger::Entry& entry = entry_named(ledger, snapshot, node);
  report::Report report{.kind = "PriceStepList"};
  report.table = step_columns().table(prices.steps(cost::priced_node(entry.facts)));
  const report::Format format = format_of(flags.global);
  const report::Style out = out_style(flags.global, env);
  if (format == report::Format::text || format == report::Format::wide)
    env.out << report::render_note(headline(entry), out);
  env.out << report::render(report, format, out);
  return 0;
}

}  // namespace gpu::cmd
