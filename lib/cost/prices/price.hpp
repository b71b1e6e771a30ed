#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/flat_map.hpp"
#include "base/money.hpp"
#include "base/time.hpp"
#include "cost/prices/capacity.hpp"

namespace gpu::cost {

/// Which rule gave a price, the most exact first. The first rule with a price wins.
enum class PriceSource : std::uint8_t {
  flag,          ///< --price
  file,          ///< --prices: by node, then labels, instance type, model
  annotation,    ///< of the node
  table,         ///< built in: provider, instance type and region
  other_region,  ///< built in: the same type in another region
  model,         ///< built in: the median of all providers for one GPU of the model
  none,          ///< the price is not known
};

/// "flag", "file", "annotation", "table", "other-region", "model", "none".
std::string_view name_of(PriceSource source);

/// The price of a node for an hour.
struct NodePrice {
  std::optional<Money> per_hour;  ///< of the whole node; nothing: not known
  /// GPUs that the price is for, where the built-in table has the instance type: more than the node
  /// has when one has failed.
  std::optional<std::int64_t> cards;
  PriceSource source = PriceSource::none;
  std::string rule;  ///< "prices.yaml:12", "--price H100=2.5", "aws p5.48xlarge us-east-1"
  std::optional<Time>
      as_of;                 ///< midnight of the day that the price is of; unknown for undated ones
  bool is_estimate = false;  ///< another region's, or a median
  bool is_upper_bound = false;  ///< of spot capacity whose price is not known: the on-demand price
  Capacity capacity;
};

/// The facts by which prices are found. Refers to the node.
struct PricedNode {
  std::string_view name;
  const StringMap* labels = nullptr;       ///< never null
  const StringMap* annotations = nullptr;  ///< null: none
  std::string_view provider_id;            ///< spec.providerID
  std::string_view product;  ///< of its GPUs, as labelled, or a model's name; empty: not known
  std::optional<std::int64_t> memory_mib;  ///< of one GPU, where it is known
  std::optional<std::int64_t> cards;       ///< physical GPUs that the node has
};

}  // namespace gpu::cost
