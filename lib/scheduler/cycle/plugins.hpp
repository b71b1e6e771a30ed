#pragma once

#include <array>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/devices/dynamic_resources.hpp"
#include "scheduler/filters/inter_pod_affinity.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "scheduler/filters/node_declared_features.hpp"
#include "scheduler/filters/node_name.hpp"
#include "scheduler/filters/node_ports.hpp"
#include "scheduler/filters/node_resources_fit.hpp"
#include "scheduler/filters/node_unschedulable.hpp"
#include "scheduler/filters/pod_topology_spread.hpp"
#include "scheduler/filters/shared_gpus.hpp"
#include "scheduler/filters/taint_toleration.hpp"
#include "scheduler/volumes/volume_binding.hpp"
#include "scheduler/volumes/volume_limits.hpp"
#include "scheduler/volumes/volume_restrictions.hpp"
#include "scheduler/volumes/volume_zone.hpp"

namespace gpu::scheduler {

/// The filters of the default profile for one pod. Each has before(), which is its PreFilter, and
/// ask(), which checks one node. Refers to the overlay and the pod.
struct PodFilters {
  PodFilters(const Overlay& over, const Pod& of) : overlay(over), pod(of) {}
  PodFilters(const PodFilters&) = delete;  // some refer to others
  PodFilters& operator=(const PodFilters&) = delete;

  const Overlay& overlay;
  const Pod& pod;

  NodeUnschedulable unschedulable{pod};
  NodeName name{pod};
  TaintToleration taints{overlay, pod};
  NodeAffinity affinity{overlay.cluster(), pod};
  NodePorts ports{overlay.cluster(), pod};
  DynamicResources devices{overlay.cluster(), pod, overlay.ended_pods()};
  NodeResourcesFit resources{overlay.cluster(), pod, devices};
  VolumeRestrictions volume_restrictions{overlay.cluster(), pod, overlay.ended_pods()};
  VolumeLimits volume_limits{overlay.cluster(), pod, overlay.ended_pods()};
  VolumeBinding volume_binding{overlay.cluster(), pod};
  VolumeZone volume_zone{overlay.cluster(), pod};
  PodTopologySpread spread{overlay, pod, affinity, taints};
  InterPodAffinity pods{overlay, pod};
  NodeDeclaredFeatures features{overlay.cluster().rules(), pod};
  SharedGpus shared_gpus{overlay.cluster(), pod};
};

/// One filter, as the cycle calls it.
struct Plugin {
  Filter filter{};
  PreFilterResult (*before)(const PodFilters& filters) = nullptr;
  void (*ask)(const PodFilters& filters, const NodeView& node, Findings& findings) = nullptr;
};

/// The row of a filter.
template <auto kMember>
constexpr Plugin plugin(Filter filter) {
  return {.filter = filter,
          .before = [](const PodFilters& filters) -> PreFilterResult {
            return (filters.*kMember).before();
          },
          .ask = [](const PodFilters& filters, const NodeView& node,
                    Findings& findings) { (filters.*kMember).ask(node, findings); }};
}

/// All, one row each, in the order of the default profile: as upstream's plugins/registry.go.
inline constexpr std::array<Plugin, kFilters> kPlugins = {
    plugin<&PodFilters::unschedulable>(Filter::node_unschedulable),
    plugin<&PodFilters::name>(Filter::node_name),
    plugin<&PodFilters::taints>(Filter::taint_toleration),
    plugin<&PodFilters::affinity>(Filter::node_affinity),
    plugin<&PodFilters::ports>(Filter::node_ports),
    plugin<&PodFilters::resources>(Filter::node_resources_fit),
    plugin<&PodFilters::volume_restrictions>(Filter::volume_restrictions),
    plugin<&PodFilters::volume_limits>(Filter::node_volume_limits),
    plugin<&PodFilters::volume_binding>(Filter::volume_binding),
    plugin<&PodFilters::volume_zone>(Filter::volume_zone),
    plugin<&PodFilters::spread>(Filter::pod_topology_spread),
    plugin<&PodFilters::pods>(Filter::inter_pod_affinity),
    plugin<&PodFilters::devices>(Filter::dynamic_resources),
    plugin<&PodFilters::features>(Filter::node_declared_features),
    plugin<&PodFilters::shared_gpus>(Filter::shared_gpus),
};

static_assert(
    [] {
      for (std::size_t i = 0; i < kPlugins.size(); ++i)
        if (kPlugins[i].filter != static_cast<Filter>(i)) return false;
      return true;
    }(),
    "one row for each filter, in their order");

}  // namespace gpu::scheduler
