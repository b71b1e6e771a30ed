#include "diagnose/answer/code.hpp"

#include <algorithm>
#include <array>

namespace gpu::diagnose {
namespace {

/// In the order of the enum.
constexpr std::array<std::string_view, 49> kNames = {
    "insufficient-gpus",
    "insufficient-extended-resource",
    "gpus-scattered",
    "request-exceeds-every-node",
    "resource-not-advertised",
    "resource-name-unknown",
    "resource-renamed",
    "mig-mismatch",
    "device-plugin-missing",
    "device-plugin-unhealthy",
    "driver-missing",
    "gpu-unhealthy",
    "untolerated-taint",
    "node-selector-mismatch",
    "cordoned",
    "node-not-ready",
    "insufficient-cpu",
    "insufficient-memory",
    "insufficient-storage",
    "too-many-pods",
    "port-taken",
    "volume-unbound",
    "volume-zone",
    "volume-limit",
    "volume-in-use",
    "rollout-surge",
    "topology-spread",
    "pod-affinity",
    "pod-anti-affinity",
    "claim-missing",
    "device-class-missing",
    "claim-unsatisfiable",
    "scheduling-gated",
    "held-by-queue",
    "gang-waiting",
    "quota-exceeded",
    "quota-needs-requests",
    "limit-range",
    "admission-rejected",
    "unknown-scheduler",
    "preemption-pending",
    "autoscaler-limit",
    "autoscaler-no-match",
    "kubelet-rejected",
    "runtime-missing",
    "image-pull",
    "volume-attach",
    "starting",
    "not-modelled",
};

constexpr auto kCodes = [] {
  std::array<Code, kNames.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Code>(i);
  return all;
}();
static_assert(kCodes.back() == Code::not_modelled);

}  // namespace

std::string_view name_of(Code code) { return kNames[static_cast<std::size_t>(code)]; }

std::optional<Code> code_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return kCodes[static_cast<std::size_t>(found - kNames.begin())];
}

std::span<const Code> codes() { return kCodes; }

}  // namespace gpu::diagnose
