#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "plan/group_queue.hpp"
#include "plan/tie_break.hpp"
#include "plan/volumes.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/judge.hpp"
#include "scheduler/scores/usual_requests.hpp"

namespace gpu::plan {

/// What became of a pod.
struct Started {
  std::uint32_t node = 0;          ///< place in the cluster
  bool is_by_chance = false;       ///< equal scores, or a sample of the nodes, decided
  bool is_sure = true;             ///< false: something of the node could not be checked
  std::vector<std::string> stops;  ///< NAMESPACE/NAME of pods that the scheduler preempts for it
};

/// A cluster as pods start in it one after the other, each where kube-scheduler's filters and
/// scores send it. Has a snapshot of its own. `fit` and `why-pending -f` both fill one.
class Filling {
 public:
  explicit Filling(Snapshot snapshot);
  Filling(const Filling&) = delete;
  Filling& operator=(const Filling&) = delete;

  [[nodiscard]] const scheduler::Cluster& cluster() const { return *cluster_; }

  /// A pod like this will start: marks keep what it may need to be undone.
  void expect(const Pod& pod);
  /// Lets the scheduler take `pod`, which is not created yet; nothing where it fits nowhere, or the
  /// API server does not admit it. `pod` is copied.
  std::optional<Started> start(const Pod& pod, TieBreak& ties);
  /// Of pods that stay where they are.
  void end(const Pod* pod);
  /// Binds a copy of `pod` to a node, whatever filters say.
  const Pod* put(Pod pod, std::uint32_t node);

  /// What can be told of the nodes on which a pod fits now.
  struct Room {
    std::vector<std::uint32_t> nodes;  ///< places in the cluster, in their order
    bool is_sure = true;               ///< false: some are undecided
  };
  [[nodiscard]] Room room_for(const Pod& pod);
  /// Those of `room` that the scheduler may take, by its scores.
  [[nodiscard]] std::vector<std::uint32_t> best_of(const Pod& pod,
                                                   const std::vector<std::uint32_t>& nodes);

  /// Where the filling stands: back_to() undoes what came after. Of pods whose devices and parts of
  /// cards are handed out, too.
  struct Mark {
    std::size_t steps = 0;
    std::vector<ResourceQuota> quotas;
    GroupQueueUse queues;
    std::shared_ptr<const Snapshot> snapshot;  ///< only where devices are handed out
  };
  [[nodiscard]] Mark mark() const;
  void back_to(const Mark& mark);

 private:
  struct Step {
    const Pod* came = nullptr;
    const Pod* went = nullptr;
  };
  std::optional<Started> start_by_preemption(const Pod& pod);
  void count(const Pod& pod);
  bool place(const Pod& pod, std::uint32_t node);
  bool place_with_devices(Pod pod, std::uint32_t node);
  void rebuild();

  Snapshot snapshot_;
  std::unique_ptr<scheduler::Cluster> cluster_;
  std::optional<scheduler::UsualRequests> usual_;
  std::deque<Pod> placed_;
  std::vector<Step> steps_;
  std::uint64_t named_ = 0;
  bool hands_out_devices_ = false;

  // What the last pod's verdict was, where only the node that changed has to be asked again.
  std::optional<Pod> last_;
  std::vector<char> last_fits_;
  std::vector<char> last_sure_;
  std::vector<std::uint32_t> last_changed_;
};

/// Whether what a pod takes from a node is known before it has one: no volume that is made or found
/// only then, but for those of its own that `own` makes.
bool takes_known(const Pod& pod, const VolumeClaimTemplates& own, const Snapshot& snapshot);

}  // namespace gpu::plan
