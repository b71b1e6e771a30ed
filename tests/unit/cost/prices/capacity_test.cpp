#include "cost/prices/capacity.hpp"

#include <catch2/catch.hpp>

namespace gpu::cost::prices_capacity_test {
namespace {

std::string told(const StringMap& labels) {
  const Capacity capacity = capacity_of(labels);
  std::string text(name_of(capacity.type));
  if (!capacity.evidence.empty()) text += " by " + capacity.evidence;
  if (!capacity.contradicted_by.empty()) text += " against " + capacity.contradicted_by;
  return text;
}

}  // namespace

TEST_CASE("each label that says how a node is bought") {
  struct Row {
    const char* key;
    const char* value;
    const char* type;
  };
  for (const auto& [key, value, type] : {
           Row{"karpenter.sh/capacity-type", "spot", "spot"},
           Row{"karpenter.sh/capacity-type", "on-demand", "on-demand"},
           Row{"karpenter.sh/capacity-type", "reserved", "reserved"},
           Row{"karpenter.k8s.aws/capacity-reservation-id", "cr-56fac701cc1951b03", "reserved"},
           Row{"karpenter.k8s.aws/capacity-reservation-type", "capacity-block", "reserved"},
           Row{"eks.amazonaws.com/capacityType", "SPOT", "spot"},
           Row{"eks.amazonaws.com/capacityType", "spot", "spot"},
           Row{"eks.amazonaws.com/capacityType", "ON_DEMAND", "on-demand"},
           Row{"eks.amazonaws.com/capacityType", "CAPACITY_BLOCK", "reserved"},
           Row{"cloud.google.com/gke-spot", "true", "spot"},
           Row{"cloud.google.com/gke-preemptible", "true", "spot"},
           Row{"cloud.google.com/gke-provisioning", "spot", "spot"},
           Row{"cloud.google.com/gke-provisioning", "preemptible", "spot"},
           Row{"cloud.google.com/gke-provisioning", "standard", "on-demand"},
           Row{"kubernetes.azure.com/scalesetpriority", "spot", "spot"},
           Row{"oci.oraclecloud.com/oke-is-preemptible", "true", "spot"},
           Row{"node.kubernetes.io/lifecycle", "spot", "spot"},
           Row{"node.kubernetes.io/lifecycle", "normal", "on-demand"},
           Row{"kops.k8s.io/instancegroup", "spotinstance-nodes", "spot"},
       })
    CHECK(told({{key, value}}) == std::string(type) + " by " + key + "=" + value);
}

TEST_CASE("without such a label a node is taken for on-demand") {
  CHECK(told({}) == "on-demand");
  CHECK(told({{"cloud.google.com/gke-spot", "false"}}) == "on-demand");
  CHECK(told({{"kops.k8s.io/instancegroup", "gpu-nodes"}}) == "on-demand");
  CHECK(told({{"karpenter.sh/capacity-type", ""}}) == "on-demand");
}

TEST_CASE("spot wins over what says otherwise, and a reservation over on-demand") {
  CHECK(told({{"karpenter.sh/capacity-type", "on-demand"},
              {"node.kubernetes.io/lifecycle", "spot"}}) ==
        "spot by node.kubernetes.io/lifecycle=spot against karpenter.sh/capacity-type=on-demand");
  CHECK(
      told({{"karpenter.sh/capacity-type", "spot"}, {"node.kubernetes.io/lifecycle", "normal"}}) ==
      "spot by karpenter.sh/capacity-type=spot against node.kubernetes.io/lifecycle=normal");
  CHECK(told({{"karpenter.sh/capacity-type", "spot"}, {"node.kubernetes.io/lifecycle", "spot"}}) ==
        "spot by karpenter.sh/capacity-type=spot");
  CHECK(told({{"karpenter.sh/capacity-type", "on-demand"},
              {"karpenter.k8s.aws/capacity-reservation-id", "cr-5"}}) ==
        "reserved by karpenter.k8s.aws/capacity-reservation-id=cr-5");
}

}  // namespace gpu::cost::prices_capacity_test
