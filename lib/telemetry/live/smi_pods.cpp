#include "telemetry/live/smi_pods.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {
namespace {

/// Pods that see all GPUs of their node and have the program, or get it from the runtime.
struct Place {
  int rank = 0;
  std::string_view key;
  std::string_view value;
  std::string_view container;  ///< empty: the first
  std::string_view command = "nvidia-smi";
};

constexpr std::array<Place, 8> kPlaces = {{
    {0, "app", "nvidia-driver-daemonset", "nvidia-driver-ctr"},
    {0, "app.kubernetes.io/component", "nvidia-driver", "nvidia-driver-ctr"},
    {1, "app", "nvidia-device-plugin-daemonset", "nvidia-device-plugin"},
    {1, "app.kubernetes.io/name", "nvidia-device-plugin", "nvidia-device-plugin-ctr"},
    {1, "name", "nvidia-device-plugin-ds", "nvidia-device-plugin-ctr"},
    // GKE keeps it out of PATH.
    {2, "k8s-app", "nvidia-gpu-device-plugin", {}, "/usr/local/nvidia/bin/nvidia-smi"},
    {3, "app", "nvidia-dcgm-exporter", "nvidia-dcgm-exporter"},
    {3, "app.kubernetes.io/name", "dcgm-exporter", "exporter"},
}};

}  // namespace

std::optional<RankedSmiPod> smi_pod_of(const Pod& pod) {
  if (pod.node_name.empty() || pod.containers.empty() || !is_answering(pod)) return std::nullopt;
  for (const Place& place : kPlaces) {
    if (value_of(pod.labels, place.key) != place.value) continue;
    const auto named =
        std::find_if(pod.containers.begin(), pod.containers.end(),
                     [&](const Container& each) { return each.name == place.container; });
    const Container& container = named == pod.containers.end() ? pod.containers.front() : *named;
    return RankedSmiPod{
        place.rank, {pod.ns, pod.name, container.name, pod.node_name, std::string(place.command)}};
  }
  return std::nullopt;
}

}  // namespace gpu::telemetry
