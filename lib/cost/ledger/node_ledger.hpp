#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/money.hpp"
#include "cost/ledger/card_part.hpp"
#include "cost/prices/price.hpp"
#include "model/gpu/pool.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cost {

struct NodeWeights;

/// What a node's price is charged to.
enum class ChargeBy : std::uint8_t {
  share,       ///< GPUs alone, each an equal part of the node
  whole_node,  ///< the same, and those who hold GPUs pay for the free ones of their node, too
  opencost,    ///< CPU, memory and GPUs by the ratio of OpenCost's default prices
};

/// How a node's price is split.
struct ChargeRules {
  ChargeBy by = ChargeBy::share;
  MigBy mig_by = MigBy::compute;
};

/// Why GPUs that no pod holds cost something.
enum class Unallocated : std::uint8_t {
  free,       ///< a pod could start there now
  stranded,   ///< free, but the node has too little CPU or memory left: less than 1 CPU and 1 GiB
  cordoned,   ///< the node takes no pods: cordoned, leaving, or tainted for its lifecycle
  unhealthy,  ///< the node is not ready, or devices are broken or not advertised
  geometry,   ///< parts of cards that are in no MIG slice and no share
};
inline constexpr std::size_t kUnallocated = 5;

/// "free", "stranded", "cordoned", "unhealthy", "geometry".
std::string_view name_of(Unallocated reason);

/// What held GPUs cost an hour, by how they are used.
struct HeldRate {
  Money busy;     ///< times the use
  Money idle;     ///< times what is not used
  Money unknown;  ///< whose use is not known

  [[nodiscard]] Money total() const { return busy + idle + unknown; }
  HeldRate& operator+=(const HeldRate& other);
  friend bool operator==(const HeldRate&, const HeldRate&) = default;
};

/// A node, and who holds GPUs of it. Refers to the inventory.
struct GpuNode {
  const Node* node = nullptr;                ///< null: it was not seen
  const NodeSums* sums = nullptr;            ///< null: no pod of it was seen
  std::vector<const Pool*> pools;            ///< all of the node
  std::vector<const usage::PodUsage*> rows;  ///< all that hold units of these
};

/// Physical GPUs that the node has: by its pools, else by its labels; nothing: not known.
std::optional<std::int64_t> physical_cards(const GpuNode& facts);

/// Divides the price of one node among those who hold its GPUs, and what no one holds. Always price
/// == sum of held() + sum of unallocated() + unseen() + host(), to the billionth: every amount
/// comes from one split of the price, and none can be set. All are rates of an hour.
class NodeLedger {
 public:
  NodeLedger(const GpuNode& facts, NodePrice price, ChargeRules rules);

  /// The GPUs of one model of a node, and what they cost.
  struct Part {
    GpuNode facts;
    NodePrice price;
  };
  /// Of a node with GPUs of several models, each with its own price. `parts` contain all pools and
  /// rows of `facts`.
  NodeLedger(const GpuNode& facts, std::vector<Part> parts, ChargeRules rules);

  /// Of the whole node: of its models with a price, together.
  [[nodiscard]] const NodePrice& price() const { return price_; }
  /// What `pool`, one of the node's, is priced by.
  [[nodiscard]] const NodePrice& price_of(const Pool& pool) const { return part_of(pool).price_; }
  /// One, or one for each of the node's models.
  [[nodiscard]] std::vector<const NodePrice*> prices() const;
  /// Whether a price is missing: of the node, or of one of its models.
  [[nodiscard]] bool lacks_price() const;
  /// Physical GPUs; nothing: not known.
  [[nodiscard]] std::optional<std::int64_t> cards() const { return cards_; }
  /// For each of GpuNode::rows; nothing: its part of the node is not known, or the price.
  [[nodiscard]] const std::vector<std::optional<HeldRate>>& held() const { return held_; }
  /// GPUs that each of GpuNode::rows has: 0.25 for a quarter of one; nothing: not known.
  [[nodiscard]] std::optional<double> held_cards(std::size_t row) const;
  [[nodiscard]] Money unallocated(Unallocated reason) const {
    return unallocated_[static_cast<std::size_t>(reason)];
  }
  /// GPUs that may be held or free: not all pods were seen, or parts of cards are not known.
  [[nodiscard]] Money unseen() const { return unseen_; }
  /// CPU and memory, where they are charged by themselves (ChargeBy::opencost).
  [[nodiscard]] Money host() const { return host_; }
  [[nodiscard]] HeldRate held_sum() const;
  [[nodiscard]] Money unallocated_sum() const;

  /// What `units` of `pool`, one of the node's, cost an hour; nothing: not known.
  [[nodiscard]] std::optional<Money> rate(const Pool& pool, std::int64_t units) const;
  /// GPUs that `units` of `pool` are: 0.25 for a quarter; nothing: not known.
  [[nodiscard]] std::optional<double> cards_in(const Pool& pool, std::int64_t units) const;

 private:
  /// A row of the node: its part, and its index there.
  struct Place {
    std::size_t part = 0;
    std::size_t row = 0;
  };

  void charge(const GpuNode& facts, const NodeWeights& weights);
  void add(const GpuNode& facts, const NodeLedger& part);
  [[nodiscard]] const NodeLedger& part_of(const Pool& pool) const;

  NodePrice price_;
  ChargeRules rules_;
  std::optional<std::int64_t> cards_;
  Money gpus_;             ///< the part of the price that GPUs are charged with
  std::int64_t base_ = 0;  ///< weight of all GPUs of the node together
  std::int64_t each_ = 0;  ///< weight of one GPU
  std::vector<std::optional<std::int64_t>> row_weights_;
  std::vector<std::optional<HeldRate>> held_;
  std::array<Money, kUnallocated> unallocated_{};
  Money unseen_;
  Money host_;
  // Of a node with several prices alone:
  std::vector<NodeLedger> parts_;
  std::map<const Pool*, std::size_t> parts_of_pools_;
  std::vector<Place> places_;  ///< of each row
};

}  // namespace gpu::cost
