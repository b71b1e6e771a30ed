#include "scheduler/cluster/filter.hpp"

namespace gpu::scheduler {

std::string_view name_of(Filter filter) {
  switch (filter) {
    case Filter::node_unschedulable:
      return "NodeUnschedulable";
    case Filter::node_name:
      return "NodeName";
    case Filter::taint_toleration:
      return "TaintToleration";
    case Filter::node_affinity:
      return "NodeAffinity";
    case Filter::node_ports:
      return "NodePorts";
    case Filter::node_resources_fit:
      return "NodeResourcesFit";
    case Filter::volume_restrictions:
      return "VolumeRestrictions";
    case Filter::node_volume_limits:
      return "NodeVolumeLimits";
    case Filter::volume_binding:
      return "VolumeBinding";
    case Filter::volume_zone:
      return "VolumeZone";
    case Filter::pod_topology_spread:
      return "PodTopologySpread";
    case Filter::inter_pod_affinity:
      return "InterPodAffinity";
    case Filter::dynamic_resources:
      return "DynamicResources";
    case Filter::node_declared_features:
      return "NodeDeclaredFeatures";
  }
  return {};
}

}  // namespace gpu::scheduler
