#include "diagnose/lifecycle/autoscaler_event.hpp"

#include <algorithm>

#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::diagnose {

std::optional<Autoscaler> autoscaler_of(const Event& event) {
  if (event.reporter.find("cluster-autoscaler") != std::string::npos)
    return Autoscaler::cluster_autoscaler;
  if (event.reporter.find("karpenter") != std::string::npos) return Autoscaler::karpenter;
  return std::nullopt;
}

std::string_view name_of(Autoscaler autoscaler) {
  return autoscaler == Autoscaler::karpenter ? "Karpenter" : "cluster-autoscaler";
}

std::string_view lead_of(Code reason) {
  return reason == Code::node_selector_mismatch ? "no node has the labels that it selects"
                                                : "no node has room";
}

bool asks_for_gpus(const Pod& pod) {
  const ResourceList requests = effective_requests(pod);
  return std::any_of(requests.begin(), requests.end(), [](const auto& each) {
    return each.second.value() > 0 && gpu_resource(each.first);
  });
}

}  // namespace gpu::diagnose
