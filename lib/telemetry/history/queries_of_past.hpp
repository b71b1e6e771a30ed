#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::telemetry {

/// What kube-state-metrics reports about a pod.
enum class PodFact : std::uint8_t {
  requests,       ///< GPUs of a container
  init_requests,  ///< GPUs of an init container
  scheduled,      ///< when it was bound
  completed,      ///< when it reached a terminal phase
  info,           ///< its node, and what created it
  owner,          ///< its controller
};

/// What it reports about the controllers and nodes of such pods.
enum class PlaceFact : std::uint8_t {
  job_owner,          ///< the controller of a Job
  replica_set_owner,  ///< of a ReplicaSet
  node_labels,        ///< those that kube-state-metrics is configured to report
  node_info,          ///< the provider's ID
  node_capacity,      ///< GPUs
};

/// One query for all pods with GPUs, over the `length` before the time of the query. This file and
/// those that read the answers know the names of metrics and of their labels.
std::string query_of(PodFact fact, std::chrono::seconds length);
std::string query_of(PlaceFact fact, std::chrono::seconds length);

/// When metrics last reported each of `uids`; of all pods if there are none. This query reads every
/// minute, which is expensive. So it is used only for pods whose end nothing else shows, and only
/// for the time that last_slot_query() found.
std::string seen_query(std::chrono::seconds length, const std::vector<std::string>& uids);
/// The end of the last slot in which metrics reported each pod, a Unix time. Each slot is kSlot
/// long and ends at a multiple of it. What is reported after the end of the last whole slot is not
/// found.
std::string last_slot_query(std::chrono::seconds length, const std::vector<std::string>& uids);
inline constexpr std::chrono::seconds kSlot{7200};
/// How exact seen_query() is.
inline constexpr std::chrono::seconds kSeenStep{60};
/// So many of them fit into an address.
inline constexpr std::size_t kMostUids = 100;

/// The first and the last moment at which metrics of the cluster are missing: two series, with the
/// Unix times as values and the label kEdge; none if no metrics are missing.
std::string silence_query(std::chrono::seconds length);
/// The same for the moments at which metrics exist, for each cluster; none if there are none. Not
/// for metrics of pods: a cluster without pods has metrics, too.
std::string told_query(std::chrono::seconds length);
/// How exact those moments are.
std::chrono::seconds told_step(std::chrono::seconds length);
inline constexpr std::string_view kEdge = "edge";
inline constexpr std::string_view kFirstEdge = "first";
inline constexpr std::string_view kLastEdge = "last";
/// How long Prometheus repeats the last value, before metrics count as missing; and the step of
/// silence_query().
inline constexpr std::chrono::seconds kStands{300};
inline constexpr std::chrono::seconds kSilenceStep{120};

/// Whether there are any such metrics: about pods with or without GPUs.
std::string pods_told_query(std::chrono::seconds length);

}  // namespace gpu::telemetry
