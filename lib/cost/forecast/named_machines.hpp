#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/forecast/machine_offer.hpp"
#include "model/objects/pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cost {

/// The market in which machines that do not exist yet would be bought.
struct MachineMarket {
  std::string provider;  ///< "aws"; empty: not known
  std::string region;    ///< of most nodes of the cluster; empty: not known
};

/// The provider and the region of most nodes of the cluster.
MachineMarket market_of(const Snapshot& snapshot);

/// Which machines a price is based on, if no node fits the pod.
enum class MachineBasis : std::uint8_t {
  nodes,           ///< of the cluster
  node_pools,      ///< Karpenter's: what they may create
  instance_types,  ///< that the manifest names
  model,           ///< instance types with GPUs of the model that the manifest names
  nothing,         ///< it names none: prices for any GPU alone
};

/// "nodes", "nodePools", "instanceTypes", "model", "nothing".
std::string_view name_of(MachineBasis basis);

/// Machines, and how they were found.
struct FutureMachines {
  MachineBasis basis = MachineBasis::nothing;
  std::vector<FutureMachine> machines;
};

/// The machines that nodeSelector and required node affinity name: by instance type, otherwise all
/// types of the market with the GPU model that they name. At least one machine.
FutureMachines named_machines(const Pod& pod, const MachineMarket& market);

}  // namespace gpu::cost
