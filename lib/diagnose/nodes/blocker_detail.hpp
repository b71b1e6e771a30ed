#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/nodes/affinity_detail.hpp"
#include "diagnose/nodes/blocker_kind.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "diagnose/nodes/ruled_out.hpp"
#include "diagnose/nodes/shared_gpu_detail.hpp"
#include "diagnose/nodes/spread_detail.hpp"
#include "diagnose/nodes/volume_detail.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// The names and numbers that the scheduler's messages leave out: which taints, which pod has the
/// port, what a spread rule counts, where the volume is. Keeps references to the constructor's
/// arguments.
class BlockerDetails {
 public:
  BlockerDetails(const scheduler::Cluster& cluster, const Pod& pod, const NodeReasons& reasons);
  BlockerDetails(const BlockerDetails&) = delete;
  BlockerDetails& operator=(const BlockerDetails&) = delete;

  /// For the row of a node: "9400: research/other-0"; empty if there is no detail.
  [[nodiscard]] std::string detail(const scheduler::NodeVerdict& verdict, BlockerKind kind) const;
  /// "host port 9400 is taken on gpu-1, by research/other-0"; empty if there is no name to give.
  [[nodiscard]] std::string headline(BlockerKind kind, const RuledOut& ruled_out) const;
  /// What helps against a blocker of shared GPUs on a node; empty for all other kinds.
  [[nodiscard]] std::vector<Advice> advice(BlockerKind kind, std::size_t node) const;

 private:
  [[nodiscard]] const SpreadDetails& spread() const;
  [[nodiscard]] const AffinityDetails& affinity() const;
  [[nodiscard]] const SharedGpuDetails& shared_gpus() const;

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const NodeReasons& reasons_;
  scheduler::Overlay overlay_;
  VolumeDetails volumes_;
  // These read all pods: created when they are needed.
  mutable std::optional<SpreadDetails> spread_;
  mutable std::optional<AffinityDetails> affinity_;
  mutable std::optional<SharedGpuDetails> shared_gpus_;
};

}  // namespace gpu::diagnose
