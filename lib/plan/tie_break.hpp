#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// How one run chooses where the scheduler chooses at random: among nodes with equal scores, and
/// which nodes it samples in a large cluster. Two ways are the ends of what may happen, the others
/// are random numbers from a seed, the same on every machine.
class TieBreak {
 public:
  enum class Way : std::uint8_t { first, fullest, emptiest, random };
  explicit TieBreak(Way way, std::uint64_t seed = 0) : way_(way), state_(seed) {}

  /// The way of the run with this number, from 0 on.
  static TieBreak of_run(std::size_t run);

  /// One of `nodes`, which are not empty: places in the cluster.
  [[nodiscard]] std::uint32_t pick(const scheduler::Cluster& cluster, const Pod& pod,
                                   std::span<const std::uint32_t> nodes);
  /// `count` of `nodes` that follow each other, from anywhere on.
  [[nodiscard]] std::vector<std::uint32_t> sample(std::vector<std::uint32_t> nodes,
                                                  std::size_t count);

 private:
  std::uint64_t next();

  Way way_;
  std::uint64_t state_;
};

}  // namespace gpu::plan
