#include "cost/ledger/node_weights.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "model/snapshot/gpu_fraction.hpp"

namespace gpu::cost {
namespace {

/// Above these a node is not believed: no machine has a million GPUs, or GPUs cut so fine.
constexpr std::int64_t kMostUnits = 1'000'000;
constexpr std::int64_t kFinest = 1'000'000'000;

/// What a pod needs at the least to start beside its GPUs.
constexpr std::int64_t kLeastMilliCpu = 1000;
constexpr std::int64_t kLeastMemory = std::int64_t{1} << 30;

bool is_annotated(const Pool& pool) {
  return pool.sharing.strategy == SharingStrategy::hami ||
         pool.sharing.strategy == SharingStrategy::volcano;
}

Unallocated unallocated_of(Unavailable reason) {
  switch (reason) {
    case Unavailable::cordoned:
    case Unavailable::node_leaving:
    case Unavailable::node_tainted:
      return Unallocated::cordoned;
    case Unavailable::too_many_pods:
      return Unallocated::stranded;
    case Unavailable::card_in_use:
      return Unallocated::geometry;
    case Unavailable::none:
    case Unavailable::managed_by_dra:
      return Unallocated::free;
    case Unavailable::node_not_ready:
    case Unavailable::device_plugin_missing:
    case Unavailable::device_plugin_unhealthy:
    case Unavailable::gpu_unhealthy:
    case Unavailable::device_tainted:
    case Unavailable::pool_incomplete:
      break;
  }
  return Unallocated::unhealthy;
}

/// How many more pods `left` of a resource is enough for.
std::int64_t pods_for(const GpuNode& facts, std::string_view resource, std::int64_t least) {
  const Quantity* there = facts.node->allocatable.find(resource);
  if (there == nullptr) return kMostUnits;  // nobody says how much there is
  const Quantity taken =
      facts.sums == nullptr ? Quantity{} : amount_of(facts.sums->requested, resource);
  const Quantity left = *there - taken;
  const std::int64_t amount = resource == "cpu" ? left.milli_value() : left.value();
  return std::max<std::int64_t>(0, amount / least);
}

/// Of `free` units those for which the node has CPU and memory left.
std::int64_t startable(const GpuNode& facts, std::int64_t free) {
  if (facts.node == nullptr) return free;
  return std::min(
      {free, pods_for(facts, "cpu", kLeastMilliCpu), pods_for(facts, "memory", kLeastMemory)});
}

/// A part of a GPU in thousandths.
constexpr std::int64_t kWhole = 1000;

/// Whether the pod shares one GPU with others, and says by annotation how much of it is its own.
bool is_by_fraction(const usage::PodUsage& row) {
  return row.pod != nullptr && gpu_fraction(*row.pod) && gpu_groups(*row.pod).size() == 1;
}

/// What part of its GPU the pod requested; nothing where the size of the GPU is not known.
std::optional<std::int64_t> requested_part(const GpuNode& facts, const Pod& pod) {
  const std::optional<Quantity> mib =
      facts.node == nullptr ? std::nullopt
                            : Quantity::parse(value_of(facts.node->labels, kGpuMemoryLabel));
  return thousandths_of(*gpu_fraction(pod),
                        mib ? std::optional<std::int64_t>(mib->value()) : std::nullopt);
}

/// The weight of a GPU with which all parts of the pools weigh whole numbers.
std::int64_t weight_of_card(const GpuNode& facts, MigBy mig_by) {
  std::int64_t each = 1;
  for (const Pool* pool : facts.pools) {
    const std::optional<CardPart> part = unit_part(*pool, mig_by);
    const std::int64_t finer = is_annotated(*pool) ? 1000 : part ? part->of : 1;
    if (finer > kFinest) continue;
    const std::int64_t both = std::lcm(each, finer);
    if (both <= kFinest) each = both;
  }
  // Pods that share a claim pay for the same part each.
  for (const usage::PodUsage* row : facts.rows) {
    const std::int64_t sharers = std::max<std::int64_t>(1, usage::shared_by(*row));
    const std::int64_t finer = is_by_fraction(*row) ? std::lcm(sharers, kWhole) : sharers;
    const std::int64_t both = finer > kFinest ? kFinest + 1 : std::lcm(each, finer);
    if (both <= kFinest) each = both;
  }
  return each;
}

class Weigher {
 public:
  Weigher(const GpuNode& facts, MigBy mig_by) : facts_(facts), mig_by_(mig_by) {
    weights_.each = weight_of_card(facts, mig_by);
    weights_.rows.resize(facts.rows.size());
  }

  NodeWeights weigh(std::int64_t cards, std::int64_t bought) {
    for (const Pool* pool : facts_.pools) {
      if (pool->is_second_view) {
        has_other_names_ = has_other_names_ || pool->allocated.value_or(0) > 0;
        continue;
      }
      is_annotated(*pool) ? add_annotated(*pool) : add(*pool);
    }
    const std::int64_t all = capped_product(std::min(cards, kMostUnits), weights_.each);
    add_rest(std::max<std::int64_t>(0, all - weights_.sum()));
    // Who holds them under another name is not added to those who hold them under the first.
    if (has_other_names_) weights_.unseen += std::exchange(at(Unallocated::free), 0);
    const std::int64_t missing = std::clamp<std::int64_t>(bought - cards, 0, kMostUnits);
    at(Unallocated::unhealthy) += capped_product(missing, weights_.each);
    return std::move(weights_);
  }

 private:
  std::int64_t& at(Unallocated reason) {
    return weights_.unallocated[static_cast<std::size_t>(reason)];
  }

  [[nodiscard]] std::optional<std::int64_t> weight(const Pool& pool, std::int64_t units) const {
    return weight_of(pool, units, weights_.each, mig_by_);
  }

  /// Every unit of the pool weighs the same.
  void add(const Pool& pool) {
    const std::int64_t total = pool.total.value_or(0);
    if (!weight(pool, total)) {
      has_unknown_ = true;
      return;
    }
    const std::int64_t held = add_rows(pool);
    const std::int64_t free = pool.free.value_or(0);
    // Whoever holds what: those that are not advertised nobody can have.
    const std::int64_t lost =
        pool.expected ? total - std::max({pool.capacity, pool.allocatable, held}) : 0;
    const std::int64_t unavailable = pool.unavailable.value_or(std::max<std::int64_t>(0, lost));
    const std::int64_t ready = startable(facts_, free);
    at(Unallocated::free) += weight(pool, ready).value_or(0);
    at(Unallocated::stranded) += weight(pool, free - ready).value_or(0);
    at(pool.unavailable ? unallocated_of(pool.reason) : Unallocated::unhealthy) +=
        weight(pool, unavailable).value_or(0);
    const std::int64_t rest = total - held - free - unavailable;
    weights_.unseen += weight(pool, std::max<std::int64_t>(0, rest)).value_or(0);
  }

  /// The units that rows hold of the pool. Several pods share what one claim holds evenly.
  std::int64_t add_rows(const Pool& pool) {
    std::int64_t held = 0;
    std::map<const Holding*, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < facts_.rows.size(); ++i)
      if (facts_.rows[i]->pool == &pool) rows[facts_.rows[i]->holding].push_back(i);
    for (const auto& [holding, its] : rows) {
      held = capped_sum(held, holding->units);
      const std::int64_t whole = weight(pool, holding->units).value_or(0);
      const auto count = static_cast<std::int64_t>(its.size());
      for (std::int64_t i = 0; i < count; ++i)
        weights_.rows[its[static_cast<std::size_t>(i)]] = whole / count + (i < whole % count);
    }
    share_by_fraction(pool);
    return held;
  }

  /// Pods that share a GPU by annotation pay for all of it, each in proportion to what it
  /// requested: nobody else can have the rest.
  void share_by_fraction(const Pool& pool) {
    std::map<std::string_view, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < facts_.rows.size(); ++i)
      if (facts_.rows[i]->pool == &pool && is_by_fraction(*facts_.rows[i]))
        groups[gpu_groups(*facts_.rows[i]->pod).front()].push_back(i);
    for (const auto& [group, rows] : groups) {
      std::vector<std::int64_t> parts;
      for (const std::size_t i : rows)
        if (const auto part = requested_part(facts_, *facts_.rows[i]->pod); part && *part > 0)
          parts.push_back(*part);
      if (parts.size() == rows.size()) share(rows, parts);
    }
  }

  /// Splits what `rows` weigh together by `parts`.
  void share(const std::vector<std::size_t>& rows, const std::vector<std::int64_t>& parts) {
    Int128 whole = 0;
    for (const std::size_t i : rows) whole += weights_.rows[i].value_or(0);
    const Int128 all = std::accumulate(parts.begin(), parts.end(), Int128{0});
    Int128 done = 0;
    Int128 given = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      done += parts[i];
      const Int128 upto = whole * done / all;
      weights_.rows[rows[i]] = static_cast<std::int64_t>(upto - given);
      given = upto;
    }
  }

  /// What pods have of each card stands in their annotations; what is left is free where a pod
  /// could still start.
  void add_annotated(const Pool& pool) {
    std::int64_t held = 0;
    for (std::size_t i = 0; i < facts_.rows.size(); ++i) {
      const usage::PodUsage& row = *facts_.rows[i];
      if (row.pool != &pool) continue;
      weights_.rows[i] = annotated_weight(pool, row);
      if (!weights_.rows[i]) has_unknown_ = true;
      held = capped_sum(held, weights_.rows[i].value_or(0));
    }
    const std::int64_t all = capped_product(pool.cards.value_or(0), weights_.each);
    const std::int64_t rest = std::max<std::int64_t>(0, all - held);
    const bool is_open = pool.free.value_or(0) > 0;
    if (!pool.free || has_unknown_)
      weights_.unseen += rest;
    else
      at(is_open ? Unallocated::free : unallocated_of(pool.reason)) += rest;
  }

  [[nodiscard]] std::optional<std::int64_t> annotated_weight(const Pool& pool,
                                                             const usage::PodUsage& row) const {
    std::optional<CardPart> part;
    if (row.pod != nullptr && facts_.node != nullptr)
      part = annotated_part(*facts_.node, pool, *row.pod);
    if (!part) return weight(pool, row.holding->units);
    return capped_product(part->parts, weights_.each / part->of);
  }

  /// Parts of cards that stand in no pool: not cut into slices, or of a pool that cannot be
  /// weighed; else cards that are not advertised any more.
  void add_rest(std::int64_t rest) {
    const bool is_cut = std::any_of(facts_.pools.begin(), facts_.pools.end(), [](const Pool* pool) {
      return pool->kind.kind == DeviceKind::mig_slice || pool->kind.kind == DeviceKind::partition;
    });
    if (has_unknown_)
      weights_.unseen += rest;
    else
      at(is_cut ? Unallocated::geometry : Unallocated::unhealthy) += rest;
  }

  const GpuNode& facts_;
  MigBy mig_by_;
  NodeWeights weights_;
  bool has_unknown_ = false;
  bool has_other_names_ = false;
};

}  // namespace

std::int64_t NodeWeights::sum() const {
  std::int64_t all = unseen;
  for (const auto& row : rows) all = capped_sum(all, row.value_or(0));
  for (const std::int64_t weight : unallocated) all = capped_sum(all, weight);
  return all;
}

NodeWeights node_weights(const GpuNode& facts, std::int64_t cards, std::int64_t bought,
                         MigBy mig_by) {
  return Weigher(facts, mig_by).weigh(cards, bought);
}

std::optional<std::int64_t> weight_of(const Pool& pool, std::int64_t units, std::int64_t each,
                                      MigBy mig_by) {
  const std::optional<CardPart> part = unit_part(pool, mig_by);
  if (!part || each % part->of != 0 || units > kMostUnits) return std::nullopt;
  return capped_product(capped_product(units, part->parts), each / part->of);
}

}  // namespace gpu::cost
