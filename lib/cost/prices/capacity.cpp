#include "cost/prices/capacity.hpp"

#include <array>

#include "base/ascii.hpp"

namespace gpu::cost {
namespace {

/// A label, a value of it, and what that means; an empty value is any.
struct CapacityLabel {
  std::string_view key;
  std::string_view value;
  CapacityType type;
};

constexpr std::array kCapacityLabels = {
    CapacityLabel{"karpenter.sh/capacity-type", "spot", CapacityType::spot},
    CapacityLabel{"karpenter.sh/capacity-type", "on-demand", CapacityType::on_demand},
    CapacityLabel{"karpenter.sh/capacity-type", "reserved", CapacityType::reserved},
    CapacityLabel{"karpenter.k8s.aws/capacity-reservation-id", "", CapacityType::reserved},
    CapacityLabel{"karpenter.k8s.aws/capacity-reservation-type", "", CapacityType::reserved},
    CapacityLabel{"eks.amazonaws.com/capacityType", "SPOT", CapacityType::spot},
    CapacityLabel{"eks.amazonaws.com/capacityType", "ON_DEMAND", CapacityType::on_demand},
    CapacityLabel{"eks.amazonaws.com/capacityType", "CAPACITY_BLOCK", CapacityType::reserved},
    CapacityLabel{"cloud.google.com/gke-spot", "true", CapacityType::spot},
    CapacityLabel{"cloud.google.com/gke-preemptible", "true", CapacityType::spot},
    CapacityLabel{"cloud.google.com/gke-provisioning", "spot", CapacityType::spot},
    CapacityLabel{"cloud.google.com/gke-provisioning", "preemptible", CapacityType::spot},
    CapacityLabel{"cloud.google.com/gke-provisioning", "standard", CapacityType::on_demand},
    CapacityLabel{"kubernetes.azure.com/scalesetpriority", "spot", CapacityType::spot},
    CapacityLabel{"oci.oraclecloud.com/oke-is-preemptible", "true", CapacityType::spot},
    CapacityLabel{"node.kubernetes.io/lifecycle", "spot", CapacityType::spot},
    CapacityLabel{"node.kubernetes.io/lifecycle", "normal", CapacityType::on_demand},
    CapacityLabel{"kops.k8s.io/instancegroup", "spotinstance-nodes", CapacityType::spot},
};

/// The value of a row's label where it says what the row says; else null.
const std::string* value_for(const StringMap& labels, const CapacityLabel& row) {
  const std::string* const value = labels.find(row.key);
  if (value == nullptr || value->empty()) return nullptr;
  return row.value.empty() || equal_ignoring_case(*value, row.value) ? value : nullptr;
}

/// Spot costs the least, so it must not be missed; a reservation says more than "on demand".
int rank(CapacityType type) {
  return type == CapacityType::spot ? 2 : type == CapacityType::reserved ? 1 : 0;
}

}  // namespace

std::string_view name_of(CapacityType type) {
  switch (type) {
    case CapacityType::on_demand:
      return "on-demand";
    case CapacityType::spot:
      return "spot";
    case CapacityType::reserved:
      return "reserved";
  }
  return {};
}

Capacity capacity_of(const StringMap& labels) {
  Capacity found;
  std::string other;  // the first label that does not say spot
  for (const CapacityLabel& row : kCapacityLabels) {
    const std::string* const value = value_for(labels, row);
    if (value == nullptr) continue;
    const std::string label = std::string(row.key) + "=" + *value;
    if (row.type != CapacityType::spot && other.empty()) other = label;
    if (!found.evidence.empty() && rank(row.type) <= rank(found.type)) continue;
    found.type = row.type;
    found.evidence = label;
  }
  if (found.type == CapacityType::spot) found.contradicted_by = other;
  return found;
}

}  // namespace gpu::cost
