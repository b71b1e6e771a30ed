#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Whether an event changed the Snapshot.
enum class Changed { no, yes };

/// A Snapshot that follows the cluster: after any events it is what a Fold of the objects that
/// there are then would give. Of a pod that is not kept only its share is stored.
class LiveSnapshot {
 public:
  using Keys = std::unordered_set<std::string>;

  /// `start` says what is counted (`waiting`) and how it was seen; its lists are empty.
  explicit LiveSnapshot(Snapshot start, Fold::Keep keep = {});

  LiveSnapshot(const LiveSnapshot&) = delete;
  LiveSnapshot& operator=(const LiveSnapshot&) = delete;

  /// The object is there and looks so.
  Changed set(Node&& node);
  Changed set(const Pod& pod);
  Changed set(ResourceSlice&& slice);
  Changed set(ResourceClaim&& claim);
  Changed set(DeviceClass&& device_class);
  /// The object is gone, if it was there.
  Changed remove_node(std::string_view name);
  Changed remove_pod(const std::string& ns, const std::string& name);
  Changed remove_slice(std::string_view name);
  Changed remove_claim(std::string_view ns, std::string_view name);
  Changed remove_class(std::string_view name);
  /// After a new list: all that it did not hold are gone. Keys are names, or NAMESPACE/NAME; of
  /// pods only those whose key starts with `prefix` ("ml/"; empty: all) are looked at.
  Changed retain_nodes(const Keys& listed);
  Changed retain_pods(const Keys& listed, std::string_view prefix);
  Changed retain_slices(const Keys& listed);
  Changed retain_claims(const Keys& listed);
  Changed retain_classes(const Keys& listed);

  /// The cluster now.
  [[nodiscard]] const Snapshot& snapshot();
  /// How many pods are known, kept or not.
  [[nodiscard]] std::size_t pod_count() const { return shares_.size(); }
  /// For what no event tells: sights, gaps, controllers, the time.
  [[nodiscard]] Snapshot& facts() { return snapshot_; }

 private:
  void count(const std::string& key, const PodShare& share);
  void uncount(const std::string& key, const PodShare& share);
  Changed keep(const Pod& pod);
  Changed drop(std::string_view ns, std::string_view name);
  void sum_up(const std::string& node);

  Snapshot snapshot_;
  Fold::Keep keep_;
  std::unordered_map<std::string, PodShare> shares_;  ///< by NAMESPACE/NAME
  /// Pods that count on a node. Its sums are made anew from them: nothing drifts, and an entry
  /// that nobody asks for any more goes, as a Fold would not have it.
  std::unordered_map<std::string, std::vector<const PodShare*>> on_node_;
  std::unordered_set<std::string> stale_;  ///< nodes whose pods changed
  /// The waiting pods' GPUs, by NAMESPACE/NAME.
  std::map<std::string, std::int64_t> waiting_;
};

/// NAMESPACE/NAME.
std::string key_of(std::string_view ns, std::string_view name);

}  // namespace gpu
