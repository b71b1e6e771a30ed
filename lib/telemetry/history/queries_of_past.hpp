#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::telemetry {

/// What kube-state-metrics tells of a pod.
enum class PodFact : std::uint8_t {
  requests,       ///< GPUs of a container
  init_requests,  ///< GPUs of an init container
  scheduled,      ///< when it was bound
  completed,      ///< when it reached a terminal phase
  info,           ///< its node, and what made it
  owner,          ///< its controller
};

/// What it tells of the controllers and nodes of such pods.
enum class PlaceFact : std::uint8_t {
  job_owner,          ///< the controller of a Job
  replica_set_owner,  ///< of a ReplicaSet
  node_labels,        ///< as far as it is allowed to tell them
  node_info,          ///< the provider's ID
  node_capacity,      ///< GPUs
};

/// One question for all pods with GPUs, over the `length` before the moment that it is asked of.
/// Names of metrics and of their labels are known in this file and in those that read the answers.
std::string query_of(PodFact fact, std::chrono::seconds length);
std::string query_of(PlaceFact fact, std::chrono::seconds length);

/// When those of `uids` were told of the last time; of all where there are none. Looking at every
/// minute is work, so that only those are asked of whose end nothing else tells, and of the time
/// that last_slot_query() found.
std::string seen_query(std::chrono::seconds length, const std::vector<std::string>& uids);
/// The end of the last part of the time that tells of them, each kSlot long and up to a multiple of
/// that: a Unix time. What is told after the last such end is not seen.
std::string last_slot_query(std::chrono::seconds length, const std::vector<std::string>& uids);
inline constexpr std::chrono::seconds kSlot{7200};
/// How exact seen_query() is.
inline constexpr std::chrono::seconds kSeenStep{60};
/// So many of them fit into an address.
inline constexpr std::size_t kMostUids = 100;

/// The first and the last moment at which nothing was told of the cluster: two series, with
/// the Unix times as values and the label kEdge; none where all of the time was told of.
std::string silence_query(std::chrono::seconds length);
/// The same of the moments at which something was told, of each cluster; none where nothing was.
/// Not of pods: a cluster without pods is told of, too.
std::string told_query(std::chrono::seconds length);
/// How exact those moments are.
std::chrono::seconds told_step(std::chrono::seconds length);
inline constexpr std::string_view kEdge = "edge";
inline constexpr std::string_view kFirstEdge = "first";
inline constexpr std::string_view kLastEdge = "last";
/// So long what was told stands before it counts as silence, and how exact its moments are.
inline constexpr std::chrono::seconds kStands{300};
inline constexpr std::chrono::seconds kSilenceStep{120};

/// Whether there are any such metrics: pods that were told of, with or without GPUs.
std::string pods_told_query(std::chrono::seconds length);

}  // namespace gpu::telemetry
