#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>

#include "diagnose/answer/code.hpp"
#include "scheduler/cluster/filter.hpp"

namespace gpu::diagnose {

/// What can rule a node out. A node with several blockers is in the group of all their kinds. They
/// are printed in this order; blocker_kind.cpp has a row for each, with everything that
/// diagnose/nodes needs to know about it.
enum class BlockerKind : std::uint8_t {
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
  missing_feature,  ///< a kubelet that is too old, or has a gate closed
  no_gpu_part,      ///< no GPU gives the part that is requested: HAMi, KAI
  no_memory_label,  ///< KAI does not know how much memory its GPUs have
  other,
};

/// A set of kinds, in their order. It is stored as one number, since every node of every pod has a
/// set.
class BlockerKinds {
 public:
  class Iterator {
   public:
    using value_type = BlockerKind;
    using difference_type = std::ptrdiff_t;
    using pointer = const BlockerKind*;
    using reference = BlockerKind;
    using iterator_category = std::input_iterator_tag;
    explicit Iterator(std::uint32_t left) : left_(left) {}
    BlockerKind operator*() const { return static_cast<BlockerKind>(std::countr_zero(left_)); }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    std::uint32_t left_;
  };

  BlockerKinds() = default;
  constexpr BlockerKinds(std::initializer_list<BlockerKind> kinds) {
    for (const BlockerKind kind : kinds) add(kind);
  }
  constexpr void add(BlockerKind kind) { bits_ |= bit(kind); }
  [[nodiscard]] bool has(BlockerKind kind) const { return (bits_ & bit(kind)) != 0; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  /// Of a set that is not empty.
  [[nodiscard]] BlockerKind front() const { return *begin(); }
  [[nodiscard]] Iterator begin() const { return Iterator(bits_); }
  [[nodiscard]] static Iterator end() { return Iterator(0); }
  /// Whether all of these kinds are among `others`.
  [[nodiscard]] bool are_among(BlockerKinds others) const { return (bits_ & ~others.bits_) == 0; }
  [[nodiscard]] bool has_any_of(BlockerKinds others) const { return (bits_ & others.bits_) != 0; }
  friend bool operator==(BlockerKinds, BlockerKinds) = default;
  /// The order of sets: the one with the first kind that only one of them has comes first.
  friend bool operator<(BlockerKinds a, BlockerKinds b) {
    const std::uint32_t differing = a.bits_ ^ b.bits_;
    return (a.bits_ & differing & (~differing + 1)) != 0;
  }

 private:
  static constexpr std::uint32_t bit(BlockerKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }
  static_assert(static_cast<unsigned>(BlockerKind::other) < 32);

  std::uint32_t bits_ = 0;
};

/// What is true of several kinds of blockers.
enum class BlockerTrait : std::uint8_t {
  room,      ///< other pods hold it, or the node is too small: a larger or new node helps
  gpus,      ///< the requested GPUs are not free on the node, for whatever reason
  stack,     ///< the GPU stack of the node lacks something
  rule,      ///< a rule keeps the pod off a node that may be schedulable and have the GPUs
  left_out,  ///< the pod itself names other nodes
};
/// How many there are.
inline constexpr std::size_t kBlockerTraits = 5;

/// Where the names and numbers of a blocker are found.
enum class DetailSource : std::uint8_t {
  none,
  selector,     ///< the required labels that no node has
  maintenance,  ///< what is being done to the node
  taints,
  stack,       ///< what the GPU stack lacks
  amounts,     ///< how much of a resource is free
  ports,       ///< who has the port
  volume_use,  ///< who has the volume
  volume_limit,
  volume_place,
  missing_volume,  ///< why there is no volume
  spread,          ///< what a spread rule counts
  affinity,        ///< which pods are wanted
  anti_affinity,   ///< which are shunned, or shun this one
  features,        ///< what the kubelet lacks
  shared_gpus,     ///< who has which part of each GPU
  memory_label,
};

/// What may remove a blocker; diagnose/fix creates the change and tries it.
enum class Remedy : std::uint8_t {
  tolerate,          ///< the node's taints
  correct_selector,  ///< a label that is misspelt
  uncordon,
  correct_name,     ///< of a resource that is misspelt
  rename_gpus,      ///< to the name under which the node has them
  smaller_request,  ///< for what the node has left
  fewer_pods,       ///< those that hold the resource
  other_pods,       ///< those that only a trial can find, because of a port, a volume or a rule
  relax_spread,
};

/// "node selector", "too few free GPUs".
std::string_view text_of(BlockerKind kind);
/// The reason code that goes with a kind.
Code code_of(BlockerKind kind);
/// Where its details come from.
DetailSource detail_source(BlockerKind kind);
/// The resource that the kind is about, if it is always the same: "cpu"; otherwise empty.
std::string_view fixed_resource(BlockerKind kind);
/// What may remove it, tried in this order; empty: nothing that can be tried.
std::span<const Remedy> remedies_of(BlockerKind kind);
/// All kinds of which a trait is true.
BlockerKinds kinds_with(BlockerTrait trait);

/// The kind of a failure of `filter`, by the scheduler's message if the filter has several. For
/// TaintToleration and NodeResourcesFit, use the node, which decides more exactly.
BlockerKind kind_of_failure(scheduler::Filter filter, std::string_view reason);
/// The kind of a shortage of `resource`: for a GPU resource, that other pods hold the GPUs.
BlockerKind kind_of_shortage(std::string_view resource);
/// The kind of a fault of the GPU stack, on a node that has none of the requested GPUs. GPUs that
/// are divided into MIG slices count as GPUs that are not free; the node's note says what it has.
BlockerKind kind_of_fault(Code fault);

}  // namespace gpu::diagnose
