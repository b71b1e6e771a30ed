#include <fmt/format.h>

#include <algorithm>

#include "cmd/top_columns.hpp"
#include "cmd/top_names.hpp"
#include "cmd/top_summary.hpp"
#include "cmd/top_view.hpp"
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
Cell short_name(const GpuUsage& row) {
  const std::string name = gpu_name(row);
  const bool is_uuid = !row.uuid.empty() && name.ends_with("/" + row.uuid);
  if (!is_uuid || row.uuid.size() <= kShortUuid) return name;
  return name.substr(0, name.size() - row.uuid.size() + kShortUuid);
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

/// The first holder, and how many more there are.
Cell holder_text(const GpuUsage& row) {
  const std::vector<std::string> names = holders_of(row);
  if (names.empty()) return {};
  if (names.size() == 1) return names.front();
  return fmt::format("{} +{}", names.front(), names.size() - 1);
}

Cell holder_list(const GpuUsage& row) {
  report::List list;
  for (const std::string& name : holders_of(row)) list.emplace_back(name);
  return list.empty() ? Cell() : Cell(list);
}

Cell health_cell(const GpuUsage& row) {
  if (row.health == Health::unknown) return {};
  const Concern concern = row.health == Health::ok        ? Concern::good
                          : row.health == Health::tainted ? Concern::warning
                                                          : Concern::broken;
  return {name_of(row.health), concern};
}

/// What the row is when no pod says it, and that its card has other holders.
Cell note_cell(const GpuUsage& row) {
  if (row.state == DeviceState::free) return "free";
  if (row.state == DeviceState::unavailable) {
    const std::string_view reason = code_of(row.reason);
    return {reason.empty() ? name_of(row.state) : reason, Concern::warning};
  }
  const Sharing& sharing = row.pool->sharing;
  if (row.state != DeviceState::held || sharing.strategy == SharingStrategy::none) return "";
  // Units of gpushare are GiB: how many of these a card has is not how many share it.
  const bool is_number_of_shares = sharing.strategy != SharingStrategy::gpushare;
  return sharing.replicas && is_number_of_shares
             ? Cell(fmt::format("shared x{}", *sharing.replicas))
             : Cell("shared");
}

Cell memory_total(const GpuUsage& row) {
  return row.memory_bytes ? Cell(report::Bytes{*row.memory_bytes}) : Cell();
}

/// Who sees how many devices a row stands for: people only where some row stands for several.
unsigned count_audience(const std::vector<GpuUsage>& rows) {
  const bool has_several =
      std::any_of(rows.begin(), rows.end(), [](const GpuUsage& row) { return row.units != 1; });
  return has_several ? kPeople | kPlain : kPlain;
}

/// Units of which several are one thing have their word.
Cell count_cell(const GpuUsage& row) {
  const usage::Unit unit = usage::unit_of(*row.pool);
  return unit == usage::Unit::gib ? Cell(usage::amount_text(row.units, unit)) : Cell(row.units);
}

void add_people_and_plain(GpuColumns& columns, unsigned count_audience) {
  columns.text("", "GPU", kPeople, short_name).is_name = true;
  columns.text("", "GPU", kPlain, [](const GpuUsage& row) { return Cell(gpu_name(row)); });
  if ((count_audience & kPeople) != 0) columns.number("", "COUNT", kPeople, count_cell);
  columns.number("", "COUNT", kPlain, [](const GpuUsage& row) { return Cell(row.units); });
  const auto model = [](const GpuUsage& row) { return model_cell(*row.pool); };
  columns.text("", "MODEL", kPeople, model).drops_first = true;
  columns.text("", "MODEL", kPlain, model);
  columns.text("", "STATE", kPlain,
               [](const GpuUsage& row) { return text_or_unknown(name_of(row.state)); });
  columns.use();
  columns.number("", "MEM_TOTAL_GI", kPlain, memory_total);
  columns.number("", "TEMP", kPeople, GpuColumns::unknown).drops_first = true;
  columns.number("", "POWER", kPeople, GpuColumns::unknown).drops_first = true;
  columns.text("", "POD", kPeople, holder_text).is_name = true;
  columns.text("", "POD", kPlain, holder_list);
  columns.text("", "HEALTH", kPeople | kPlain, health_cell);
  columns.text("", "", kPeople, note_cell);
}

void add_wide(GpuColumns& columns) {
  columns.text("", "SM", kWide, GpuColumns::unknown);
  columns.text("", "TENSOR", kWide, GpuColumns::unknown);
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
  columns.machine("migInstance", GpuColumns::unknown);
  columns.machine("profile",
                  [](const GpuUsage& row) { return text_or_unknown(row.pool->kind.profile); });
  columns.machine("model", [](const GpuUsage& row) { return model_cell(*row.pool); });
  columns.machine(
      "unit", [](const GpuUsage& row) { return Cell(usage::name_of(usage::unit_of(*row.pool))); });
  columns.machine("units", [](const GpuUsage& row) { return Cell(row.units); });
  columns.machine("state", [](const GpuUsage& row) { return text_or_unknown(name_of(row.state)); });
}

void add_machine(GpuColumns& columns) {
  add_identity_keys(columns);
  for (const char* key :
       {"utilization", "utilizationSource", "smActive", "tensorActive", "memoryUsedBytes"})
    columns.machine(key, GpuColumns::unknown);
  columns.machine("memoryTotalBytes", memory_total);
  for (const char* key : {"temperatureCelsius", "powerWatts", "powerLimitWatts"})
    columns.machine(key, GpuColumns::unknown);
  columns.machine("pods", pods_cell);
  columns.machine("claims", claims_cell);
  columns.machine("ownerEvidence", [](const GpuUsage& row) {
    return row.evidence ? Cell(gpu::name_of(*row.evidence)) : Cell("none");
  });
  columns.machine("health",
                  [](const GpuUsage& row) { return text_or_unknown(name_of(row.health)); });
  columns.machine("lastXid", GpuColumns::unknown);
  columns.machine("sampleAgeSeconds", GpuColumns::unknown);
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
  add_people_and_plain(columns, count_audience(answer.gpus));
  add_wide(columns);
  add_machine(columns);
  report::Report report = report_with_totals(answer, "GpuUsageList");
  report.table = columns.table(answer.gpus);
  report.name_column = column_of(report.table, "GPU", kPlain);
  return report;
}

}  // namespace gpu::cmd
