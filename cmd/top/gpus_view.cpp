#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "cmd/top/name_completion.hpp"
#include "cmd/top/rows.hpp"
#include "cmd/top/summary.hpp"
#include "cmd/top/top_columns.hpp"
#include "cmd/top/use_columns.hpp"
#include "cmd/top/view.hpp"
#include "cmd/top/xid.hpp"
#include "model/gpu/xid.hpp"
#include "usage/rows/named_rows.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using report::kPeople;
using report::kPlain;
using report::kWide;
using report::Type;
using usage::DeviceState;
using usage::GpuUsage;
using usage::Health;
using GpuColumns = report::Columns<usage::GpuUsage>;

/// Columns of a terminal that a GPU's name is given; its UUID is told whole by -o wide.
constexpr std::size_t kShortUuid = 12;

/// "gpu-a2/0"; of a UUID the start says enough.
std::string short_name(const usage::GpuUsage& row) {
  const std::string name = usage::gpu_name(row);
  const bool is_uuid = !row.uuid.empty() && name.ends_with("/" + row.uuid);
  if (!is_uuid || row.uuid.size() <= kShortUuid) return name;
  return name.substr(0, name.size() - row.uuid.size() + kShortUuid);
}

/// "gpu-a4/? x8": how many devices a row stands for, where these are several. A column of its own
/// would cost all other rows the room of their temperature and power.
report::Cell counted_name(const usage::GpuUsage& row) {
  const usage::Unit unit = usage::unit_of(*row.pool);
  if (unit == usage::Unit::gib)
    return fmt::format("{} {}", short_name(row), usage::amount_text(row.units, unit));
  return row.units == 1 ? short_name(row) : fmt::format("{} x{}", short_name(row), row.units);
}

std::vector<std::string> holders_of(const usage::GpuUsage& row) {
  std::vector<std::string> names;
  for (const usage::DeviceHolder& holder : row.pods) {
    const std::string name = holder.pod->ns + "/" + holder.pod->name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (!names.empty()) return names;
  for (const std::string& claim : row.claims) {
    const std::size_t slash = claim.find('/');
    names.push_back(claim.substr(0, slash) + "/claim" + claim.substr(slash));
  }
  return names;
}

/// The first holder, and how many more there are; "free" is no pod's name: these have a slash.
report::Cell holder_text(const usage::GpuUsage& row) {
  const std::vector<std::string> names = holders_of(row);
  // Somebody uses it: to call it free would be half the truth.
  if (names.empty())
    return row.state == usage::DeviceState::free && !row.is_unmanaged ? report::Cell("free")
                                                                      : report::Cell();
  if (names.size() == 1) return names.front();
  return fmt::format("{} +{}", names.front(), names.size() - 1);
}

report::Cell holder_list(const usage::GpuUsage& row) {
  report::List list;
  for (const std::string& name : holders_of(row)) list.emplace_back(name);
  return list.empty() ? report::Cell() : report::Cell(list);
}

/// Memory as telemetry tells it, else as labels or DRA do.
ShownUse use_of(const usage::GpuUsage& row) {
  ShownUse shown{row.use, report::Concern::none};
  if (!shown.use.memory_total_bytes) shown.use.memory_total_bytes = row.memory_bytes;
  if (row.is_unmanaged) shown.concern = report::Concern::warning;
  if (row.state == usage::DeviceState::held) shown.concern = concern_of_held(row.use);
  return shown;
}

/// Of a card, not of its parts: a MIG instance is told the power of its whole card.
report::Cell power_of_limit(const usage::GpuUsage& row) {
  if (!row.use.power_watts) return {};
  return report::WattsOf{.used = *row.use.power_watts, .limit = row.measures.power_limit_watts};
}

report::Cell power_limit(const usage::GpuUsage& row) {
  if (!row.use.power_watts || !row.measures.power_limit_watts) return {};
  return report::Watts{*row.measures.power_limit_watts};
}

report::Cell temperature_cell(const usage::GpuUsage& row) {
  const std::optional<double>& temperature = row.measures.temperature_celsius;
  return temperature ? report::Cell(report::Celsius{*temperature}) : report::Cell();
}

/// Telemetry without an error counts as healthy, where nobody knows better.
usage::Health shown_health(const usage::GpuUsage& row) {
  if (row.health == usage::Health::unknown && row.measures.last_xid == 0) return usage::Health::ok;
  return row.health;
}

report::Cell health_cell(const usage::GpuUsage& row) {
  if (const std::int64_t xid = row.measures.last_xid.value_or(0); xid > 0)
    return {fmt::format("XID {}", xid), concern_of_xid(xid)};
  const usage::Health health = shown_health(row);
  if (health == usage::Health::unknown) return {};
  const report::Concern concern = health == usage::Health::ok        ? report::Concern::good
                                  : health == usage::Health::tainted ? report::Concern::warning
                                                                     : report::Concern::broken;
  return {name_of(health), concern};
}

/// What is to be known of a row beside its holder: why it is unavailable, that its card has other
/// holders.
report::Cell note_cell(const usage::GpuUsage& row) {
  if (row.is_unmanaged) return {"unrequested use", report::Concern::warning};
  if (row.state == usage::DeviceState::unavailable) {
    const std::string_view reason = code_of(row.reason);
    return {reason.empty() ? name_of(row.state) : reason, report::Concern::warning};
  }
  if (row.state != usage::DeviceState::held) return "";
  // What the card does is not this pod's doing alone, or not at all.
  std::string whose;
  if (row.use.utilization && row.use.is_of_before)
    whose = "measured before";
  else if (row.use.utilization && row.is_of_whole_device)
    whose = "whole card";
  return joined_notes(shared_text(row.pool->sharing), whose);
}

report::Cell note_and_age(const usage::GpuUsage& row, usage::Ages ages) {
  report::Cell note = note_cell(row);
  auto* text = std::get_if<std::string>(&note.value);
  if (ages == usage::Ages::some_old && text != nullptr)
    *text = joined_notes(std::move(*text), age_note(row.use));
  return note;
}

bool is_blank(const report::Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return text != nullptr && text->empty();
}

/// A slice beside its card's name: the profile says enough.
report::Cell short_model(const usage::GpuUsage& row) {
  return usage::unit_of(*row.pool) == usage::Unit::mig ? report::Cell(row.pool->kind.profile)
                                                       : model_cell(*row.pool);
}

/// In a pipe no note stands behind "free".
report::Cell plain_state(const usage::GpuUsage& row) {
  return row.is_unmanaged ? report::Cell("unrequested") : text_or_unknown(name_of(row.state));
}

void add_people_and_plain(GpuColumns& columns, const TopAnswer& answer) {
  columns.text("GPU", kPeople, counted_name).is_name = true;
  columns.text("GPU", kPlain,
               [](const usage::GpuUsage& row) { return report::Cell(usage::gpu_name(row)); });
  columns.number("COUNT", kPlain,
                 [](const usage::GpuUsage& row) { return report::Cell(row.units); });
  const auto model = [](const usage::GpuUsage& row) { return model_cell(*row.pool); };
  columns.text("MODEL", kPeople, short_model).drops_next = true;
  columns.text("MODEL", kPlain, model);
  columns.text("STATE", kPlain, plain_state);
  add_use(columns, use_of, answer.window);
  columns.number("TEMP", kPeople, temperature_cell).drops_first = true;
  columns.number("TEMP_C", kPlain, temperature_cell);
  columns.number("POWER", kPeople, power_of_limit).drops_first = true;
  columns.number("POWER_W", kPlain, [](const usage::GpuUsage& row) { return power_cell(row.use); });
  columns.text("POD", kPeople, holder_text).is_name = true;
  columns.text("POD", kPlain, holder_list);
  columns.text("HEALTH", kPeople | kPlain, health_cell);
  const auto note = [ages = answer.ages](const usage::GpuUsage& row) {
    return note_and_age(row, ages);
  };
  if (std::any_of(answer.gpus.begin(), answer.gpus.end(),
                  [&](const usage::GpuUsage& row) { return !is_blank(note(row)); }))
    columns.text("", kPeople, note).is_note = true;
}

void add_wide(GpuColumns& columns) {
  add_wide_use(columns, use_of);
  columns.number("POWER_LIMIT_W", static_cast<unsigned>(report::Audience::plain_wide), power_limit);
  columns.text("RESOURCE", kWide,
               [](const usage::GpuUsage& row) { return report::Cell(row.pool->resource); });
  columns.text("DEVICE", kWide,
               [](const usage::GpuUsage& row) { return text_or_unknown(row.device); });
  columns.text("UUID", kWide, [](const usage::GpuUsage& row) { return text_or_unknown(row.uuid); });
  columns.text("EVIDENCE", kWide, [](const usage::GpuUsage& row) {
    return row.evidence ? report::Cell(gpu::name_of(*row.evidence)) : report::Cell();
  });
}

const report::Fields<usage::DeviceHolder>& holder_fields() {
  using usage::DeviceHolder;
  static const report::Fields<DeviceHolder> fields = {
      {{"namespace", Type::text()}, [](const DeviceHolder& holder) { return holder.pod->ns; }},
      {{"name", Type::text()}, [](const DeviceHolder& holder) { return holder.pod->name; }},
      {{"container", Type::text().or_null(), "null: it is known of the pod alone."},
       [](const DeviceHolder& holder) { return text_or_unknown(holder.container); }},
  };
  return fields;
}

report::Cell claims_cell(const usage::GpuUsage& row) {
  report::List list;
  for (const std::string& claim : row.claims) list.emplace_back(claim);
  return list;
}

const Pool& pool_of(const GpuUsage& row) { return *row.pool; }

void add_device_keys(GpuColumns& columns) {
  columns.machine({"node", Type::text()}, [](const GpuUsage& row) { return row.pool->node; })
      .is_sortable = true;
  columns.machine({"index", Type::count().or_null(), "Of the card on its node."},
                  [](const GpuUsage& row) { return report::cell_of(row.index); });
  columns.machine({"uuid", Type::text().or_null(), "Of the card, or of the MIG instance."},
                  [](const GpuUsage& row) { return text_or_unknown(row.uuid); });
  columns.machine(
      {"device", Type::text().or_null(),
       "A DRA device, or the ID of a device plugin; null: units that are known by number only."},
      [](const GpuUsage& row) { return text_or_unknown(row.device); });
}

void add_kind_keys(GpuColumns& columns) {
  add_pool_key(columns, resource_key(), pool_of);
  add_pool_key(columns, source_key(), pool_of);
  columns.machine({"migInstance", Type::text().or_null(), "The GPU instance's ID on its card."},
                  [](const GpuUsage& row) { return text_or_unknown(row.mig_instance); });
  columns.machine(
      {"profile", Type::text().or_null(), "Of a MIG slice, a partition or a vGPU: 1g.10gb."},
      [](const GpuUsage& row) { return text_or_unknown(row.pool->kind.profile); });
  add_pool_key(columns, model_key(), pool_of).is_sortable = true;
  add_pool_key(columns, unit_key(), pool_of);
  columns
      .machine(
          {"units", Type::count(1),
           "Devices that the item stands for; units of a device that is handed out in amounts."},
          &GpuUsage::units)
      .is_sortable = true;
  columns
      .machine({"state", Type::one_of<DeviceState>(usage::name_of).or_null(),
                "free: a pod that requests it could get it now, whatever uses it without a "
                "request: see unmanaged. null: the pods that may hold it were not all seen."},
               [](const GpuUsage& row) { return text_or_unknown(name_of(row.state)); })
      .is_sortable = true;
}

/// Whether a device that no pod asked for is used; unknown as its use is.
report::Cell unmanaged_cell(const usage::GpuUsage& row) {
  return row.use.utilization || row.is_unmanaged ? report::Cell(row.is_unmanaged) : report::Cell();
}

constexpr std::string_view kNoEvidence = "none";

Type evidence_or_none() {
  Type::Words words = std::get<Type::Words>(Type::one_of<Evidence>(gpu::name_of).form());
  words.words.emplace_back(kNoEvidence);
  return Type::one_of(std::move(words.words));
}

void add_machine(GpuColumns& columns) {
  add_device_keys(columns);
  add_kind_keys(columns);
  add_use_keys(columns, use_of);
  columns.machine({"temperatureCelsius", Type::number().or_null()}, temperature_cell);
  add_power_key(columns, use_of);
  columns.machine({"powerLimitWatts", Type::amount().or_null(),
                   "The most that the card may draw; null, too, where its power is not known."},
                  power_limit);
  add_idle_keys(columns, use_of);
  columns.machine(of_whole_device_field(),
                  [](const usage::GpuUsage& row) { return report::Cell(row.is_of_whole_device); });
  columns.machine({"unmanaged", Type::flag().or_null(),
                   "Whether it is used though no pod requested it; null: use is unknown."},
                  unmanaged_cell);
  columns.machine(
      {"pods", Type::list(holder_fields().type()), "The pods that hold it, and their containers."},
      [](const usage::GpuUsage& row) { return report::Cell(holder_fields().list(row.pods)); });
  columns.machine(
      {"claims", Type::list(Type::text()), "The ResourceClaims that hold it: NAMESPACE/NAME."},
      claims_cell);
  columns.machine({"ownerEvidence", evidence_or_none(), "How it is known who holds it."},
                  [](const usage::GpuUsage& row) {
                    return row.evidence ? report::Cell(gpu::name_of(*row.evidence))
                                        : report::Cell(kNoEvidence);
                  });
  columns.machine(
      {"health", Type::one_of<Health>(usage::name_of).or_null(), "null: not reported."},
      [](const usage::GpuUsage& row) { return text_or_unknown(name_of(shown_health(row))); });
  columns.machine(
      {"lastXid", Type::count().or_null(),
       "NVIDIA's code of the last error, 0: none. When it was is not known."},
      [](const usage::GpuUsage& row) { return report::cell_of(row.measures.last_xid); });
  add_use_source_keys(columns, use_of);
}

/// What the last error of a GPU means. When it was is not told.
void add_xid_hints(report::Report& report, const TopAnswer& answer) {
  std::set<std::string> told;
  for (const usage::GpuUsage& row : answer.gpus) {
    const std::int64_t xid = row.measures.last_xid.value_or(0);
    if (xid <= 0 || !told.insert(usage::gpu_name(row)).second) continue;
    report.hints.push_back({fmt::format("XID {} on {}, at a time unknown: {}", xid,
                                        usage::gpu_name(row), meaning_of_xid(xid)),
                            "kubectl describe node " + shell_quoted(row.pool->node)});
  }
}

/// -o name needs a column of its own: the node and the device in one.
std::size_t column_of(const report::Table& table, std::string_view title, unsigned audience) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].title == title && table.columns[i].audience == audience) return i;
  return 0;
}

void find_gpu_rows(TopAnswer& answer) {
  const TopQuestion& question = answer.question;
  // Which nodes the labels choose is then unknown.
  const bool knows_nodes = answer.inventory.snapshot.node_coverage != Coverage::none;
  if (!knows_nodes && !question.selector.empty()) return;
  for (usage::GpuUsage& row : usage::gpu_usage(answer.inventory))
    if (matches(row, question)) answer.gpus.push_back(std::move(row));
  usage::keep_named_gpus(answer.gpus, question.names);
}

report::Report gpus_report(const TopAnswer& answer) {
  GpuColumns columns;
  add_people_and_plain(columns, answer);
  add_wide(columns);
  add_machine(columns);
  report::Report report = report_with_totals(answer);
  report.table = columns.table(answer.gpus);
  report.name_column = column_of(report.table, "GPU", kPlain);
  add_xid_hints(report, answer);
  return report;
}

constexpr std::array<std::string_view, 4> kWithout = {"--idle", "--no-fold", "--tree",
                                                      "--label-columns"};

}  // namespace

const ViewSpec kGpusView = {
    .name = "gpus",
    .singular = "gpu",
    .short_name = "",
    .rows_are = RowsAre::devices,
    .about = About::devices,
    .kind = "GpuUsageList",
    .item =
        "One item per device that has an identity, and per holder of a shared one; units that are "
        "known by number only are one item per holder, one for the free ones, one for the "
        "unavailable ones.",
    .help = {.name = "top",
             .usage = "top gpus [NODE|NODE/INDEX|UUID...]",
             .summary =
                 "Show each GPU, MIG slice or share that can be told apart: its use, who holds it",
             .examples = "top gpus\n"
                         "top gpus gpu-a2 gpu-m1/0  # all of a node; one card, with its slices\n"
                         "top gpus GPU-4b3c1f00  # by the beginning of a UUID\n"
                         "top gpus -n research --sort-by power\n"
                         "top gpus --model H100 -o wide  # SM, TENSOR, DRAM activity, UUID"},
    .sort_help = "sort by a column: util, memory, power, temp, idle, node, ...",
    .flags_without = kWithout,
    .find_rows = find_gpu_rows,
    .has_rows = [](const TopAnswer& answer) { return !answer.gpus.empty(); },
    .report = gpus_report,
    .completes = device_names,
};

}  // namespace gpu::cmd
