#include "cmd/top/tree_view.hpp"

#include <fmt/format.h>

#include <map>

#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/use_columns.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using usage::NodeUsage;
using usage::PodGroup;

/// A node's pool, or pods that hold units of it.
struct TreeRow {
  const usage::NodeUsage* node = nullptr;
  const usage::PodGroup* pods = nullptr;  ///< null: the row of the node itself
  bool is_last = false;                   ///< of the pods below their node
};
using TreeColumns = report::Columns<TreeRow>;

std::string pods_name(const usage::PodGroup& group) {
  const std::int64_t pods = pods_in(group);
  const std::string& ns = group.rows.front().holding->ns;
  if (pods < 2) return fmt::format("{}/{}", ns, name_of(group.rows.front()));
  return fmt::format("{}/{} ({} pods)", ns, group.owner.name, pods);
}

report::Cell tree_name(const TreeRow& row) {
  if (row.pods == nullptr) return row.node->pool.node;
  return report::Branch{pods_name(*row.pods), row.is_last};
}

report::Cell held_cell(const TreeRow& row) {
  const Pool& pool = row.node->pool;
  if (row.pods != nullptr)
    return share_cell({.allocated = row.pods->units,
                       .at_least = {},
                       .total = pool.total,
                       .unavailable = {},
                       .unit = usage::unit_of(pool)},
                      report::Concern::none);
  return share_cell({.allocated = pool.allocated,
                     .at_least = pool.at_least,
                     .total = pool.total,
                     .unavailable = pool.unavailable,
                     .unit = usage::unit_of(pool)},
                    concern_of(row.node->state));
}

report::Cell units_cell(const TreeRow& row) {
  if (row.pods != nullptr) return row.pods->units;
  return report::cell_of(row.node->pool.allocated);
}

report::Cell age_cell(const TreeRow& row, const std::optional<Time>& now) {
  if (row.pods == nullptr) return "";
  const std::optional<Time> since = oldest(*row.pods);
  return since && now ? report::Cell(report::Seconds{*now - *since}) : report::Cell();
}

report::Cell pods_note(const usage::PodGroup& pods) {
  const std::string idle = idle_note(pods.use);
  const std::int64_t sharing = usage::shared_by(pods.rows.front());
  const std::string shared = sharing < 2 ? "" : fmt::format("shared by {} pods", sharing);
  return {joined_notes(idle, shared),
          idle.empty() ? report::Concern::none : report::Concern::warning};
}

report::Cell state_cell(const TreeRow& row) {
  if (row.pods != nullptr) return pods_note(*row.pods);
  return {usage::name_of(row.node->state), concern_of(row.node->state)};
}

UseOf<TreeRow> use_of(const TopAnswer& answer) {
  return [&answer](const TreeRow& row) {
    if (row.pods != nullptr) return ShownUse{row.pods->use, concern_of_held(row.pods->use)};
    return ShownUse{row.node->use, concern_of_use(*row.node, answer.idle_units)};
  };
}

TreeColumns tree_columns(const TopAnswer& answer) {
  TreeColumns columns;
  columns.text("NODE", kPeople, tree_name).is_name = true;
  columns.text("NODE", kPlain,
               [](const TreeRow& row) { return report::Cell(row.node->pool.node); });
  columns.text("POD", kPlain, [](const TreeRow& row) {
    return row.pods == nullptr ? report::Cell() : report::Cell(pods_name(*row.pods));
  });
  report::Column& model = columns.text("MODEL", kPeople, [](const TreeRow& row) {
    return row.pods == nullptr ? model_cell(row.node->pool) : report::Cell("");
  });
  model.drops_next = true;
  columns.text("MODEL", kPlain, [](const TreeRow& row) { return model_cell(row.node->pool); });
  columns.text("UNIT", kPlain, [](const TreeRow& row) {
    return report::Cell(usage::name_of(usage::unit_of(row.node->pool)));
  });
  columns.text("ALLOCATED", kPeople, held_cell);
  columns.number("GPUS", kPlain, units_cell);
  add_use(columns, use_of(answer), answer.window);
  columns.number("AGE", kPeople,
                 [now = answer.now](const TreeRow& row) { return age_cell(row, now); });
  columns.text("STATE", kPeople, state_cell);
  columns.text("STATE", kPlain, [](const TreeRow& row) {
    return report::Cell(usage::name_of(row.node->state), concern_of(row.node->state));
  });
  add_wide_use(columns, use_of(answer));
  columns.text("RESOURCE", kWide, [](const TreeRow& row) {
    return row.pods == nullptr ? report::Cell(row.node->pool.resource) : report::Cell("");
  });
  return columns;
}

std::map<std::string, std::vector<usage::PodGroup>> groups_by_pool(const TopAnswer& answer) {
  std::map<std::string, std::vector<usage::PodUsage>> rows;
  for (const usage::PodUsage& row : answer.pods) rows[pool_key(*row.pool)].push_back(row);
  const auto folding = answer.question.folds ? usage::Folding::owner : usage::Folding::none;
  std::map<std::string, std::vector<usage::PodGroup>> groups;
  for (const auto& [key, of_pool] : rows)
    groups.emplace(key, usage::pod_groups(of_pool, answer.inventory.snapshot, folding));
  return groups;
}

}  // namespace

report::Report tree_report(const TopAnswer& answer, const std::vector<std::size_t>& order) {
  const auto groups = groups_by_pool(answer);
  const bool is_for_pipe = answer.question.reader == Reader::pipe;
  std::vector<TreeRow> rows;
  for (const std::size_t at : order) {
    const usage::NodeUsage& node = answer.nodes[at];
    const auto below = groups.find(pool_key(node.pool));
    const bool has_pods = below != groups.end();
    // In a pipe each row is about a pod; a node without one still stands there.
    if (!is_for_pipe || !has_pods) rows.push_back({.node = &node});
    if (!has_pods) continue;
    for (const usage::PodGroup& group : below->second)
      rows.push_back({.node = &node, .pods = &group, .is_last = &group == &below->second.back()});
  }
  report::Report report = report_with_totals(answer);
  report.table = tree_columns(answer).table(rows);
  return report;
}

}  // namespace gpu::cmd
