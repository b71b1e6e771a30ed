#pragma once

#include <vector>

#include "cost/forecast/machine_offer.hpp"
#include "cost/forecast/named_machines.hpp"
#include "model/objects/karpenter.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// The machines of the built-in table that Karpenter's NodePools may create for the pod: both may
/// require labels, which are compared as far as the table has them, and taints count.
std::vector<FutureMachine> karpenter_machines(const Pod& pod,
                                              const std::vector<KarpenterNodePool>& pools,
                                              const MachineMarket& market);

}  // namespace gpu::cost
