#include "model/gpu/gpu_models.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "base/split.hpp"

namespace gpu {
extern const std::string_view kGpuModelsCsv;

namespace {

/// The parts of a cell that holds several; an empty cell holds none.
std::vector<std::string> words(std::string_view cell) {
  std::vector<std::string> result;
  for (const std::string_view word : split(cell, ';'))
    if (!word.empty()) result.emplace_back(word);
  return result;
}

std::vector<GpuModel> parse_models(std::string_view csv) {
  std::vector<GpuModel> models;
  for (const std::string_view line : split(csv, '\n')) {
    const std::vector<std::string_view> cells = split(line, ',');
    if (cells.size() != 10 || cells[0] == "model") continue;  // no cell of the file has a comma
    GpuModel model{.name = std::string(cells[0]),
                   .vendor = std::string(cells[1]),
                   .memory_mib = whole_number(cells[2]),
                   .mig_profiles = words(cells[6]),
                   .watts = whole_number(cells[7]),
                   .aliases = words(cells[8]),
                   .has_unified_memory = cells[9] == "true"};
    models.push_back(std::move(model));
  }
  return models;
}

/// Letters in lower case, `_` and space as `-`: label values cannot hold spaces, AMD's use `_`.
std::string folded(std::string_view name) {
  std::string result = lower_case(name);
  for (char& c : result)
    if (c == '_' || c == ' ') c = '-';
  return result;
}

/// A model's names, folded once: every node is looked up.
struct ModelNames {
  const GpuModel* model;
  std::string own;
  std::vector<std::string> aliases;

  /// By its name, an alias, or a short name that leaves the form factor open ("A100").
  [[nodiscard]] bool has(std::string_view name) const {
    const bool is_start = own.starts_with(name) && own.size() > name.size();
    return own == name || (is_start && own[name.size()] == '-') ||
           std::find(aliases.begin(), aliases.end(), name) != aliases.end();
  }
};

const std::vector<ModelNames>& folded_names() {
  static const std::vector<ModelNames> all = [] {
    std::vector<ModelNames> names;
    for (const GpuModel& model : gpu_models()) {
      names.push_back({&model, folded(model.name), {}});
      for (const std::string& alias : model.aliases) names.back().aliases.push_back(folded(alias));
    }
    return names;
  }();
  return all;
}

/// Labels read 4 to 7 % below the nominal size (39538 MiB on an A100 of 40 GB).
bool is_near(const GpuModel& model, std::int64_t memory_mib) {
  constexpr std::int64_t kSlackPercent = 12;
  if (!model.memory_mib) return false;
  const Int128 difference = Int128{*model.memory_mib} - memory_mib;
  return (difference < 0 ? -difference : difference) * 100 <=
         Int128{*model.memory_mib} * kSlackPercent;
}

}  // namespace

const std::vector<GpuModel>& gpu_models() {
  static const std::vector<GpuModel> models = parse_models(kGpuModelsCsv);
  return models;
}

std::vector<const GpuModel*> gpu_models_named(std::string_view name,
                                              std::optional<std::int64_t> memory_mib) {
  const std::string wanted = folded(name);
  std::vector<const GpuModel*> found;
  for (const ModelNames& each : folded_names())
    if (each.has(wanted)) found.push_back(each.model);
  if (memory_mib)
    std::erase_if(found, [&](const GpuModel* model) {
      return model->memory_mib && !is_near(*model, *memory_mib);
    });
  return found;
}

const GpuModel* find_gpu_model(std::string_view name, std::optional<std::int64_t> memory_mib) {
  const std::vector<const GpuModel*> found = gpu_models_named(name, memory_mib);
  if (found.empty()) return nullptr;
  const bool one_size = std::all_of(found.begin(), found.end(), [&](const GpuModel* model) {
    return model->memory_mib == found.front()->memory_mib;
  });
  return one_size ? found.front() : nullptr;
}

}  // namespace gpu
