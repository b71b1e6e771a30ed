#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "cmd/top_columns.hpp"
#include "cmd/top_names.hpp"
#include "cmd/top_summary.hpp"
#include "cmd/top_view.hpp"
#include "cmd/xid.hpp"
#include "usage/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Cell;
using report::Concern;
using usage::DeviceState;
using usage::GpuUsage;
using usage::Health;
using GpuColumns = Columns<GpuUsage>;

/// Columns of a terminal that a GPU's name is given; its UUID is told whole by -o wide.
constexpr std::size_t kShortUuid = 12;

/// "gpu-a2/0"; of a UUID the start says enough.
std::string short_name(const GpuUsage& row) {
  const std::string name = gpu_name(row);
  const bool is_uuid = !row.uuid.empty() && name.ends_with("/" + row.uuid);
  if (!is_uuid || row.uuid.size() <= kShortUuid) return name;
  return name.substr(0, name.size() - row.uuid.size() + kShortUuid);
}

/// "gpu-a4/? x8": how many devices a row stands for, where these are several. A column of its own
/// would cost all other rows the room of their temperature and power.
Cell counted_name(const GpuUsage& row) {
  const usage::Unit unit = usage::unit_of(*row.pool);
  if (unit == usage::Unit::gib)
    return fmt::format("{} {}", short_name(row), usage::amount_text(row.units, unit));
  return row.units == 1 ? short_name(row) : fmt::format("{} x{}", short_name(row), row.units);
}

std::vector<std::string> holders_of(const GpuUsage& row) {
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
Cell holder_text(const GpuUsage& row) {
  const std::vector<std::string> names = holders_of(row);
  // Somebody uses it: to call it free would be half the truth.
  if (names.empty())
    return row.state == DeviceState::free && !row.is_unmanaged ? Cell("free") : Cell();
  if (names.size() == 1) return names.front();
  return fmt::format("{} +{}", names.front(), names.size() - 1);
}

Cell holder_list(const GpuUsage& row) {
  report::List list;
  for (const std::string& name : holders_of(row)) list.emplace_back(name);
  return list.empty() ? Cell() : Cell(list);
}

/// Memory as telemetry tells it, else as labels or DRA do.
ShownUse use_of(const GpuUsage& row) {
  ShownUse shown{row.use, Concern::none};
  if (!shown.use.memory_total_bytes) shown.use.memory_total_bytes = row.memory_bytes;
  if (row.is_unmanaged) shown.concern = Concern::warning;
  if (row.state == DeviceState::held) shown.concern = concern_of_held(row.use);
  return shown;
}

/// Of a card, not of its parts: a MIG instance is told the power of its whole card.
Cell power_of_limit(const GpuUsage& row) {
  if (!row.use.power_watts) return {};
  return report::WattsOf{.used = *row.use.power_watts, .limit = row.measures.power_limit_watts};
}

Cell power_limit(const GpuUsage& row) {
  if (!row.use.power_watts || !row.measures.power_limit_watts) return {};
  return report::Watts{*row.measures.power_limit_watts};
}

Cell temperature_cell(const GpuUsage& row) {
  const std::optional<double>& temperature = row.measures.temperature_celsius;
  return temperature ? Cell(report::Celsius{*temperature}) : Cell();
}

/// Telemetry without an error counts as healthy, where nobody knows better.
Health shown_health(const GpuUsage& row) {
  if (row.health == Health::unknown && row.measures.last_xid == 0) return Health::ok;
  return row.health;
}

Cell health_cell(const GpuUsage& row) {
  if (const std::int64_t xid = row.measures.last_xid.value_or(0); xid > 0)
    return {fmt::format("XID {}", xid), concern_of_xid(xid)};
  const Health health = shown_health(row);
  if (health == Health::unknown) return {};
  const Concern concern = health == Health::ok        ? Concern::good
                          : health == Health::tainted ? Concern::warning
                                                      : Concern::broken;
  return {name_of(health), concern};
}

/// What is to be known of a row beside its holder: why it is unavailable, that its card has other
/// holders.
Cell note_cell(const GpuUsage& row) {
  if (row.is_unmanaged) return {"unrequested use", Concern::warning};
  if (row.state == DeviceState::unavailable) {
    const std::string_view reason = code_of(row.reason);
    return {reason.empty() ? name_of(row.state) : reason, Concern::warning};
  }
  if (row.state != DeviceState::held) return "";
  // What the card does is not this pod's doing alone.
  const bool tells_of_all = row.is_of_whole_device && row.use.utilization;
  return joined_notes(shared_text(row.pool->sharing), tells_of_all ? "whole card" : "");
}

Cell note_and_age(const GpuUsage& row, Ages ages) {
  Cell note = note_cell(row);
  auto* text = std::get_if<std::string>(&note.value);
  if (ages == Ages::some_old && text != nullptr)
    *text = joined_notes(std::move(*text), age_note(row.use));
  return note;
}

bool is_blank(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return text != nullptr && text->empty();
}

/// A slice beside its card's name: the profile says enough.
Cell short_model(const GpuUsage& row) {
  return usage::unit_of(*row.pool) == usage::Unit::mig ? Cell(row.pool->kind.profile)
                                                       : model_cell(*row.pool);
}

void add_people_and_plain(GpuColumns& columns, const TopAnswer& answer) {
  columns.text("", "GPU", kPeople, counted_name).is_name = true;
  columns.text("", "GPU", kPlain, [](const GpuUsage& row) { return Cell(gpu_name(row)); });
  columns.number("", "COUNT", kPlain, [](const GpuUsage& row) { return Cell(row.units); });
  const auto model = [](const GpuUsage& row) { return model_cell(*row.pool); };
  columns.text("", "MODEL", kPeople, short_model).drops_next = true;
  columns.text("", "MODEL", kPlain, model);
  columns.text("", "STATE", kPlain,
               [](const GpuUsage& row) { return text_or_unknown(name_of(row.state)); });
  columns.use(use_of, answer.window);
  columns.number("", "TEMP", kPeople, temperature_cell).drops_first = true;
  columns.number("", "TEMP_C", kPlain, temperature_cell);
  columns.number("", "POWER", kPeople, power_of_limit).drops_first = true;
  columns.number("", "POWER_W", kPlain, [](const GpuUsage& row) { return power_cell(row.use); });
  columns.text("", "POD", kPeople, holder_text).is_name = true;
  columns.text("", "POD", kPlain, holder_list);
  columns.text("", "HEALTH", kPeople | kPlain, health_cell);
  const auto note = [ages = answer.ages](const GpuUsage& row) { return note_and_age(row, ages); };
  if (std::any_of(answer.gpus.begin(), answer.gpus.end(),
                  [&](const GpuUsage& row) { return !is_blank(note(row)); }))
    columns.text("", "", kPeople, note).is_note = true;
}

void add_wide(GpuColumns& columns) {
  columns.wide_use(use_of);
  columns.number("", "POWER_LIMIT_W", static_cast<unsigned>(report::Audience::plain_wide),
                 power_limit);
  columns.text("", "RESOURCE", kWide, [](const GpuUsage& row) { return Cell(row.pool->resource); });
  columns.text("", "DEVICE", kWide,
               [](const GpuUsage& row) { return text_or_unknown(row.device); });
  columns.text("", "UUID", kWide, [](const GpuUsage& row) { return text_or_unknown(row.uuid); });
  columns.text("", "EVIDENCE", kWide, [](const GpuUsage& row) {
    return row.evidence ? Cell(gpu::name_of(*row.evidence)) : Cell();
  });
}

Cell pods_cell(const GpuUsage& row) {
  report::List list;
  for (const usage::DeviceHolder& holder : row.pods)
    list.emplace_back(report::Record{{"namespace", holder.pod->ns},
                                     {"name", holder.pod->name},
                                     {"container", text_or_unknown(holder.container)}});
  return list;
}

Cell claims_cell(const GpuUsage& row) {
  report::List list;
  for (const std::string& claim : row.claims) list.emplace_back(claim);
  return list;
}

void add_identity_keys(GpuColumns& columns) {
  columns.machine("node", [](const GpuUsage& row) { return Cell(row.pool->node); });
  columns.machine("index", [](const GpuUsage& row) { return report::cell_of(row.index); });
  columns.machine("uuid", [](const GpuUsage& row) { return text_or_unknown(row.uuid); });
  columns.machine("device", [](const GpuUsage& row) { return text_or_unknown(row.device); });
  columns.machine("resource", [](const GpuUsage& row) { return Cell(row.pool->resource); });
  columns.machine("source",
                  [](const GpuUsage& row) { return Cell(gpu::name_of(row.pool->source)); });
  columns.machine("migInstance",
                  [](const GpuUsage& row) { return text_or_unknown(row.mig_instance); });
  columns.machine("profile",
                  [](const GpuUsage& row) { return text_or_unknown(row.pool->kind.profile); });
  columns.machine("model", [](const GpuUsage& row) { return model_cell(*row.pool); });
  columns.machine(
      "unit", [](const GpuUsage& row) { return Cell(usage::name_of(usage::unit_of(*row.pool))); });
  columns.machine("units", [](const GpuUsage& row) { return Cell(row.units); });
  columns.machine("state", [](const GpuUsage& row) { return text_or_unknown(name_of(row.state)); });
}

/// Whether a device that no pod asked for is used; unknown as its use is.
Cell unmanaged_cell(const GpuUsage& row) {
  return row.use.utilization || row.is_unmanaged ? Cell(row.is_unmanaged) : Cell();
}

void add_machine(GpuColumns& columns) {
  add_identity_keys(columns);
  columns.use_keys(use_of);
  columns.machine("temperatureCelsius", temperature_cell);
  columns.machine("powerWatts", [](const GpuUsage& row) { return power_cell(row.use); });
  columns.machine("powerLimitWatts", power_limit);
  columns.machine("idle", [](const GpuUsage& row) { return idle_cell(row.use); });
  columns.machine("idleSeconds",
                  [](const GpuUsage& row) { return seconds_cell(row.use.idle_for); });
  columns.machine("ofWholeDevice",
                  [](const GpuUsage& row) { return Cell(row.is_of_whole_device); });
  columns.machine("unmanaged", unmanaged_cell);
  columns.machine("pods", pods_cell);
  columns.machine("claims", claims_cell);
  columns.machine("ownerEvidence", [](const GpuUsage& row) {
    return row.evidence ? Cell(gpu::name_of(*row.evidence)) : Cell("none");
  });
  columns.machine("health",
                  [](const GpuUsage& row) { return text_or_unknown(name_of(shown_health(row))); });
  columns.machine("lastXid",
                  [](const GpuUsage& row) { return report::cell_of(row.measures.last_xid); });
  columns.use_source_keys(use_of);
}

/// What the last error of a GPU means. When it was is not told.
void add_xid_hints(report::Report& report, const TopAnswer& answer) {
  std::set<std::string> told;
  for (const GpuUsage& row : answer.gpus) {
    const std::int64_t xid = row.measures.last_xid.value_or(0);
    if (xid <= 0 || !told.insert(gpu_name(row)).second) continue;
    report.hints.push_back({fmt::format("XID {} on {}, at a time unknown: {}", xid, gpu_name(row),
                                        meaning_of_xid(xid)),
                            "kubectl describe node " + shell_quoted(row.pool->node)});
  }
}

/// -o name needs a column of its own: the node and the device in one.
std::size_t column_of(const report::Table& table, std::string_view title, unsigned audience) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].title == title && table.columns[i].audience == audience) return i;
  return 0;
}

}  // namespace

report::Report gpus_report(const TopAnswer& answer) {
  GpuColumns columns;
  add_people_and_plain(columns, answer);
  add_wide(columns);
  add_machine(columns);
  report::Report report = report_with_totals(answer, "GpuUsageList");
  report.table = columns.table(answer.gpus);
  report.name_column = column_of(report.table, "GPU", kPlain);
  add_xid_hints(report, answer);
  return report;
}

}  // namespace gpu::cmd
