#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/flat_map.hpp"
#include "base/money.hpp"
#include "base/time.hpp"
#include "cost/forecast/pod_request.hpp"
#include "cost/ledger/card_part.hpp"
#include "cost/prices/price_book.hpp"

namespace gpu::cost {

/// What one pod costs an hour on machines of one type.
struct MachineOffer {
  std::string type;        ///< "p5.48xlarge"; empty: no label says it
  std::string model;       ///< "H100-80G"; empty: not known
  std::int64_t nodes = 0;  ///< of the cluster; 0: it has none yet
  CapacityType capacity = CapacityType::on_demand;
  std::optional<Money> hour;       ///< nothing: the price is not known
  std::optional<Money> spot_hour;  ///< as spot capacity; nothing: not known, or it is that already
  std::optional<double> cards;     ///< physical GPUs that the pod has; nothing: not known
  PriceSource source = PriceSource::none;
  std::string price_rule;  ///< as NodePrice::rule
  std::optional<Time> as_of;
  bool is_estimate = false;
  bool is_upper_bound = false;
};

/// A machine that is not there.
struct FutureMachine {
  StringMap labels;         ///< that it would have
  std::string provider_id;  ///< its scheme alone: "aws://"
  std::string product;      ///< of its GPUs; empty: not known
  std::int64_t cards = 0;   ///< physical GPUs; 0: as many as the pod needs
};

/// What a pod with this request costs on it.
MachineOffer offer_on(const FutureMachine& machine, const std::vector<GpuRequest>& gpus,
                      const PriceBook& prices, MigBy mig_by);

/// What `hour` on the node would be as spot capacity, if that price is known.
std::optional<Money> spot_hour_of(Money hour, const PricedNode& node, const NodePrice& price,
                                  const PriceBook& prices);

/// `labels` of a node that is bought in this way.
StringMap with_capacity(const StringMap& labels, CapacityType type);

}  // namespace gpu::cost
