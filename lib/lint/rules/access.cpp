#include <fmt/format.h>

#include <array>

#include "lint/rules/rules.hpp"

namespace gpu::lint {
namespace {

constexpr auto kRules = std::to_array<Rule>({
    {"gpu-privileged", Severity::warning, "a privileged container sees every GPU of its node",
     "Whatever it was given, it can use the GPUs of other pods. Leave privileged out: a GPU needs "
     "no privilege.",
     "https://github.com/NVIDIA/k8s-device-plugin/issues/1294"},
    {"gpu-device-mounted", Severity::warning, "the pod mounts a GPU's device file from its node",
     "The scheduler does not know of it: other pods hold the same GPU. Request nvidia.com/gpu; the "
     "device plugin brings the device files.",
     "https://github.com/NVIDIA/k8s-device-plugin#running-gpu-jobs"},
    {"runtime-class-nvidia", Severity::advice, "the pod names a RuntimeClass",
     "A pod whose RuntimeClass does not exist is refused. It is needed only where nvidia is not "
     "the default runtime and CDI is off: k3s, RKE2, k0s, microk8s, or a GPU Operator before "
     "25.10.",
     "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/cdi.html"},
});

enum RuleAt : std::size_t { kPrivileged, kMounted, kRuntimeClass };

}  // namespace

std::span<const Rule> access_rules() { return kRules; }

void check_access(const PodSubject& pod, Findings& findings) {
  const std::int64_t gpus = gpus_of(pod);
  for_each_container(pod, [&](const ContainerSubject& each) {
    if (gpus_of(each) == 0 || devices_of(each, "google.com/tpu")) return;
    const Pointer field("/securityContext/privileged");
    if (value_at(each.container, field) == true)
      findings.add(kRules[kPrivileged], each.at / field,
                   "a privileged container sees every GPU of its node",
                   "leave out privileged, if it needs nothing else of the node");
  });
  // What serves a node's GPUs has to see them.
  const bool is_of_node = pod.owner.name.kind == "DaemonSet";
  if (const json& volumes = value_at(pod.spec, Pointer("/volumes"));
      volumes.is_array() && !is_of_node)
    for (std::size_t i = 0; i < volumes.size(); ++i)
      if (const std::string_view path = text_at(volumes[i], "/hostPath/path");
          path.starts_with("/dev/nvidia") || path == "/dev/dri" || path == "/dev/kfd")
        findings.add(
            kRules[kMounted], pod.spec_at / "volumes" / i / "hostPath" / "path",
            fmt::format("{} of the node is mounted, which the scheduler does not know of", path),
            "request the GPU instead of it");
  if (const std::string_view name = text_at(pod.spec, "/runtimeClassName");
      gpus > 0 && name.starts_with("nvidia"))
    findings.add(kRules[kRuntimeClass], pod.spec_at / "runtimeClassName",
                 fmt::format("the pod is refused where there is no RuntimeClass {}", name),
                 "leave it out where nvidia is the default runtime, or CDI is on");
}

}  // namespace gpu::lint
