#include "cmd/top_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::cmd {
namespace {

/// "there are a, b, ..."; nothing where there are none. No count: a row may have several names.
std::string some_of(const std::vector<std::string_view>& names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    text.append(i == 0 ? "there are " : ", ").append(names[i]);
  return names.size() > kMost ? text + ", ..." : text;
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

/// What stands after the node in a GPU's name.
std::string device_name(const usage::GpuUsage& row) {
  const bool is_card = row.pool->kind.kind == DeviceKind::card;
  const bool is_replica = row.device.find("::") != std::string::npos;
  if (row.index && !row.mig_instance.empty())
    return fmt::format("{}:{}", *row.index, row.mig_instance);
  if (row.index && is_card) return std::to_string(*row.index);
  if (!row.uuid.empty() && (is_replica || row.device == row.uuid)) return row.uuid;
  return row.device.empty() ? "?" : row.device;
}

}  // namespace

std::string gpu_name(const usage::GpuUsage& row) { return row.pool->node + "/" + device_name(row); }

void keep_named_gpus(std::vector<usage::GpuUsage>& rows, const std::vector<std::string>& names) {
  const auto names_of = [](const usage::GpuUsage& row) {
    std::vector<std::string> all = {row.pool->node, gpu_name(row)};
    if (!row.device.empty()) all.push_back(row.pool->node + "/" + row.device);
    if (!row.uuid.empty()) all.push_back(row.pool->node + "/" + row.uuid);
    return all;
  };
  const auto matches = [&](const usage::GpuUsage& row, const std::string& name) {
    const std::vector<std::string> all = names_of(row);
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  keep_named(rows, names, "GPU", matches, names_of);
}

void keep_named_pods(std::vector<usage::PodUsage>& rows, const std::vector<std::string>& names) {
  const auto full_name = [](const usage::PodUsage& row) {
    return row.holding->ns + "/" + name_of(row);
  };
  const auto matches = [&](const usage::PodUsage& row, const std::string& name) {
    return name == name_of(row) || name == full_name(row);
  };
  const auto names_of = [&](const usage::PodUsage& row) {
    return std::vector<std::string>{name_of(row), full_name(row)};
  };
  keep_named(rows, names, "pod that holds GPUs", matches, names_of);
}

void keep_named_namespaces(std::vector<usage::PodUsage>& rows,
                           const std::vector<std::string>& names) {
  const auto matches = [](const usage::PodUsage& row, const std::string& name) {
    return row.holding->ns == name;
  };
  const auto names_of = [](const usage::PodUsage& row) {
    return std::vector<std::string>{row.holding->ns};
  };
  keep_named(rows, names, "namespace that holds GPUs", matches, names_of);
}

void keep_named_models(std::vector<usage::ModelUsage>& rows,
                       const std::vector<std::string>& names) {
  const auto matches = [](const usage::ModelUsage& row, const std::string& name) {
    return !name.empty() && lower_case(row.pool->model).find(lower_case(name)) != std::string::npos;
  };
  const auto names_of = [](const usage::ModelUsage& row) {
    return std::vector<std::string>{row.pool->model};
  };
  keep_named(rows, names, "model", matches, names_of);
}

}  // namespace gpu::cmd
