#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/flat_map.hpp"

namespace gpu::cost {

/// How a machine is bought: it decides the price. Reserved capacity is priced as on-demand.
enum class CapacityType : std::uint8_t { on_demand, spot, reserved };

/// "on-demand", "spot", "reserved".
std::string_view name_of(CapacityType type);

/// The capacity type of a node, and how it is known.
struct Capacity {
  CapacityType type = CapacityType::on_demand;
  std::string evidence;  ///< "karpenter.sh/capacity-type=spot"; empty: no label says, assumed
  std::string contradicted_by;  ///< a label that says otherwise; spot wins. Usually empty.
};

/// By the labels of Karpenter, EKS, GKE, AKS, OKE and the habit node.kubernetes.io/lifecycle.
Capacity capacity_of(const StringMap& labels);

}  // namespace gpu::cost
