#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cost/ledger/node_ledger.hpp"

namespace gpu::cost {

/// The weights, in whole numbers, by which a node's price is divided among its GPUs.
struct NodeWeights {
  std::int64_t each = 0;                          ///< of one physical GPU
  std::vector<std::optional<std::int64_t>> rows;  ///< of each row; nothing: not known
  std::array<std::int64_t, kUnallocated> unallocated{};
  std::int64_t unseen = 0;

  [[nodiscard]] std::int64_t sum() const;
};

/// The weights of `facts`, whose node has `cards` GPUs and is paid for `bought`: GPUs that are
/// missing count as broken.
NodeWeights node_weights(const GpuNode& facts, std::int64_t cards, std::int64_t bought,
                         MigBy mig_by);

/// The weight of `units` of `pool` where one GPU weighs `each`; nothing: not known.
std::optional<std::int64_t> weight_of(const Pool& pool, std::int64_t units, std::int64_t each,
                                      MigBy mig_by);

}  // namespace gpu::cost
