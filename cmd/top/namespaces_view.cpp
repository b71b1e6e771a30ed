#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "cmd/top/name_completion.hpp"
#include "cmd/top/rows.hpp"
#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/use_columns.hpp"
#include "cmd/top/view.hpp"
#include "usage/rows/named_rows.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using usage::NamespaceGroup;
using usage::NamespaceUsage;
using NamespaceColumns = report::Columns<usage::NamespaceGroup>;

/// What the one kind of a row fills; a row of several has none.
NamespaceColumns::Fill of_kind(const PoolKey& key) {
  return [fill = key.fill](const usage::NamespaceGroup& row) -> report::Cell {
    if (row.kinds.size() != 1) return {};
    return fill(*row.kinds.front().pool);
  };
}

/// For people a namespace stands in one row, and cards come before parts of them.
report::Cell amount_cell(const usage::NamespaceGroup& row) {
  return row.kinds.size() == 1 ? row.kinds.front().units : row.cards;
}

ShownUse use_of(const usage::NamespaceGroup& row) { return {row.use, concern_of_held(row.use)}; }

NamespaceColumns namespace_columns(Window window) {
  NamespaceColumns columns;
  report::Column& ns =
      columns.text({"namespace", Type::text()}, "NAMESPACE", kPeople | kPlain,
                   [](const usage::NamespaceGroup& row) { return report::Cell(row.ns); });
  ns.is_name = true;
  ns.is_sortable = true;
  const auto add = [&](const PoolKey& key, std::string_view title) -> report::Column& {
    return columns.text(key.field, title, title.empty() ? 0 : kPlain, of_kind(key));
  };
  add(resource_key(), "RESOURCE");
  add(source_key(), "");
  add(model_key(), "MODEL").is_sortable = true;
  add(vendor_key(), "");
  add(unit_key(), "UNIT");
  columns.text("GPUS", kPeople, usage::kinds_text);
  columns.number({"gpus", Type::count(), "Units; each claim once."}, "GPUS", kPlain, amount_cell)
      .is_sortable = true;
  columns
      .number({"pods", Type::count(), "Pods that hold them."}, "PODS", kPeople | kPlain,
              [](const usage::NamespaceGroup& row) { return report::Cell(row.pods); })
      .is_sortable = true;
  add_use(columns, use_of, window);
  add_wide_use(columns, use_of);
  add_use_keys(columns, use_of);
  add_idle_keys(columns, use_of);
  add_use_source_keys(columns, use_of);
  return columns;
}

void find_namespace_rows(TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  find_pods(answer);
  if (answer.inventory.snapshot.pod_coverage != Coverage::none)
    usage::keep_named_namespaces(answer.pods, question.names);
  answer.namespaces = usage::namespace_groups(
      usage::namespace_usage(answer.pods),
      question.reader == Reader::people ? usage::Kinds::together : usage::Kinds::apart);
}

report::Report namespaces_report(const TopAnswer& answer) {
  report::Report report = report_with_totals(answer);
  report.name_prefix = "namespace/";
  report.table = namespace_columns(answer.window).table(answer.namespaces);
  if (answer.namespaces.size() > 1) {
    const std::string& most = answer.namespaces.front().ns;
    report.hints.push_back({fmt::format("{} holds most: see its pods", most),
                            "kubectl gpu top pods -n " + shell_quoted(most)});
  }
  return report;
}

constexpr std::array<std::string_view, 4> kWithout = {"--idle", "--no-fold", "--tree",
                                                      "--label-columns"};

}  // namespace

const ViewSpec kNamespacesView = {
    .name = "namespaces",
    .singular = "namespace",
    .short_name = "ns",
    .rows_are = RowsAre::groups,
    .about = About::pods,
    .kind = "NamespaceUsageList",
    .item = "One item per namespace, resource and model.",
    .help = {.name = "top",
             .usage = "top namespaces [NAMESPACE...]",
             .summary = "Show how many GPUs each namespace holds, and how busy these are",
             .examples = "top namespaces\n"
                         "top namespaces --model H100\n"
                         "top namespaces --sort-by idle\n"
                         "top namespaces ml research -o json"},
    .sort_help = "sort by a column: util, memory, idle, gpus, pods, ...",
    .flags_without = kWithout,
    .find_rows = find_namespace_rows,
    .has_rows = [](const TopAnswer& answer) { return !answer.namespaces.empty(); },
    .report = namespaces_report,
    .completes = [](const TopFlags& flags,
                    const Typing& typing) { return holding_namespaces(flags, typing.env); },
};

}  // namespace gpu::cmd
