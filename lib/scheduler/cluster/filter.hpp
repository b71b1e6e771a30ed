#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpu::scheduler {

/// What can rule a node out: the filter plugins in the order in which kube-scheduler's default
/// profile runs them, and filters of other schedulers. scheduler/cycle/plugins.hpp says what each
/// does.
enum class Filter : std::uint8_t {
  node_unschedulable,
  node_name,
  taint_toleration,
  node_affinity,
  node_ports,
  node_resources_fit,
  volume_restrictions,
  node_volume_limits,
  volume_binding,
  volume_zone,
  pod_topology_spread,
  inter_pod_affinity,
  dynamic_resources,
  node_declared_features,
  shared_gpus,  ///< HAMi's extender, and KAI: not a plugin, and runs last
};

/// Their names in kube-scheduler, in the same order; the last name is kubectl-gpu's own.
inline constexpr auto kFilterNames = std::to_array<std::string_view>({
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
    "NodeDeclaredFeatures",
    "SharedGpus",
});

/// How many there are.
inline constexpr std::size_t kFilters = kFilterNames.size();

/// The plugin's name: "NodeUnschedulable", "NodeResourcesFit".
constexpr std::string_view name_of(Filter filter) {
  return kFilterNames[static_cast<std::size_t>(filter)];
}

/// The scheduler's status of a node, or of a pod, that a filter refused.
enum class Rejection : std::uint8_t {
  unschedulable,  ///< ending other pods may help
  unresolvable,   ///< UnschedulableAndUnresolvable: it cannot
};

/// One reason for which one filter refuses a node. A filter may have several at once.
struct FilterFailure {
  Filter filter{};
  Rejection rejection{};
  std::uint16_t reason = 0;  ///< place of the scheduler's text in Verdict::reasons
  friend auto operator<=>(const FilterFailure&, const FilterFailure&) = default;
};

}  // namespace gpu::scheduler
