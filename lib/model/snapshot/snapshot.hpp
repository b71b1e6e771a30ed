#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/resource_list.hpp"
#include "model/gpu/sample.hpp"
#include "model/objects/claim.hpp"
#include "model/objects/coverage.hpp"
#include "model/objects/device.hpp"
#include "model/objects/gap.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"
#include "model/snapshot/failed_pods.hpp"
#include "model/snapshot/history.hpp"

namespace gpu {

/// Running pods of a node that request no GPU and are of no DaemonSet: where a GPU is in use that
/// nobody requested, one of them may use it.
struct PlainPods {
  std::int64_t count = 0;
  std::vector<std::string> names;  ///< NAMESPACE/NAME: the first kMostNamed, sorted
  static constexpr std::size_t kMostNamed = 4;
  friend bool operator==(const PlainPods&, const PlainPods&) = default;
};

/// What the pods on one node add up to. Finished pods do not count.
struct NodeSums {
  ResourceList requested;  ///< sum of effective requests
  std::int64_t pods = 0;
  CardUses cards;  ///< what annotations place on cards
  PlainPods plain;
  friend bool operator==(const NodeSums&, const NodeSums&) = default;
};

/// The cluster at one moment, plain and frozen: every answer is a pure function of it.
struct Snapshot {
  std::optional<Time> taken_at;  ///< unknown for `kubectl get -o json` without a file `now`
  std::string server_version;
  std::vector<Node> nodes;  ///< sorted by name
  std::vector<Pod> pods;    ///< those that the command asked to keep, sorted by namespace and name
  std::map<std::string, NodeSums, std::less<>> sums;  ///< by node name
  /// By their own requests, see waiting_in(); nothing when unbound pods were not read.
  std::optional<WaitingSums> waiting;
  /// Whose pods wait for another try, where `waiting` is counted: see waiting_for_replacement().
  ControlledPodsByUid controlled;
  std::vector<ResourceSlice> slices;        ///< of drivers of GPUs; sorted by name
  std::vector<ResourceClaim> claims;        ///< sorted by namespace and name
  std::vector<DeviceClass> device_classes;  ///< sorted by name
  /// The controller of a workload object, by the object's uid: how the owner walk climbs from a
  /// ReplicaSet to its Deployment. An object that was read and has none maps to nothing.
  std::map<std::string, std::optional<OwnerReference>, std::less<>> controllers;
  std::vector<Sample> samples;  ///< of telemetry, in no order; the same device may stand twice
  /// Of the averages and maxima in `samples`: --since.
  std::optional<std::chrono::seconds> sample_window;
  History history;             ///< of pods that are gone, where MetricsNeeds::history asked for it
  SchedulingFacts scheduling;  ///< empty unless Needs::scheduling asked for it
  Coverage node_coverage = Coverage::none;
  Coverage pod_coverage = Coverage::none;    ///< of the pods that are bound to GPU nodes
  Coverage slice_coverage = Coverage::none;  ///< whole, too, where the API has no ResourceSlices
  Coverage claim_coverage = Coverage::none;
  /// Of live use: whole when every GPU node's telemetry was read; none, too, where nobody asked.
  Coverage use_coverage = Coverage::none;
  std::vector<Gap> gaps;
};

/// What a pod that requests GPUs says of its controller's pods.
struct ControlledShare {
  enum class Life { none, live, failed } life = Life::none;  ///< none: it says nothing
  std::string uid;                                           ///< of the controller, or its own
  std::string ns;  ///< this and what follows: of failed ones only
  OwnerReference controller;
  Time created{};
  std::int64_t gpus = 0;
  friend bool operator==(const ControlledShare&, const ControlledShare&) = default;
};

/// What one pod adds to a Snapshot, whether or not it is kept.
struct PodShare {
  std::string node;            ///< where it counts; empty: nowhere, it is finished or not bound
  NodeSums sums;               ///< on that node
  std::int64_t waits_for = 0;  ///< GPUs, while it is not bound
  ControlledShare controlled;
  friend bool operator==(const PodShare&, const PodShare&) = default;
};
PodShare share_of(const Pod& pod);

/// Adds what the pod says of its controller's pods, or takes it away again.
void count_controlled(ControlledPodsByUid& pods, const ControlledShare& share);
void uncount_controlled(ControlledPodsByUid& pods, const ControlledShare& share);

/// Adds what `other` counts to `sums`.
void add_to(NodeSums& sums, const NodeSums& other);

/// Builds a Snapshot from objects in any order: every pod adds to its node's sums, and is stored
/// only if the command wants to keep it. Memory follows the answer, not the cluster.
class Fold {
 public:
  using Keep = std::function<bool(const Pod&)>;

  /// Without `keep`, no pod is stored.
  explicit Fold(Snapshot& snapshot, Keep keep = {});
  void add(Node&& node);
  void add(const Pod& pod);
  /// Sorts; call once, when all is read.
  void finish();

 private:
  Snapshot& snapshot_;
  Keep keep_;
};

/// NodeSums of `node`, or nothing when no pod of it was seen.
const NodeSums* sums_of(const Snapshot& snapshot, std::string_view node);

}  // namespace gpu
