#pragma once

#include <vector>

#include "cost/forecast/machine_offer.hpp"
#include "cost/ledger/ledger.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// The cost of the pod on each node of the cluster that could fit it, by nodeSelector, required
/// node affinity, taints that people set, and the node's total resources. Ignores what is free now,
/// and whether the node is healthy or cordoned. Nodes of one type and price are one offer; the
/// cheapest is first.
std::vector<MachineOffer> node_offers(const Pod& pod, const std::vector<GpuRequest>& gpus,
                                      const Ledger& ledger, const PriceBook& prices);

}  // namespace gpu::cost
