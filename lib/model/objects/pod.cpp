#include "model/objects/pod.hpp"

#include <algorithm>
#include <array>

namespace gpu {

bool is_finished(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

bool is_refused_by_kubelet(const Pod& pod) {
  static constexpr std::array<std::string_view, 5> kReasons = {
      "UnexpectedAdmissionError", "TopologyAffinityError", "NodeAffinity", "NodeName",
      "AdmissionFailed"};
  return pod.phase == "Failed" &&
         (pod.reason.starts_with("OutOf") ||
          std::find(kReasons.begin(), kReasons.end(), pod.reason) != kReasons.end());
}

bool is_device_annotation(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kPrefixes = {
      "hami.io/", "volcano.sh/", "ALIYUN_COM_GPU_", "scheduler.framework.gpushare.allocation",
      "gpu-fraction"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace gpu
