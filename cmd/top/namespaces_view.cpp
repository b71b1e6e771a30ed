#include <fmt/format.h>

#include "base/text.hpp"
#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/view.hpp"
#include "usage/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using usage::NamespaceGroup;
using usage::NamespaceUsage;
using NamespaceColumns = Columns<usage::NamespaceGroup>;

/// A fact of the one kind of a row; a row of several has none.
template <class Fact>
NamespaceColumns::Fill of_kind(Fact fact) {
  return [fact](const usage::NamespaceGroup& row) -> report::Cell {
    if (row.kinds.size() != 1) return {};
    return fact(row.kinds.front());
  };
}

report::Cell unit_cell(const usage::NamespaceUsage& usage) {
  return usage::name_of(usage::unit_of(*usage.pool));
}
report::Cell resource_cell(const usage::NamespaceUsage& usage) { return usage.pool->resource; }
report::Cell model_of(const usage::NamespaceUsage& usage) { return model_cell(*usage.pool); }

/// For people a namespace stands in one row, and cards come before parts of them.
report::Cell amount_cell(const usage::NamespaceGroup& row) {
  return row.kinds.size() == 1 ? row.kinds.front().units : row.cards;
}

ShownUse use_of(const usage::NamespaceGroup& row) { return {row.use, concern_of_held(row.use)}; }

NamespaceColumns namespace_columns(Window window) {
  NamespaceColumns columns;
  columns
      .text("namespace", "NAMESPACE", kPeople | kPlain | kMachine,
            [](const usage::NamespaceGroup& row) { return report::Cell(row.ns); })
      .is_name = true;
  columns.text("resource", "RESOURCE", kPlain | kMachine, of_kind(resource_cell));
  columns.machine("source", of_kind([](const usage::NamespaceUsage& usage) -> report::Cell {
                    return gpu::name_of(usage.pool->source);
                  }));
  columns.text("model", "MODEL", kPlain | kMachine, of_kind(model_of));
  columns.machine("vendor", of_kind([](const usage::NamespaceUsage& usage) -> report::Cell {
                    return gpu::name_of(usage.pool->kind.vendor);
                  }));
  columns.text("unit", "UNIT", kPlain | kMachine, of_kind(unit_cell));
  columns.text("", "GPUS", kPeople, usage::kinds_text);
  columns.number("gpus", "GPUS", kPlain | kMachine, amount_cell);
  columns.number("pods", "PODS", kPeople | kPlain | kMachine,
                 [](const usage::NamespaceGroup& row) { return report::Cell(row.pods); });
  columns.use(use_of, window);
  columns.wide_use(use_of);
  columns.use_keys(use_of);
  columns.machine("idle", [](const usage::NamespaceGroup& row) { return idle_cell(row.use); });
  columns.machine("idleSeconds",
                  [](const usage::NamespaceGroup& row) { return seconds_cell(row.use.idle_for); });
  columns.use_source_keys(use_of);
  return columns;
}

}  // namespace

report::Report namespaces_report(const TopAnswer& answer) {
  report::Report report = report_with_totals(answer, "NamespaceUsageList");
  report.name_prefix = "namespace/";
  report.table = namespace_columns(answer.window).table(answer.namespaces);
  if (answer.namespaces.size() > 1) {
    const std::string& most = answer.namespaces.front().ns;
    report.hints.push_back({fmt::format("{} holds most: see its pods", most),
                            "kubectl gpu top pods -n " + shell_quoted(most)});
  }
  return report;
}

}  // namespace gpu::cmd
