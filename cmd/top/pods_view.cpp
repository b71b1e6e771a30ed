#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "cmd/top/answer.hpp"
#include "cmd/top/name_completion.hpp"
#include "cmd/top/rows.hpp"
#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/use_columns.hpp"
#include "cmd/top/view.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "usage/rows/named_rows.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using usage::PodGroup;
using usage::PodUsage;
using PodColumns = report::Columns<usage::PodGroup>;

const usage::PodUsage& first_of(const usage::PodGroup& group) { return group.rows.front(); }
const Pool& pool_of(const usage::PodGroup& group) { return *first_of(group).pool; }
const Holding& holding_of(const usage::PodGroup& group) { return *first_of(group).holding; }

/// Whether the row shares a GPU that counts in another namespace: its part stands beside it.
bool counts_elsewhere(const usage::PodGroup& group) {
  const Pod* const pod = first_of(group).pod;
  return group.units == 0 && pod != nullptr && !gpu_groups(*pod).empty();
}

/// "asr (9 pods)", where rows of several pods were folded.
std::string name_text(const usage::PodGroup& group) {
  const std::int64_t pods = pods_in(group);
  if (pods < 2) return name_of(first_of(group));
  return fmt::format("{} ({} pods)", group.owner.name, pods);
}

std::string nodes_text(const usage::PodGroup& group) {
  const std::vector<std::string> nodes = nodes_of(group);
  return nodes.size() == 1 ? nodes.front() : fmt::format("{} nodes", nodes.size());
}

ShownUse use_of(const usage::PodGroup& group) { return {group.use, concern_of_held(group.use)}; }

/// Whether the devices of the row are others' too.
bool is_of_whole_device(const usage::PodGroup& group) {
  return std::any_of(group.rows.begin(), group.rows.end(),
                     [](const usage::PodUsage& row) { return row.is_of_whole_device; });
}

report::Cell note_cell(const usage::PodGroup& group, usage::Ages ages) {
  const Pool& pool = pool_of(group);
  std::string note = idle_note(group.use);
  const bool is_idle = !note.empty();
  if (is_of_whole_device(group)) note = joined_notes(note, shared_text(pool.sharing));
  if (shared_by(first_of(group)) > 1)
    note = joined_notes(note, fmt::format("shared by {} pods", shared_by(first_of(group))));
  if (std::string part = part_text(first_of(group)); !part.empty())
    note = joined_notes(note, std::move(part));
  if (ages == usage::Ages::some_old) note = joined_notes(note, age_note(group.use));
  return {note, is_idle ? report::Concern::warning : report::Concern::none};
}

report::Cell age_cell(const usage::PodGroup& group, const std::optional<Time>& now) {
  const std::optional<Time> since = oldest(group);
  if (!since || !now) return {};
  return report::Seconds{*now - *since};
}

report::Cell phase_cell(const usage::PodGroup& group) {
  const Pod* pod = first_of(group).pod;
  if (pod == nullptr) return {};
  return pod->deleted ? report::Cell("Terminating") : text_or_unknown(pod->phase);
}

report::Cell devices_cell(const usage::PodGroup& group) {
  report::List list;
  for (const std::string& device : holding_of(group).devices) list.emplace_back(device);
  return list;
}

const report::Fields<Owner>& owner_fields() {
  static const report::Fields<Owner> fields = {
      {{"kind", Type::text()}, &Owner::kind},
      {{"name", Type::text()}, &Owner::name},
  };
  return fields;
}

report::Cell owner_cell(const usage::PodGroup& group) {
  if (group.owner.name.empty()) return {};
  return owner_fields().record(group.owner);
}

report::Cell owner_text(const usage::PodGroup& group) {
  if (group.owner.name.empty()) return {};
  return fmt::format("{}/{}", group.owner.kind, group.owner.name);
}

void add_people_and_plain(PodColumns& columns, const TopAnswer& answer) {
  report::Column& ns =
      columns.text({"namespace", Type::text()}, "NAMESPACE", kPeople | kPlain,
                   [](const usage::PodGroup& row) { return report::Cell(holding_of(row).ns); });
  ns.is_name = true;
  ns.is_sortable = true;
  columns.text("POD", kPeople | kPlain, name_text).is_name = true;
  report::Column& node = columns.text("NODE", kPeople | kPlain, nodes_text);
  node.is_name = true;
  node.drops_first = true;
  columns.text("MODEL", kPlain | report::Audience::people_wide,
               [](const usage::PodGroup& row) { return model_cell(pool_of(row)); });
  columns.text("UNIT", kPlain, [](const usage::PodGroup& row) {
    return report::Cell(usage::name_of(usage::unit_of(pool_of(row))));
  });
  columns.number("GPUS", kPeople, [](const usage::PodGroup& row) {
    if (counts_elsewhere(row)) return report::Cell();
    return report::Cell(usage::amount_text(row.units, usage::unit_of(pool_of(row))));
  });
  columns.number("GPUS", kPlain,
                 [](const usage::PodGroup& row) { return report::Cell(row.units); });
  add_use(columns, use_of, answer.window);
  const auto age = [now = answer.now](const usage::PodGroup& row) { return age_cell(row, now); };
  columns.number("AGE", kPeople, age);
  columns.number("AGE_SECONDS", kPlain, age);
  columns
      .text("", kPeople,
            [ages = answer.ages](const usage::PodGroup& row) { return note_cell(row, ages); })
      .is_note = true;
}

void add_wide(PodColumns& columns) {
  add_wide_use(columns, use_of);
  columns.text("OWNER", kWide, owner_text);
  columns.text("PHASE", kWide, phase_cell);
  columns.text("RESOURCE", kWide,
               [](const usage::PodGroup& row) { return report::Cell(pool_of(row).resource); });
  columns.text("CLAIM", kWide,
               [](const usage::PodGroup& row) { return text_or_unknown(holding_of(row).claim); });
  columns.text("EVIDENCE", kWide, [](const usage::PodGroup& row) {
    return report::Cell(gpu::name_of(holding_of(row).evidence));
  });
  columns.text("DEVICES", kWide, [](const usage::PodGroup& row) {
    return holding_of(row).devices.empty() ? report::Cell() : devices_cell(row);
  });
}

void add_identity_keys(PodColumns& columns) {
  columns
      .machine({"name", Type::text().or_null(), "The pod; null: a claim that no pod uses."},
               [](const PodGroup& row) {
                 const Pod* pod = first_of(row).pod;
                 return pod == nullptr ? report::Cell() : report::Cell(pod->name);
               })
      .is_sortable = true;
  columns.machine({"node", Type::text()}, [](const PodGroup& row) { return pool_of(row).node; })
      .is_sortable = true;
  columns.machine({"owner", owner_fields().type().or_null(),
                   "At the top of its ownerReferences, as far as it could be read; null for a "
                   "claim without pods."},
                  owner_cell);
  add_pool_key(columns, resource_key(), pool_of);
  add_pool_key(columns, source_key(), pool_of);
  add_pool_key(columns, model_key(), pool_of).is_sortable = true;
  add_pool_key(columns, unit_key(), pool_of);
}

void add_holding_keys(PodColumns& columns) {
  columns
      .machine({"gpus", Type::count(),
                "Units. Items of one claim name the same units: count each claim once."},
               &PodGroup::units)
      .is_sortable = true;
  columns.machine({"claim", Type::text().or_null(), "The ResourceClaim."},
                  [](const PodGroup& row) { return text_or_unknown(holding_of(row).claim); });
  columns.machine(
      {"sharedBy", Type::count(), "Pods that hold these units together; 0: a claim without pods."},
      [](const PodGroup& row) { return usage::shared_by(first_of(row)); });
  columns.machine(
      {"devices", Type::list(Type::text()), "UUIDs, IDs or names, where they are known."},
      devices_cell);
  columns.machine({"evidence", Type::one_of<Evidence>(gpu::name_of), "How it is known."},
                  [](const PodGroup& row) { return gpu::name_of(holding_of(row).evidence); });
}

void add_machine(PodColumns& columns, const std::optional<Time>& now) {
  add_identity_keys(columns);
  add_holding_keys(columns);
  add_use_keys(columns, use_of);
  columns.machine(
      {"ageSeconds", Type::integer().or_null(), "Since the oldest pod of the item was created."},
      [now](const PodGroup& row) { return age_cell(row, now); });
  columns.machine({"phase", Type::text().or_null(), "Terminating, or as the pod's status says."},
                  phase_cell);
  add_idle_keys(columns, use_of);
  columns.machine(of_whole_device_field(), is_of_whole_device);
  add_use_source_keys(columns, use_of);
}

/// -L: a folded row shows what all its pods have.
report::Cell common_label(const usage::PodGroup& group, const std::string& label) {
  std::optional<std::string_view> common;
  for (const usage::PodUsage& row : group.rows) {
    const std::string_view value = row.pod == nullptr ? "" : value_of(row.pod->labels, label);
    if (common && *common != value) return {};
    common = value;
  }
  return text_or_unknown(common.value_or(""));
}

std::string ns_flag(const TopAnswer& answer) {
  return answer.question.ns.empty() ? "" : " -n " + shell_quoted(answer.question.ns);
}

void find_pod_rows(TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  const Snapshot& snapshot = answer.inventory.snapshot;
  find_pods(answer);
  if (snapshot.pod_coverage != Coverage::none) usage::keep_named_pods(answer.pods, question.names);
  keep_idle(answer);
  answer.pod_groups = usage::pod_groups(
      answer.pods, snapshot, question.folds ? usage::Folding::owner : usage::Folding::none);
}

report::Report pods_report(const TopAnswer& answer) {
  PodColumns columns;
  add_people_and_plain(columns, answer);
  add_wide(columns);
  add_machine(columns, answer.now);
  for (const std::string& label : answer.question.label_columns)
    columns.text(label_field(label), label_title(label), kPeople | kPlain,
                 [label](const usage::PodGroup& row) { return common_label(row, label); });
  report::Report report = report_with_totals(answer);
  report.name_prefix = "pod/";
  report.table = columns.table(answer.pod_groups);
  for (std::size_t i = 0; i < report.table.columns.size(); ++i)
    if (report.table.columns[i].key == "name") report.name_column = i;
  for (const usage::PodGroup& group : answer.pod_groups) {
    if (pods_in(group) < 2) continue;
    report.hints.push_back(
        {"Pods of one owner share one row", "kubectl gpu top pods --no-fold" + ns_flag(answer)});
    break;
  }
  return report;
}

constexpr std::array<std::string_view, 1> kWithout = {"--tree"};

}  // namespace

const ViewSpec kPodsView = {
    .name = "pods",
    .singular = "pod",
    .short_name = "po",
    .rows_are = RowsAre::pods,
    .about = About::pods,
    .kind = "PodUsageList",
    .item =
        "One item per pod and pool that it holds units of, by its own requests or by one claim; "
        "a claim that no pod uses is an item, too.",
    .help = {.name = "top",
             .usage = "top pods [POD|NAMESPACE/POD...]",
             .summary = "Show the pods that hold GPUs, and what they do with them",
             .examples = "top pods\n"
                         "top pods -n research --no-fold\n"
                         "top pods -l app=notebook --sort-by age\n"
                         "top pods --idle 1h  # pods that leave their GPUs idle\n"
                         "top pods -w  # q quits, ? lists the other keys"},
    .sort_help = "sort by a column: util, memory, idle, age, gpus, node, ...",
    .flags_without = kWithout,
    .find_rows = find_pod_rows,
    .has_rows = [](const TopAnswer& answer) { return !answer.pod_groups.empty(); },
    .report = pods_report,
    .completes = [](const TopFlags& flags,
                    const Typing& typing) { return holder_names(flags, typing.env); },
};

}  // namespace gpu::cmd
