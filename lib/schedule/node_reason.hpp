#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/gpu_stack.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// The words of the table for why a node is ruled out; a node that has several blockers is in the
/// group of all their words. In the order in which they are printed.
enum class Word : std::uint8_t {
  other_node_name,
  node_selector,
  cordoned,
  not_ready,
  taint,
  port_taken,
  too_many_pods,
  few_free_gpus,  ///< others hold them
  few_gpus,       ///< the node never has as many
  no_gpus,
  renamed_gpus,
  unhealthy_gpus,
  no_device_plugin,
  unhealthy_device_plugin,
  no_driver,
  few_resources,  ///< another extended resource
  little_cpu,
  little_memory,
  little_storage,
  volume_in_use,
  many_volumes,
  volume_elsewhere,
  no_volume,
  spread,
  pod_affinity,
  pod_anti_affinity,
  no_devices,
  other,
};

/// "node selector", "too few free GPUs".
std::string_view text_of(Word word);
/// The reason code that goes with a word.
Code code_of(Word word);

/// What the blockers of one verdict mean to people. Refers to all that it is made from.
class NodeReasons {
 public:
  NodeReasons(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

  /// Sorted, each once. The taint of a cordon is part of the cordon.
  [[nodiscard]] std::vector<Word> words_of(const NodeVerdict& node) const;
  /// What the scheduler's text leaves out: which taints, which label, how many are healthy.
  [[nodiscard]] std::string detail_of(const NodeVerdict& node, Word word) const;
  /// The scheduler's text and its filter, for the first blocker of the node that has this word.
  [[nodiscard]] GroupBlocker blocker_of(const NodeVerdict& node, Word word) const;

  /// What the node's GPU stack lacks of `resource`; worked out once.
  [[nodiscard]] const std::optional<StackFault>& fault(std::size_t node,
                                                       const std::string& resource) const;
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
  mutable std::map<std::pair<std::size_t, std::string>, std::optional<StackFault>> faults_;
};

}  // namespace gpu::schedule
