#include "model/gpu/usual_namespace.hpp"

#include <algorithm>
#include <array>

namespace gpu {
namespace {

/// Kept for themselves by Kubernetes, OpenShift, Google and Rancher.
constexpr std::array<std::string_view, 5> kPrefixes = {"kube-", "openshift-", "gke-managed-",
                                                       "gmp-", "cattle-"};

/// What the makers' charts, manifests and guides say (spec/telemetry A8, B1, C).
constexpr std::array<std::string_view, 31> kNames = {"gpu-operator",
                                                     "nvidia-gpu-operator",
                                                     "gpu-operator-resources",
                                                     "nvidia",
                                                     "nvidia-system",
                                                     "nvidia-device-plugin",
                                                     "dcgm-exporter",
                                                     "amazon-cloudwatch",
                                                     "amd-gpu-operator",
                                                     "amd-gpu",
                                                     "intel-gpu",
                                                     "intel-device-plugins",
                                                     "habana-system",
                                                     "hami-system",
                                                     "hami",
                                                     "volcano-system",
                                                     "neuron-monitor",
                                                     "monitoring",
                                                     "monitoring-system",
                                                     "prometheus",
                                                     "prometheus-operator",
                                                     "prometheus-stack",
                                                     "kube-prometheus",
                                                     "kubeprometheus",
                                                     "thanos",
                                                     "victoria-metrics",
                                                     "victoriametrics",
                                                     "mimir",
                                                     "observability",
                                                     "metrics",
                                                     "telemetry"};

}  // namespace

bool is_usual_namespace(std::string_view ns) {
  const auto begins = [&](std::string_view prefix) { return ns.starts_with(prefix); };
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
         std::find(kNames.begin(), kNames.end(), ns) != kNames.end();
}

}  // namespace gpu
