#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "make.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

/// Builds pods with volumes, and asks the volume filters of them.
namespace gpu::make {

inline constexpr std::int64_t kGibi = std::int64_t{1} << 30;

inline Node zoned_node(std::string name, const std::string& zone) {
  Node made = node(std::move(name), 0);
  made.labels.set("topology.kubernetes.io/zone", zone);
  return made;
}

inline Pod pod_with_claims(std::string name, std::string node_name,
                           const std::vector<std::string>& claims) {
  Pod made = pod(std::move(name), std::move(node_name), 0);
  made.uid = "uid-" + made.name;
  for (const std::string& claim : claims)
    made.volumes.push_back({.name = "volume-" + claim, .claim = claim});
  return made;
}

inline PersistentVolumeClaim bound_claim(std::string name, std::string volume) {
  PersistentVolumeClaim made{.ns = "ml", .name = std::move(name)};
  made.uid = "uid-" + made.name;
  made.phase = "Bound";
  made.volume = std::move(volume);
  made.is_bound = true;
  made.storage_class = "fast";
  made.storage = Quantity::of(kGibi);
  return made;
}

inline PersistentVolumeClaim waiting_claim(std::string name, std::string storage_class,
                                           std::int64_t gibi = 1) {
  PersistentVolumeClaim made{.ns = "ml", .name = std::move(name)};
  made.uid = "uid-" + made.name;
  made.phase = "Pending";
  made.storage_class = std::move(storage_class);
  made.access_modes = {"ReadWriteOnce"};
  made.storage = Quantity::of(gibi * kGibi);
  return made;
}

inline PersistentVolume volume(std::string name, std::string storage_class, std::int64_t gibi = 1) {
  PersistentVolume made{.name = std::move(name)};
  made.phase = "Available";
  made.storage_class = std::move(storage_class);
  made.access_modes = {"ReadWriteOnce"};
  made.storage = Quantity::of(gibi * kGibi);
  return made;
}

inline NodeSelector label_is(std::string key, std::string value) {
  return {{.expressions = {{std::move(key), "In", {std::move(value)}}}}};
}

inline StorageClass delayed_class(std::string name, std::string provisioner) {
  return {
      .name = std::move(name), .provisioner = std::move(provisioner), .waits_for_consumer = true};
}

/// A snapshot of which every kind that volumes need was read.
inline Snapshot seen(std::vector<Node> nodes, const std::vector<Pod>& pods,
                     SchedulingFacts facts = {}) {
  Snapshot made = snapshot(std::move(nodes), pods);
  made.server_version = "v1.36.1";
  made.scheduling = std::move(facts);
  for (const char* kind : {"persistentvolumeclaims", "persistentvolumes", "storageclasses",
                           "csinodes", "csidrivers", "csistoragecapacities", "volumeattachments"})
    made.scheduling.coverages[kind] = Coverage::whole;
  return made;
}

/// What a filter says of a pod on a node: its texts.
template <class Volumes>
std::vector<std::string> texts(const scheduler::Cluster& cluster, const Pod& pod,
                               std::size_t index = 0) {
  scheduler::Findings findings;
  Volumes(cluster, pod).ask({cluster, index, cluster.nodes()[index]}, findings);
  std::vector<std::string> texts;
  for (const auto& each : findings.found()) texts.emplace_back(findings.text(each));
  if (findings.error()) texts.push_back("error: " + findings.error()->text);
  for (const std::string& each : findings.not_checked()) texts.push_back("not checked: " + each);
  return texts;
}

/// What the PreFilter of a filter says of the pod; empty: it lets it through.
template <class Volumes>
std::string refusal(const scheduler::Cluster& cluster, const Pod& pod) {
  const scheduler::PreFilterResult before = Volumes(cluster, pod).before();
  return before.refusal ? before.refusal->message : "";
}

}  // namespace gpu::make
