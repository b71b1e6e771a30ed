#include "usage/rows/named_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"

namespace gpu::usage {
namespace {

/// "there are a, b, ..."; nothing where there are none. No count: a row may have several names.
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 5;
  return names.empty() ? "" : "there are " + first_few(names, kMost);
}

/// Keeps the rows of which `matches(row, name)` holds for a name; `names_of` gives all that a row
/// may be called.
template <class Row, class Matches, class NamesOf>
void keep_named(std::vector<Row>& rows, const std::vector<std::string>& names,
                std::string_view what, Matches matches, NamesOf names_of) {
  for (const std::string& name : names) {
    const bool is_known =
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return matches(row, name); });
    if (is_known) continue;
    std::set<std::string> known;
    for (const Row& row : rows)
      for (const std::string& one : names_of(row)) known.insert(one);
    const std::vector<std::string_view> choices(known.begin(), known.end());
    const auto nearest = nearest_name(name, choices);
    throw Error(ErrorKind::usage, fmt::format("no {} is called `{}`", what, name),
                nearest ? fmt::format("a similar one is `{}`", *nearest) : some_of(choices));
  }
  if (names.empty()) return;
  std::erase_if(rows, [&](const Row& row) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return matches(row, name); });
  });
}

/// A shorter beginning of a UUID could be chance.
constexpr std::size_t kShortestUuid = 8;

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Without the "GPU-" or "MIG-" that NVIDIA puts before a UUID.
std::string_view unprefixed(std::string_view uuid) {
  const bool has_prefix = uuid.starts_with("GPU-") || uuid.starts_with("MIG-");
  return has_prefix ? uuid.substr(4) : uuid;
}

/// A whole UUID of the card or the instance, or enough of its beginning.
bool is_uuid_of(const GpuUsage& row, std::string_view name) {
  if (name.size() < kShortestUuid) return false;
  const bool has_device_uuid = unprefixed(row.device).size() < row.device.size();
  return row.uuid.starts_with(name) || unprefixed(row.uuid).starts_with(name) ||
         (has_device_uuid && row.device.starts_with(name));
}

/// What stands after the node in a GPU's name.
std::string device_name(const GpuUsage& row) {
  const bool is_card = row.pool->kind.kind == DeviceKind::card;
  const bool is_replica = row.device.find("::") != std::string::npos;
  if (row.index && !row.mig_instance.empty())
    return fmt::format("{}:{}", *row.index, row.mig_instance);
  if (row.index && is_card) return std::to_string(*row.index);
  if (!row.uuid.empty() && (is_replica || row.device == row.uuid)) return row.uuid;
  return row.device.empty() ? "?" : row.device;
}

}  // namespace

bool may_be_uuid(std::string_view name) {
  const std::string_view digits = unprefixed(name);
  return name.size() >= kShortestUuid &&
         std::all_of(digits.begin(), digits.end(), [](char c) { return is_hex(c) || c == '-'; });
}

std::vector<std::string> gpu_names(const GpuUsage& row) {
  const std::string prefix = row.pool->node + "/";
  std::vector<std::string> all = {row.pool->node, gpu_name(row)};
  if (row.index) all.push_back(prefix + std::to_string(*row.index));
  if (!row.device.empty()) all.push_back(prefix + row.device);
  if (!row.uuid.empty()) all.push_back(prefix + row.uuid);
  return all;
}

std::string gpu_name(const GpuUsage& row) { return row.pool->node + "/" + device_name(row); }

void keep_named_gpus(std::vector<GpuUsage>& rows, const std::vector<std::string>& names) {
  const auto matches = [](const GpuUsage& row, const std::string& name) {
    const std::vector<std::string> all = gpu_names(row);
    if (std::find(all.begin(), all.end(), name) != all.end()) return true;
    const std::string prefix = row.pool->node + "/";
    std::string_view id = name;
    if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
    return is_uuid_of(row, id);
  };
  keep_named(rows, names, "GPU", matches, gpu_names);
}

void keep_named_pods(std::vector<PodUsage>& rows, const std::vector<std::string>& names) {
  const auto full_name = [](const PodUsage& row) { return row.holding->ns + "/" + name_of(row); };
  const auto matches = [&](const PodUsage& row, const std::string& name) {
    return name == name_of(row) || name == full_name(row);
  };
  const auto names_of = [&](const PodUsage& row) {
    return std::vector<std::string>{name_of(row), full_name(row)};
  };
  keep_named(rows, names, "pod that holds GPUs", matches, names_of);
}

void keep_named_namespaces(std::vector<PodUsage>& rows, const std::vector<std::string>& names) {
  const auto matches = [](const PodUsage& row, const std::string& name) {
    return row.holding->ns == name;
  };
  const auto names_of = [](const PodUsage& row) {
    return std::vector<std::string>{row.holding->ns};
  };
  keep_named(rows, names, "namespace that holds GPUs", matches, names_of);
}

void keep_named_models(std::vector<ModelUsage>& rows, const std::vector<std::string>& names) {
  const auto matches = [](const ModelUsage& row, const std::string& name) {
    return !name.empty() && lower_case(row.pool->model).find(lower_case(name)) != std::string::npos;
  };
  const auto names_of = [](const ModelUsage& row) {
    return std::vector<std::string>{row.pool->model};
  };
  keep_named(rows, names, "model", matches, names_of);
}

}  // namespace gpu::usage
