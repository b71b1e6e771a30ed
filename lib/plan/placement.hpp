#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "plan/devices.hpp"
#include "plan/gpu_parts.hpp"
#include "plan/volumes.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::plan {

/// So many pods of one template are tried one after the other.
inline constexpr std::int64_t kMostPlaced = 64;

/// Creates the claims of a StatefulSet's pods, as many as are tried, and lets `planned` be the
/// first.
void create_volume_claims(PlannedPod& planned, Snapshot& snapshot);

/// The cluster as it fills up with what is planned: each pod that starts is put on the node with
/// the fewest free GPUs on which it fits, at most 64 of one template, and 512 in all.
class PodPlacement {
 public:
  PodPlacement(const scheduler::Cluster& cluster, diagnose::ExplainOptions options);
  PodPlacement(const PodPlacement& other);
  PodPlacement& operator=(const PodPlacement&) = delete;

  [[nodiscard]] const scheduler::Cluster& cluster() const { return *cluster_; }

  /// Of all its replicas. Those that start stay where they are put.
  diagnose::Explanation answer(const PlannedPod& planned);

  /// How many pods of the last answer start, as far as they were tried.
  [[nodiscard]] std::int64_t started() const { return started_; }

  /// What was tried on a copy of this counts, too.
  void count_tries(const PodPlacement& copy) { tried_ = copy.tried_; }

  /// Something starts that is not put anywhere: later answers say so.
  void leave_out() { is_all_placed_ = false; }

 private:
  /// Why the rest is not tried: they are too many, or what a started one takes is not known.
  enum class Rest { too_many, unknown };

  diagnose::Explanation answer_each(const PlannedPod& planned);
  bool make_room(const Pod& pod, const scheduler::Verdict& verdict,
                 std::vector<std::string>& victims);
  diagnose::Explanation stopped(const PlannedPod& planned, const Pod& next, std::int64_t started);
  diagnose::Explanation unfinished(diagnose::Explanation first, const PlannedPod& planned,
                                   std::int64_t started, Rest rest);
  [[nodiscard]] bool takes_unknown(const Pod& pod, const VolumeClaimTemplates& templates) const;
  [[nodiscard]] std::optional<std::size_t> node_for(const Pod& pod,
                                                    const scheduler::Verdict& verdict) const;
  void place(const Pod& planned, std::size_t node, std::vector<TakenDevices>&& devices,
             const scheduler::TakenParts& parts);

  Snapshot snapshot_;
  std::unique_ptr<scheduler::Cluster> cluster_;  ///< of snapshot_; made anew with each change
  diagnose::ExplainOptions options_;
  std::int64_t placed_ = 0;
  std::int64_t tried_ = 0;
  std::int64_t started_ = 0;  ///< of the last answer
  bool is_all_placed_ = true;
};

}  // namespace gpu::plan
