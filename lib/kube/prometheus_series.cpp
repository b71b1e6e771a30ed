#include "kube/prometheus_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace gpu::kube {
namespace {

using metrics::Series;

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
    const auto found = times.find(key_of(one.labels));
    if (found != times.end())
      one.at = found->second;
    else
      ++unknown;
  }
  return unknown;
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

}  // namespace gpu::kube
