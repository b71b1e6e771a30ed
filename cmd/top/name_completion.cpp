#include "cmd/top/name_completion.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "cmd/shell/quick_snapshot.hpp"
#include "model/holdings/holding.hpp"
#include "model/holdings/pools.hpp"
#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/named_rows.hpp"

namespace gpu::cmd {
namespace {

std::optional<Snapshot> snapshot_of_nodes(const TopFlags& flags, const Env& env) {
  kube::Needs needs;
  needs.pod_lists = kube::PodLists::none;
  return quick_snapshot(flags.global, std::move(needs), env);
}

/// Only pods of this namespace; empty: all.
std::string namespace_of(const TopFlags& flags) {
  return flags.all_namespaces ? "" : flags.global.connection.ns.value_or("");
}

/// What `name_of` says of each pod that holds GPUs, once.
template <class NameOf>
Candidates names_of_holders(const TopFlags& flags, const Env& env, NameOf name_of) {
  const std::string ns = namespace_of(flags);
  kube::Needs needs;
  needs.only_namespace = ns;
  needs.keep = is_gpu_pod;
  const auto snapshot = quick_snapshot(flags.global, std::move(needs), env);
  if (!snapshot) return {};
  std::set<std::string> names;
  for (const Pod& pod : snapshot->pods) {
    if (pod.node_name.empty() || !is_object_name(pod.ns) || !is_object_name(pod.name)) continue;
    if (ns.empty() || pod.ns == ns) names.insert(name_of(pod));
  }
  return candidates_of(names);
}

/// Whether a shell can take it as one word.
bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("-./:_").find(c) != std::string::npos;
  });
}

Candidates devices_of(const std::string& node, const TopFlags& flags, const Env& env) {
  Candidates candidates;
  if (!is_object_name(node)) return candidates;
  kube::Needs needs;
  needs.node_names = {node};
  needs.keep = is_gpu_pod;
  needs.metrics.choice = kube::MetricsChoice::exporter;
  const auto snapshot = quick_snapshot(flags.global, std::move(needs), env);
  if (!snapshot) return candidates;
  const usage::Inventory inventory(*snapshot, snapshot->taken_at);
  for (const usage::GpuUsage& row : usage::gpu_usage(inventory)) {
    const std::string name = usage::gpu_name(row);
    if (is_plain(name) && name.substr(0, name.find('/')) == node) candidates.push_back({name});
  }
  return candidates;
}

}  // namespace

Candidates node_names(const TopFlags& flags, const Env& env) {
  Candidates candidates;
  const auto snapshot = snapshot_of_nodes(flags, env);
  if (!snapshot) return candidates;
  for (const Node& node : snapshot->nodes)
    if (is_gpu_node(node) && is_object_name(node.name)) candidates.push_back({node.name});
  return candidates;
}

Candidates device_names(const TopFlags& flags, const Typing& typing) {
  const std::size_t slash = typing.current.find('/');
  if (slash == std::string::npos) return node_names(flags, typing.env);
  return devices_of(typing.current.substr(0, slash), flags, typing.env);
}

Candidates holder_names(const TopFlags& flags, const Env& env) {
  const bool is_of_one = !namespace_of(flags).empty();
  return names_of_holders(
      flags, env, [&](const Pod& pod) { return is_of_one ? pod.name : pod.ns + "/" + pod.name; });
}

Candidates holding_namespaces(const TopFlags& flags, const Env& env) {
  return names_of_holders(flags, env, [](const Pod& pod) { return pod.ns; });
}

Candidates model_names(const TopFlags& flags, const Env& env) {
  const auto snapshot = snapshot_of_nodes(flags, env);
  if (!snapshot) return {};
  std::set<std::string> models;
  for (const Pool& pool : pools_of(*snapshot))
    if (is_object_name(pool.model)) models.insert(pool.model);
  return candidates_of(models);
}

}  // namespace gpu::cmd
