#include "model/gpu/instance_table.hpp"

#include <algorithm>
#include <map>

#include "base/ascii.hpp"
#include "base/split.hpp"
#include "model/gpu/gpu_models.hpp"

namespace gpu {
extern const std::string_view kGpuInstancesCsv;

namespace {

/// "3.75" GiB in MiB.
std::optional<std::int64_t> mebibytes(std::string_view gibibytes) {
  const std::optional<Money> parsed = parse_money(gibibytes);
  if (!parsed) return std::nullopt;
  return share_of(*parsed, 1024, 1'000'000'000).nano;
}

InstanceKind kind_of(const GpuInstance& row) {
  if (row.provider == "crusoe") return InstanceKind::gpu;
  if (row.provider == "gcp" && row.type.starts_with("nvidia-")) return InstanceKind::add_on;
  if (row.provider == "gcp" && row.type.starts_with("tpu-")) return InstanceKind::chips;
  return InstanceKind::instance;
}

/// Memory of a whole GPU reads up to 7 % below its nominal size; slices have half of it or less.
bool is_slice(const GpuInstance& row) {
  const GpuModel* const model = find_gpu_model(row.model, std::nullopt);
  if (model == nullptr || !model->memory_mib || !row.gpu_memory_mib) return false;
  return *row.gpu_memory_mib * 4 < *model->memory_mib * 3;
}

std::vector<GpuInstance> parse_instances(std::string_view csv) {
  std::vector<GpuInstance> rows;
  for (const std::string_view line : split(csv, '\n')) {
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() != 13 || cells[0] == "provider") continue;  // no cell of the file has a comma
    GpuInstance row{.provider = std::string(cells[0]),
                    .type = std::string(cells[1]),
                    .region = std::string(cells[2]),
                    .model = std::string(cells[4]),
                    .gpus = whole_number(cells[5]).value_or(0),
                    .gpu_memory_mib = whole_number(cells[6]),
                    .vcpus = whole_number(cells[7]),
                    .memory_mib = mebibytes(cells[8]),
                    .on_demand = parse_money(cells[9]),
                    .spot = parse_money(cells[10]),
                    .as_of = parse_time(std::string(cells[11]) + "T00:00:00Z")};
    row.kind = kind_of(row);
    row.is_slice = is_slice(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Rows of machines by type in lower case: every node is looked up.
const std::multimap<std::string, const GpuInstance*>& rows_by_type() {
  static const std::multimap<std::string, const GpuInstance*> rows = [] {
    std::multimap<std::string, const GpuInstance*> made;
    for (const GpuInstance& row : gpu_instances())
      if (row.kind == InstanceKind::instance) made.emplace(lower_case(row.type), &row);
    return made;
  }();
  return rows;
}

bool is_in_table(std::string_view provider) {
  return std::any_of(gpu_instances().begin(), gpu_instances().end(),
                     [&](const GpuInstance& row) { return row.provider == provider; });
}

}  // namespace

const std::vector<GpuInstance>& gpu_instances() {
  static const std::vector<GpuInstance> rows = parse_instances(kGpuInstancesCsv);
  return rows;
}

const GpuInstance* instance_named(std::string_view type, std::string_view provider) {
  const auto [first, last] = rows_by_type().equal_range(lower_case(type));
  if (first == last) return nullptr;
  if (!is_in_table(provider)) return first->second;
  for (auto at = first; at != last; ++at)
    if (at->second->provider == provider) return at->second;
  return nullptr;
}

std::vector<const GpuInstance*> instances_of(std::string_view model) {
  const std::vector<const GpuModel*> models = gpu_models_named(model, std::nullopt);
  std::vector<const GpuInstance*> found;
  for (const GpuInstance& row : gpu_instances()) {
    if (row.kind != InstanceKind::instance || row.is_slice) continue;
    const bool has_it = std::any_of(models.begin(), models.end(),
                                    [&](const GpuModel* each) { return each->name == row.model; });
    if (has_it) found.push_back(&row);
  }
  return found;
}

const GpuInstance* add_on_named(std::string_view accelerator, std::string_view model) {
  for (const GpuInstance& row : gpu_instances())
    if (row.kind == InstanceKind::add_on &&
        (accelerator.empty() ? row.model == model : equal_ignoring_case(row.type, accelerator)))
      return &row;
  return nullptr;
}

}  // namespace gpu
