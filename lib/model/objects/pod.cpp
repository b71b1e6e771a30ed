#include "model/objects/pod.hpp"

#include <algorithm>
#include <array>

namespace gpu {

bool is_finished(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

bool is_refused_by_kubelet(const Pod& pod) {
  // All that the kubelet refuses begins so since 1.22; reasons alone tell of older ones.
  constexpr std::string_view kRejected = "Pod was rejected";
  static constexpr auto kReasons = std::to_array<std::string_view>(
      {"UnexpectedAdmissionError", "TopologyAffinityError", "SMTAlignmentError", "NodeAffinity",
       "NodeName", "NodePorts", "TaintToleration", "SysctlForbidden", "PodOSNotSupported",
       "PodOSSelectorNodeLabelDoesNotMatch", "AppArmor", "NodeShutdown",
       "VolumeAttachmentLimitExceeded", "AdmissionFailed"});
  return pod.phase == "Failed" &&
         (pod.message.starts_with(kRejected) || pod.reason.starts_with("OutOf") ||
          std::find(kReasons.begin(), kReasons.end(), pod.reason) != kReasons.end());
}

bool is_device_annotation(std::string_view name) {
  static constexpr auto kPrefixes = std::to_array<std::string_view>({
      "hami.io/",
      "volcano.sh/",
      "ALIYUN_COM_GPU_",
      "scheduler.framework.gpushare.allocation",
      "gpu-fraction",
      // Requests by annotation, and the group and queue that a scheduler of groups reads there.
      "gpu-memory",
      "run.ai/reserve_for_gpu_index",
      "nvidia.com/gpumem",
      "nvidia.com/gpucores",
      "nvidia.com/use-gpu",
      "nvidia.com/nouse-gpu",
      "pod-group-name",
      "scheduling.k8s.io/group-name",
      "scheduling.volcano.sh/",
      "yunikorn.apache.org/",
      "cluster-autoscaler.kubernetes.io/safe-to-evict",
      "karpenter.sh/do-not-disrupt",
  });
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace gpu
