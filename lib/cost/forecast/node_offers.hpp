#pragma once

#include <vector>

#include "cost/forecast/machine_offer.hpp"
#include "cost/ledger/ledger.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// What the pod costs on the nodes of the cluster that could take it: by nodeSelector, required
/// node affinity, taints that people set, and what a node has in all. What is free there now, and
/// whether it is well or cordoned, does not matter. Nodes of one type and price together, the
/// cheapest first.
std::vector<MachineOffer> node_offers(const Pod& pod, const std::vector<GpuRequest>& gpus,
                                      const Ledger& ledger, const PriceBook& prices);

}  // namespace gpu::cost
