#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/gpu_stack.hpp"
#include "schedule/verdict.hpp"
#include "schedule/word.hpp"

namespace gpu::schedule {

class PlacementFacts;

/// What the blockers of one verdict mean to people. Refers to all that it is made from.
class NodeReasons {
 public:
  NodeReasons(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

  /// The taint of a cordon is part of the cordon.
  [[nodiscard]] Words words_of(const NodeVerdict& node) const;
  /// What the scheduler's text leaves out: which taints, which label, how many are healthy.
  [[nodiscard]] std::string detail_of(const NodeVerdict& node, Word word) const;
  /// The scheduler's text and its filter, for the first blocker of the node that has this word.
  [[nodiscard]] GroupBlocker blocker_of(const NodeVerdict& node, Word word) const;

  /// The extended resource that the node has too few of, for Word::few_resources.
  [[nodiscard]] std::string_view resource_of(const NodeVerdict& node, Word word) const;
  /// Names and numbers behind blockers whose texts have none; worked out when first asked for.
  [[nodiscard]] const PlacementFacts& facts() const;

  /// What the node's GPU stack lacks of `resource`.
  [[nodiscard]] const std::optional<StackFault>& fault(std::size_t node, ResourceId resource) const;
  /// Whether a node that the pod's selector leaves offers a resource, held or not.
  [[nodiscard]] bool is_offered(ResourceId resource) const;
  /// How much of a resource no pod holds on a node; never below 0.
  [[nodiscard]] std::int64_t free_of(std::size_t node, ResourceId resource) const;
  /// The GPU resources that the pod asks for, and how many of each.
  [[nodiscard]] const std::vector<Amount>& gpus() const { return gpus_; }
  /// Everything that it asks for.
  [[nodiscard]] const std::vector<Amount>& asks() const { return asks_; }

 private:
  struct Text {
    Word word{};
    std::optional<ResourceId> resource;  ///< of NodeResourcesFit
    bool is_gpu = false;
  };
  [[nodiscard]] std::optional<Word> word_of(const NodeVerdict& node, const Blocker& blocker) const;
  [[nodiscard]] Word resource_word(const NodeVerdict& node, const Text& text) const;
  [[nodiscard]] std::optional<Word> taint_word(const NodeVerdict& node) const;

  const Cluster& cluster_;
  const Pod& pod_;
  const Verdict& verdict_;
  std::vector<Amount> asks_;
  std::vector<Amount> gpus_;
  std::vector<Text> texts_;  ///< of each of verdict.reasons
  const StackFaults& faults_;
  mutable std::map<ResourceId, bool> offered_;
  mutable std::shared_ptr<const PlacementFacts> facts_;
};

}  // namespace gpu::schedule
