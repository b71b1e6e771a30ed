#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "diagnose/answer/code.hpp"

namespace gpu::diagnose {

/// The words of the table for why a node is ruled out; a node that has several blockers is in the
/// group of all their words. In the order in which they are printed.
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
  other,
};

/// "node selector", "too few free GPUs".
std::string_view text_of(BlockerKind word);
/// The reason code that goes with a word.
Code code_of(BlockerKind word);

/// A set of words, in their order: as small as a number, since every node of every pod has one.
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
  BlockerKinds(std::initializer_list<BlockerKind> words) {
    for (const BlockerKind word : words) add(word);
  }
  void add(BlockerKind word) { bits_ |= bit(word); }
  [[nodiscard]] bool has(BlockerKind word) const { return (bits_ & bit(word)) != 0; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
  /// Of a set that is not empty.
  [[nodiscard]] BlockerKind front() const { return *begin(); }
  [[nodiscard]] Iterator begin() const { return Iterator(bits_); }
  [[nodiscard]] static Iterator end() { return Iterator(0); }
  /// Whether all of these words are among `others`.
  [[nodiscard]] bool are_among(BlockerKinds others) const { return (bits_ & ~others.bits_) == 0; }
  [[nodiscard]] bool has_any_of(BlockerKinds others) const { return (bits_ & others.bits_) != 0; }
  friend bool operator==(BlockerKinds, BlockerKinds) = default;
  /// Of the first word that only one of them has, that one comes first.
  friend bool operator<(BlockerKinds a, BlockerKinds b) {
    const std::uint32_t differing = a.bits_ ^ b.bits_;
    return (a.bits_ & differing & (~differing + 1)) != 0;
  }

 private:
  static constexpr std::uint32_t bit(BlockerKind word) {
    return std::uint32_t{1} << static_cast<unsigned>(word);
  }
  static_assert(static_cast<unsigned>(BlockerKind::other) < 32);

  std::uint32_t bits_ = 0;
};

/// What the GPU stack of a node lacks.
inline const BlockerKinds kStackBlockers{BlockerKind::no_device_plugin,
                                         BlockerKind::unhealthy_device_plugin,
                                         BlockerKind::no_driver, BlockerKind::renamed_gpus};

}  // namespace gpu::diagnose
