#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/blocker_kind.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// What the blockers of one verdict mean to people. Keeps references to the constructor's
/// arguments.
class NodeReasons {
 public:
  NodeReasons(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict);

  /// The kinds of all blockers of a node. The taint that comes with a cordon counts as the cordon.
  [[nodiscard]] BlockerKinds kinds_of(const scheduler::NodeVerdict& node) const;
  /// The scheduler's text and its filter, for the first blocker of the node that is of this kind;
  /// without its detail.
  [[nodiscard]] GroupBlocker blocker_of(const scheduler::NodeVerdict& node, BlockerKind kind) const;

  /// The extended resource of which the node has too little, for few_resources.
  [[nodiscard]] std::string_view resource_of(const scheduler::NodeVerdict& node,
                                             BlockerKind kind) const;

  /// The fault of the node's GPU stack for `resource`.
  [[nodiscard]] const std::optional<StackFault>& fault(std::size_t node,
                                                       scheduler::ResourceId resource) const;
  /// Whether a node that matches the pod's selector offers a resource, held or not.
  [[nodiscard]] bool is_offered(scheduler::ResourceId resource) const;
  /// How much of a resource no pod holds on a node; never below 0.
  [[nodiscard]] std::int64_t free_of(std::size_t node, scheduler::ResourceId resource) const;
  /// The GPU resources that the pod requests, and how many of each.
  [[nodiscard]] const std::vector<scheduler::Amount>& gpus() const { return gpus_; }
  /// What the nodes lack for this pod with a smaller request, by the same verdict.
  [[nodiscard]] NodeReasons with(const Pod& smaller) const { return {cluster_, smaller, verdict_}; }
  /// Everything that the pod requests.
  [[nodiscard]] const std::vector<scheduler::Amount>& requests() const { return requests_; }

 private:
  struct Text {
    BlockerKind kind{};
    std::optional<scheduler::ResourceId> resource;  ///< of NodeResourcesFit
    bool is_gpu = false;
  };
  [[nodiscard]] std::optional<BlockerKind> kind_of(const scheduler::NodeVerdict& node,
                                                   const scheduler::FilterFailure& blocker) const;
  [[nodiscard]] BlockerKind resource_kind(const scheduler::NodeVerdict& node,
                                          const Text& text) const;
  /// The title for a node with too few free GPUs, by what a unit of them is; otherwise `title`.
  [[nodiscard]] std::string title_of_shortage(std::size_t node, scheduler::ResourceId resource,
                                              std::string title) const;
  [[nodiscard]] std::optional<BlockerKind> taint_kind(const scheduler::NodeVerdict& node) const;

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const scheduler::Verdict& verdict_;
  std::vector<scheduler::Amount> requests_;
  std::vector<scheduler::Amount> gpus_;
  std::vector<Text> texts_;  ///< of each of verdict.reasons
  const StackFaults& faults_;
  mutable std::map<scheduler::ResourceId, bool> offered_;
};

/// The fault of the first GPU resource that the node does not offer as it should; null if there is
/// none.
const StackFault* first_fault(std::size_t node, const NodeReasons& reasons);

/// The free share of the pod's requests on a node, for the scarcest resource, 0 to 1: 1 if all of
/// them are free.
double share_free_on(std::size_t node, const NodeReasons& reasons);

/// How many of the requested GPUs are free on a node, over all kinds of them.
std::int64_t free_gpus_on(std::size_t node, const NodeReasons& reasons);

/// The same; nothing if the node advertises none of them, or the pod requests none.
std::optional<std::int64_t> free_of_advertised(const scheduler::Cluster& cluster, std::size_t node,
                                               const NodeReasons& reasons);

/// What a node has instead of the requested GPUs, if it advertises none of those: "only MIG
/// slices"; empty if it has nothing.
std::string note_of(const scheduler::Cluster& cluster, std::size_t node,
                    const NodeReasons& reasons);

}  // namespace gpu::diagnose
