#include <array>
#include <string_view>
#include <vector>

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
using usage::ModelUsage;
using ModelColumns = report::Columns<usage::ModelUsage>;
using Amount = std::optional<std::int64_t> ModelUsage::*;

report::Cell held_cell(const usage::ModelUsage& row) {
  return share_cell({.allocated = row.allocated,
                     .at_least = row.at_least,
                     .total = row.total,
                     .unavailable = row.unavailable,
                     .unit = usage::unit_of(*row.pool)},
                    report::Concern::warning);
}

ModelColumns::Fill amount(Amount member) {
  return [member](const usage::ModelUsage& row) { return report::cell_of(row.*member); };
}

ShownUse use_of(const usage::ModelUsage& row) {
  const bool is_held = row.allocated.value_or(0) > 0;
  return {row.use, is_held ? concern_of_held(row.use) : report::Concern::none};
}

report::Cell nodes_cell(const usage::ModelUsage& row) {
  return static_cast<std::int64_t>(row.nodes.size());
}

void add_people_and_plain(ModelColumns& columns, Window window) {
  columns
      .text(model_key().field, "MODEL", kPeople | kPlain,
            [](const usage::ModelUsage& row) { return model_cell(*row.pool); })
      .is_sortable = true;
  columns.text("UNIT", kPlain | report::Audience::people_wide, [](const usage::ModelUsage& row) {
    return report::Cell(usage::name_of(usage::unit_of(*row.pool)));
  });
  columns.text("ALLOCATED", kPeople, held_cell);
  columns.number("GPUS", kPlain, amount(&usage::ModelUsage::total));
  columns.number("ALLOCATED", kPlain, amount(&usage::ModelUsage::allocated));
  columns.number("FREE", kPeople | kPlain, amount(&usage::ModelUsage::free));
  columns.number("UNAVAILABLE", kPlain, amount(&usage::ModelUsage::unavailable));
  columns.number("NODES", kPeople | kPlain, nodes_cell);
  columns.number("CARDS", kPeople | kPlain, amount(&usage::ModelUsage::cards));
  columns.number("FREE_CARDS", kWide, amount(&usage::ModelUsage::free_cards));
  add_use(columns, use_of, window);
  add_wide_use(columns, use_of);
  columns.text("SHARING", kWide,
               [](const usage::ModelUsage& row) { return sharing_text(*row.pool); });
}

void add_machine(ModelColumns& columns) {
  for (const PoolKey& key : {vendor_key(), unit_key(), second_view_key(), sharing_key()})
    add_pool_key(columns, key, [](const ModelUsage& row) -> const Pool& { return *row.pool; });
  columns.machine({"nodes", Type::count(), "Nodes that have this model."}, nodes_cell).is_sortable =
      true;
  const auto count = [&](std::string key, std::string says, Amount member) -> report::Column& {
    return columns.machine({std::move(key), Type::count().or_null(), std::move(says)},
                           amount(member));
  };
  count("cards", "Physical cards behind the units.", &ModelUsage::cards).is_sortable = true;
  count("total", "Units that nodes have.", &ModelUsage::total).is_sortable = true;
  count("allocated", "Held by pods that have not finished.", &ModelUsage::allocated).is_sortable =
      true;
  columns.machine(at_least_field(), amount(&ModelUsage::at_least));
  count("free", "A pod could start there now.", &ModelUsage::free).is_sortable = true;
  count("freeCards", "Cards of which no one holds anything.", &ModelUsage::free_cards);
  count("unavailable", "Neither held nor free.", &ModelUsage::unavailable).is_sortable = true;
  add_use_keys(columns, use_of);
  add_power_key(columns, use_of);
  add_use_source_keys(columns, use_of);
}

void find_model_rows(TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  std::vector<const Pool*> pools;
  for (const Pool& pool : answer.inventory.pools)
    if (matches(pool, question)) pools.push_back(&pool);
  answer.models = usage::model_usage(answer.inventory, pools);
  usage::keep_named_models(answer.models, question.names);
}

report::Report models_report(const TopAnswer& answer) {
  ModelColumns columns;
  add_people_and_plain(columns, answer.window);
  add_machine(columns);
  report::Report report = report_with_totals(answer);
  report.table = columns.table(answer.models);
  return report;
}

constexpr std::array<std::string_view, 6> kWithout = {
    "--idle", "--no-fold", "--tree", "--label-columns", "--all-namespaces", "--namespace"};

}  // namespace

const ViewSpec kModelsView = {
    .name = "models",
    .singular = "model",
    .short_name = "",
    .rows_are = RowsAre::groups,
    .about = About::nodes,
    .kind = "ModelUsageList",
    .item = "One item per model, unit and way of sharing.",
    .help = {.name = "top",
             .usage = "top models [MODEL...]",
             .summary = "Show each GPU model of the cluster: how many, held, free, how busy",
             .examples = "top models\n"
                         "top models H100\n"
                         "top models --sort-by free\n"
                         "top models --summary  # totals by kind"},
    .sort_help = "sort by a column: util, memory, power, free, total, ...",
    .flags_without = kWithout,
    .find_rows = find_model_rows,
    .has_rows = [](const TopAnswer& answer) { return !answer.models.empty(); },
    .report = models_report,
    .completes = [](const TopFlags& flags,
                    const Typing& typing) { return model_names(flags, typing.env); },
};

}  // namespace gpu::cmd
