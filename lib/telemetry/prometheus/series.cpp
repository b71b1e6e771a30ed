#include "telemetry/prometheus/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/ascii.hpp"

namespace gpu::telemetry {
namespace {

/// All labels as one text: neither byte can stand in a label's name.
std::string key_of(const StringMap& labels) {
  std::string key;
  for (const auto& [name, value] : labels) key += name + '\x1f' + value + '\x1e';
  return key;
}

std::optional<Time> time_of(double unix_seconds) {
  constexpr double kLatest = 4e9;  // the year 2096: what is behind it is no time of a sample
  if (!(unix_seconds > 0) || unix_seconds > kLatest) return std::nullopt;
  return Time{std::chrono::seconds{static_cast<std::int64_t>(std::floor(unix_seconds))}};
}

/// Names come from the answer, and go into a query.
bool is_metric_name(std::string_view name) {
  return !name.empty() && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == ':'; });
}

bool is_of_exporter(const Series& series, const std::vector<Exporter>& exporters) {
  const std::string_view pod = value_of(series.labels, "pod");
  const std::string_view ns = value_of(series.labels, "namespace");
  const std::string_view host = value_of(series.labels, "Hostname");
  return std::any_of(exporters.begin(), exporters.end(), [&](const Exporter& exporter) {
    return (pod == exporter.pod && ns == exporter.ns) || host == exporter.pod;
  });
}

bool names_node(const Series& series, const Snapshot& snapshot) {
  static constexpr std::array<std::string_view, 6> kLabels = {
      "node", "kubernetes_node", "nodename", "Hostname", "hostname", "instance"};
  return std::any_of(kLabels.begin(), kLabels.end(), [&](std::string_view label) {
    const std::string_view value = value_of(series.labels, label);
    return !value.empty() && std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                                         [&](const Node& node) { return node.name == value; });
  });
}

/// The only one of `clusters` with a series for which `is_ours` says yes; nothing when several are
/// or none is.
template <class IsOurs>
std::optional<std::string> only_cluster(const std::vector<Series>& series, IsOurs is_ours) {
  std::set<std::string, std::less<>> ours;
  for (const Series& one : series) {
    const std::string_view cluster = cluster_of(one);
    if (!ours.contains(cluster) && is_ours(one)) ours.emplace(cluster);
  }
  if (ours.size() != 1) return std::nullopt;
  return *ours.begin();
}

}  // namespace

std::size_t set_times(std::vector<Series>& series, const std::vector<Series>& ages) {
  std::unordered_map<std::string, Time> times;
  for (const Series& age : ages)
    if (const auto time = time_of(age.value)) times.emplace(key_of(age.labels), *time);
  std::size_t unknown = 0;
  for (Series& one : series) {
    if (one.at) continue;
    const auto found = times.find(key_of(one.labels));
    if (found != times.end())
      one.at = found->second;
    else
      ++unknown;
  }
  return unknown;
}

std::vector<std::string> more_age_queries(const std::vector<Series>& series, std::size_t most) {
  std::map<std::string, std::set<std::string>> keys_by_name;
  for (const Series& one : series)
    if (!one.at && is_metric_name(one.name)) keys_by_name[one.name].insert(key_of(one.labels));
  std::vector<std::string> queries;
  while (queries.size() < most && !keys_by_name.empty()) {
    const auto best = std::max_element(
        keys_by_name.begin(), keys_by_name.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (best->second.empty()) break;
    const std::set<std::string> covered = best->second;
    queries.push_back("timestamp(" + best->first + ")");
    for (auto& [name, keys] : keys_by_name)
      std::erase_if(keys, [&](const std::string& key) { return covered.contains(key); });
  }
  return queries;
}

std::size_t drop_undecidable(std::vector<Series>& series) {
  static constexpr std::array<std::string_view, 8> kDevice = {
      "instance", "UUID", "uuid", "gpu_uuid", "GPU_I_ID", "gpu_i_id", "gpu_id", "vgpu"};
  const auto device_of = [](const Series& one) {
    std::string key = one.name;
    for (const std::string_view label : kDevice)
      key.append("\x1f").append(value_of(one.labels, label));
    return key;
  };
  std::map<std::string, std::size_t> counts;
  for (const Series& one : series) ++counts[device_of(one)];
  return std::erase_if(series, [&](const Series& one) { return counts[device_of(one)] > 1; });
}

std::string_view cluster_of(const Series& series) {
  static constexpr std::array<std::string_view, 4> kLabels = {"cluster", "k8s_cluster",
                                                              "cluster_id", "k8s_cluster_name"};
  for (const std::string_view label : kLabels)
    if (const std::string_view value = value_of(series.labels, label); !value.empty()) return value;
  return {};
}

ClusterChoice choose_cluster(const std::vector<Series>& series,
                             const std::vector<Exporter>& exporters, const Snapshot& snapshot) {
  ClusterChoice choice;
  for (const Series& one : series) choice.clusters.emplace(cluster_of(one));
  if (choice.clusters.size() == 1) choice.chosen = *choice.clusters.begin();
  // A pod of a DaemonSet has a name that hardly any other cluster has.
  if (!choice.chosen)
    choice.chosen =
        only_cluster(series, [&](const Series& one) { return is_of_exporter(one, exporters); });
  if (!choice.chosen)
    choice.chosen =
        only_cluster(series, [&](const Series& one) { return names_node(one, snapshot); });
  return choice;
}

void keep_cluster(std::vector<Series>& series, const ClusterChoice& choice) {
  const bool is_one = choice.clusters.size() <= 1;
  std::erase_if(series, [&](const Series& one) {
    const std::string_view cluster = cluster_of(one);
    if (is_one && cluster.empty()) return false;
    return !choice.chosen || cluster != *choice.chosen;
  });
}

std::vector<std::vector<Series>> by_target(std::vector<Series> series) {
  std::vector<std::vector<Series>> targets;
  std::map<std::string, std::size_t, std::less<>> places;
  for (Series& one : series) {
    const std::string instance(value_of(one.labels, "instance"));
    const auto [at, is_new] = places.emplace(instance, targets.size());
    if (is_new) targets.emplace_back();
    targets[at->second].push_back(std::move(one));
  }
  return targets;
}

}  // namespace gpu::telemetry
