#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "cmd/top/idle_hints.hpp"
#include "cmd/top/name_completion.hpp"
#include "cmd/top/rows.hpp"
#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/tree_view.hpp"
#include "cmd/top/use_columns.hpp"
#include "cmd/top/view.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using usage::NodeState;
using usage::NodeUsage;
using NodeColumns = report::Columns<usage::NodeUsage>;

report::Cell state_cell(const usage::NodeUsage& row) {
  return {usage::name_of(row.state), concern_of(row.state)};
}

report::Cell held_cell(const usage::NodeUsage& row) {
  const Pool& pool = row.pool;
  return share_cell({.allocated = pool.allocated,
                     .at_least = pool.at_least,
                     .total = pool.total,
                     .unavailable = pool.unavailable,
                     .unit = usage::unit_of(pool)},
                    concern_of(row.state));
}

report::Cell reason_cell(const usage::NodeUsage& row) {
  if (row.pool.unavailable == 0) return {};
  return text_or_unknown(code_of(row.pool.reason));
}

std::optional<std::chrono::seconds> cordoned_for(const usage::NodeUsage& row,
                                                 const std::optional<Time>& now) {
  if (!row.cordoned_at || !now || *now < *row.cordoned_at) return std::nullopt;
  return *now - *row.cordoned_at;
}

/// "cordoned 3d ago".
report::Cell told_reason_cell(const usage::NodeUsage& row, const std::optional<Time>& now) {
  const auto since = cordoned_for(row, now);
  if (row.pool.unavailable == 0 || row.pool.reason != Unavailable::cordoned || !since)
    return reason_cell(row);
  return report::Cell(fmt::format("cordoned {} ago", human_duration(*since)));
}

/// Where all are old, one gap says it.
bool has_old_row(const TopAnswer& answer) {
  return answer.ages == usage::Ages::some_old &&
         std::any_of(answer.nodes.begin(), answer.nodes.end(),
                     [](const usage::NodeUsage& row) { return !age_note(row.use).empty(); });
}

UseOf<usage::NodeUsage> use_of(const TopAnswer& answer) {
  return [&answer](const usage::NodeUsage& row) {
    return ShownUse{row.use, concern_of_use(row, answer.idle_units)};
  };
}

/// For people, marks and bars; for pipes, bare numbers.
void add_people_and_plain(NodeColumns& columns, const TopAnswer& answer) {
  const auto count = [&](std::string_view title, unsigned audience,
                         std::optional<std::int64_t> Pool::*member) {
    columns.number(title, audience,
                   [=](const usage::NodeUsage& row) { return report::cell_of(row.pool.*member); });
  };
  report::Column& name =
      columns.text({"name", Type::text(), "The node."}, "NODE", kPeople | kPlain,
                   [](const usage::NodeUsage& row) { return report::Cell(row.pool.node); });
  name.is_name = true;
  name.is_sortable = true;
  columns
      .text(model_key().field, "MODEL", kPeople | kPlain,
            [](const usage::NodeUsage& row) { return model_cell(row.pool); })
      .is_sortable = true;
  columns.text("UNIT", kPlain, [](const usage::NodeUsage& row) {
    return report::Cell(usage::name_of(usage::unit_of(row.pool)));
  });
  columns.text("ALLOCATED", kPeople, held_cell);
  count("GPUS", kPlain, &Pool::total);
  count("ALLOCATED", kPlain, &Pool::allocated);
  count("FREE", kPlain, &Pool::free);
  count("UNAVAILABLE", kPlain, &Pool::unavailable);
  add_use(columns, use_of(answer), answer.window);
  const auto power = [](const usage::NodeUsage& row) { return power_cell(row.use); };
  columns.number("POWER", kPeople, power).drops_first = true;
  columns.text("STATE", kPeople | kPlain, state_cell);
  if (has_old_row(answer))
    columns.text("", kPeople,
                 [](const usage::NodeUsage& row) { return report::Cell(age_note(row.use)); });
  columns.number("POWER_W", static_cast<unsigned>(report::Audience::plain_wide), power);
  add_wide_use(columns, use_of(answer));
  columns.text("RESOURCE", kWide,
               [](const usage::NodeUsage& row) { return report::Cell(row.pool.resource); });
  count("CARDS", kWide, &Pool::cards);
  columns.text("SHARING", kWide,
               [](const usage::NodeUsage& row) { return sharing_text(row.pool); });
  columns.text(
      "REASON", static_cast<unsigned>(report::Audience::people_wide),
      [now = answer.now](const usage::NodeUsage& row) { return told_reason_cell(row, now); });
  columns.text("REASON", static_cast<unsigned>(report::Audience::plain_wide), reason_cell);
  columns.text("DRIVER", kWide,
               [](const usage::NodeUsage& row) { return text_or_unknown(row.pool.driver); });
  columns.text("INSTANCE", kWide,
               [](const usage::NodeUsage& row) { return text_or_unknown(row.instance_type); });
  columns.text("ZONE", kWide,
               [](const usage::NodeUsage& row) { return text_or_unknown(row.zone); });
}

void add_identity_keys(NodeColumns& columns) {
  columns.machine({"product", Type::text().or_null(), "As the label says: NVIDIA-H100-80GB-HBM3."},
                  [](const usage::NodeUsage& row) { return text_or_unknown(row.pool.product); });
  for (const PoolKey& key : {vendor_key(), resource_key(), source_key(), unit_key(), sharing_key()})
    add_pool_key(columns, key, &NodeUsage::pool);
}

/// An amount of a pool that may be unknown.
PoolKey amount_key(std::string key, std::string says, std::optional<std::int64_t> Pool::*member) {
  return {{std::move(key), Type::count().or_null(), std::move(says)},
          [member](const Pool& pool) { return report::cell_of(pool.*member); }};
}

void add_amount_keys(NodeColumns& columns, const TopAnswer& answer) {
  const auto add = [&](const PoolKey& key) -> report::Column& {
    return add_pool_key(columns, key, &NodeUsage::pool);
  };
  add(amount_key("cards", "Physical cards behind the units.", &Pool::cards));
  add(amount_key("freeCards", "Of these no one holds anything, and they can be had now.",
                 &Pool::free_cards));
  add(second_view_key());
  add({{"capacity", Type::count(), "Units that the node has."}, &Pool::capacity}).is_sortable =
      true;
  add({{"allocatable", Type::count(), "Units that the node offers to pods."}, &Pool::allocatable})
      .is_sortable = true;
  add(amount_key("allocated", "Held by pods that have not finished.", &Pool::allocated))
      .is_sortable = true;
  add({at_least_field(), [](const Pool& pool) {
         return report::cell_of(pool.allocated ? pool.allocated : pool.at_least);
       }});
  add(amount_key("free", "A pod could start there now.", &Pool::free)).is_sortable = true;
  add(amount_key("unavailable", "Neither held nor free.", &Pool::unavailable)).is_sortable = true;
  columns.machine({"unavailableReason", Type::one_of<Unavailable>(code_of).or_null(),
                   "Why units are neither held nor free."},
                  reason_cell);
  columns.machine({"cordonedSeconds", Type::integer().or_null(),
                   "Since the node was cordoned; null where its taint does not say it."},
                  [now = answer.now](const usage::NodeUsage& row) {
                    const auto since = cordoned_for(row, now);
                    return since ? report::Cell(report::Seconds{*since}) : report::Cell();
                  });
}

void add_state_keys(NodeColumns& columns) {
  columns
      .machine({"state", Type::one_of<NodeState>(usage::name_of),
                "The state of the node's GPUs in one word."},
               [](const NodeUsage& row) { return usage::name_of(row.state); })
      .is_sortable = true;
  columns.machine(
      {"driver", Type::text().or_null(), "The version of the driver, where labels say it."},
      [](const NodeUsage& row) { return text_or_unknown(row.pool.driver); });
  columns
      .machine({"instanceType", Type::text().or_null(), "As the node's label says."},
               [](const NodeUsage& row) { return text_or_unknown(row.instance_type); })
      .is_sortable = true;
  columns
      .machine({"zone", Type::text().or_null(), "As the node's label says."},
               [](const NodeUsage& row) { return text_or_unknown(row.zone); })
      .is_sortable = true;
}

void add_machine(NodeColumns& columns, const TopAnswer& answer) {
  add_identity_keys(columns);
  add_amount_keys(columns, answer);
  add_use_keys(columns, use_of(answer));
  add_power_key(columns, use_of(answer));
  add_state_keys(columns);
  add_use_source_keys(columns, use_of(answer));
}

/// -L: by the node that a row stands on.
void add_labels(NodeColumns& columns, const TopAnswer& answer) {
  const std::vector<Node>& nodes = answer.inventory.snapshot.nodes;
  for (const std::string& label : answer.question.label_columns)
    columns.text(label_field(label), label_title(label), kPeople | kPlain,
                 [&nodes, label](const usage::NodeUsage& row) {
                   const auto node = std::lower_bound(
                       nodes.begin(), nodes.end(), row.pool.node,
                       [](const Node& a, const std::string& name) { return a.name < name; });
                   return label_cell(node->labels, label);
                 });
}

/// A pod, or a claim without pods, that holds units of a node.
const report::Fields<usage::PodUsage>& holder_fields() {
  using usage::PodUsage;
  static const report::Fields<PodUsage> fields = {
      {{"namespace", Type::text()}, [](const PodUsage& row) { return row.holding->ns; }},
      {{"name", Type::text().or_null(), "null: a claim that no pod uses."},
       [](const PodUsage& row) {
         return row.pod == nullptr ? report::Cell() : report::Cell(row.pod->name);
       }},
      {{"gpus", Type::count(), "Units; count each claim once."},
       [](const PodUsage& row) { return row.holding->units; }},
      {{"claim", Type::text().or_null(), "The ResourceClaim."},
       [](const PodUsage& row) { return text_or_unknown(row.holding->claim); }},
      {{"sharedBy", Type::count(), "Pods that hold these units together; 0: a claim without pods."},
       usage::shared_by},
      {{"evidence", Type::one_of<Evidence>(gpu::name_of), "How it is known."},
       [](const PodUsage& row) { return gpu::name_of(row.holding->evidence); }},
  };
  return fields;
}

using ListsByPool = std::unordered_map<std::string, report::List>;

/// --tree for machines: who holds units of each pool.
ListsByPool pods_by_pool(const std::vector<usage::PodUsage>& pods) {
  ListsByPool lists;
  for (const usage::PodUsage& row : pods)
    lists[pool_key(*row.pool)].emplace_back(holder_fields().record(row));
  return lists;
}

/// A state worth acting on, and what shows more of the first node in it.
struct StateHint {
  std::string_view one;
  std::string_view many;
  std::string command;  ///< followed by the node's name
};

template <class IsIn>
void add_state_hint(report::Report& report, const TopAnswer& answer, IsIn is_in,
                    const StateHint& hint) {
  const auto nodes = std::count_if(answer.nodes.begin(), answer.nodes.end(), is_in);
  if (nodes == 0) return;
  const std::string& first =
      std::find_if(answer.nodes.begin(), answer.nodes.end(), is_in)->pool.node;
  report.hints.push_back({nodes == 1 ? fmt::format("{} {}", first, hint.one)
                                     : fmt::format("{} nodes {}", nodes, hint.many),
                          hint.command + shell_quoted(first)});
}

void add_state_hints(report::Report& report, const TopAnswer& answer) {
  constexpr std::string_view kNoPlugin = "should have GPUs, but no device plugin advertises them";
  const auto lacks_plugin_during = [](usage::OperatorWork work) {
    return [work](const usage::NodeUsage& row) {
      return row.state == usage::NodeState::no_plugin && row.work == work;
    };
  };
  add_state_hint(report, answer, lacks_plugin_during(usage::OperatorWork::none),
                 {kNoPlugin, kNoPlugin, "kubectl describe node "});
  add_state_hint(report, answer, lacks_plugin_during(usage::OperatorWork::mig_layout),
                 {"offers no GPUs while its MIG layout is changed",
                  "offer no GPUs while their MIG layout is changed",
                  "kubectl get node -L nvidia.com/mig.config.state "});
  add_state_hint(report, answer, lacks_plugin_during(usage::OperatorWork::driver_upgrade),
                 {"offers no GPUs while its driver is upgraded",
                  "offer no GPUs while their driver is upgraded",
                  "kubectl get node -L nvidia.com/gpu-driver-upgrade-state "});
  const auto is_tainted = [](const usage::NodeUsage& row) {
    return row.pool.reason == Unavailable::device_tainted;
  };
  const auto is_withdrawn = [](const usage::NodeUsage& row) {
    return row.state == usage::NodeState::unhealthy && row.pool.allocatable == 0 &&
           row.pool.source == PoolSource::device_plugin;
  };
  add_state_hint(report, answer, is_withdrawn,
                 {"has GPUs of which none is allocatable", "have GPUs of which none is allocatable",
                  "kubectl get pods -A -o wide --field-selector=spec.nodeName="});
  add_state_hint(report, answer, is_tainted,
                 {"has a DRA device with a taint", "have DRA devices with a taint",
                  "kubectl get resourceslices -o yaml --field-selector=spec.nodeName="});
  add_state_hint(report, answer,
                 [&](const usage::NodeUsage& row) {
                   return row.state == usage::NodeState::unhealthy && !is_tainted(row) &&
                          !is_withdrawn(row);
                 },
                 {"advertises fewer GPUs than it has", "advertise fewer GPUs than they have",
                  "kubectl describe node "});
  add_state_hint(
      report, answer,
      [](const usage::NodeUsage& row) { return row.pool.reason == Unavailable::pool_incomplete; },
      {"has GPUs that its DRA driver does not publish",
       "have GPUs that their DRA driver does not publish",
       "kubectl get pods -A -o wide --field-selector=spec.nodeName="});
}

void find_node_rows(TopAnswer& answer) {
  if (answer.question.shape == Shape::tree) find_pods(answer);
  find_idle_units(answer);
}

report::Report nodes_report(const TopAnswer& answer) {
  NodeColumns columns;
  add_people_and_plain(columns, answer);
  add_machine(columns, answer);
  add_labels(columns, answer);
  ListsByPool pods;
  if (answer.question.shape == Shape::tree) {
    pods = pods_by_pool(answer.pods);
    columns.machine(
        {"pods", Type::list(holder_fields().type()), "Who holds the units; with --tree only.",
         report::Presence::on_request},
        [&](const usage::NodeUsage& row) { return report::Cell(pods[pool_key(row.pool)]); });
  }
  report::Report report = report_with_totals(answer);
  report.name_prefix = "node/";
  report.table = columns.table(answer.nodes);
  add_idle_hints(report, answer);
  add_state_hints(report, answer);
  return report;
}

constexpr std::array<std::string_view, 3> kWithout = {"--idle", "--all-namespaces", "--namespace"};

}  // namespace

const ViewSpec kNodesView = {
    .name = "nodes",
    .singular = "node",
    .short_name = "no",
    .rows_are = RowsAre::nodes,
    .about = About::nodes,
    .kind = "NodeUsageList",
    .item = "One item per node and GPU resource name.",
    .help = {.name = "top",
             .usage = "top nodes [NODE...]",
             .summary = "Show each node's GPUs: allocated, free, unavailable and why, live use",
             .examples = "top nodes\n"
                         "top nodes gpu-a1 gpu-a2 -o wide\n"
                         "top nodes --tree  # nodes, and the pods that hold their GPUs\n"
                         "top nodes -l pool=training --sort-by free\n"
                         "top nodes --since 1h  # with averages and maxima, from Prometheus"},
    .sort_help = "sort by a column: free, allocated, util, memory, power, idle, ...",
    .flags_without = kWithout,
    .find_rows = find_node_rows,
    .has_rows = [](const TopAnswer& answer) { return !answer.nodes.empty(); },
    .report = nodes_report,
    .tree = tree_report,
    .completes = [](const TopFlags& flags,
                    const Typing& typing) { return node_names(flags, typing.env); },
};

}  // namespace gpu::cmd
