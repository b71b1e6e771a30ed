#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "admission/kai/request.hpp"
#include "model/objects/queue.hpp"
#include "model/snapshot/kai.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// A pod that holds GPUs of a Queue.
struct KaiHolder {
  const Pod* pod = nullptr;
  Quantity gpus;
  Preemptible preemptible = Preemptible::unknown;
};

/// KAI's Queues by name, and who holds GPUs in each; made once for all pods: Cluster::shared().
class KaiIndex {
 public:
  explicit KaiIndex(const scheduler::Cluster& cluster);
  static bool counts(const Pod& pod) { return is_of_kai(pod); }

  /// Null where there is none.
  [[nodiscard]] const KaiQueue* queue(std::string_view name) const;
  [[nodiscard]] bool has_children(std::string_view name) const;
  /// The Queue and those above it, as far as they exist.
  [[nodiscard]] std::vector<const KaiQueue*> chain(const KaiQueue& queue) const;
  /// Pods that are bound, of the Queue and of those below it, by the label that they carry; most
  /// GPUs first.
  [[nodiscard]] const std::vector<KaiHolder>& holders(std::string_view name) const;

 private:
  void add(const scheduler::Cluster& cluster, const Pod& pod);

  std::unordered_map<std::string_view, const KaiQueue*> queues_;
  std::set<std::string_view> parents_;
  std::unordered_map<std::string_view, std::vector<KaiHolder>> holders_;
};

/// What of these pods' GPUs counts: all, or those of pods that cannot be preempted.
Quantity gpus_of(const std::vector<KaiHolder>& holders);
std::vector<KaiHolder> non_preemptible(const std::vector<KaiHolder>& holders);

}  // namespace gpu::admission
