#include "schedule/refusal_cause.hpp"

#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "schedule/messages.hpp"

namespace gpu::schedule {
namespace {

/// The text between the first pair of double quotes.
std::string quoted_part(std::string_view message) {
  const std::size_t start = message.find('"');
  if (start == std::string_view::npos) return {};
  const std::size_t end = message.find('"', start + 1);
  if (end == std::string_view::npos) return {};
  return std::string(message.substr(start + 1, end - start - 1));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

Cause volume_cause(const PodRejection& rejection) {
  const std::string name = quoted_part(rejection.message);
  Cause cause{.code = Code::volume_unbound, .summary = rejection.message};
  if (rejection.message.starts_with("persistentvolumeclaim \"") &&
      rejection.message.ends_with("not found"))
    cause.summary = "the volume claim " + name + " does not exist";
  else if (contains(rejection.message, "is being deleted"))
    cause.summary = "the volume claim " + name + " is being deleted";
  else if (contains(rejection.message, "unbound immediate"))
    cause.summary = "a volume claim of the pod is not bound";
  else if (rejection.message.starts_with("persistentvolume \""))
    cause.summary = "the volume " + name + " of a claim does not exist";
  return cause;
}

/// "request gpu: device class gpu.nvidia.com does not exist".
Cause class_cause(const Cluster& cluster, std::string_view message) {
  constexpr std::string_view kBefore = "device class ";
  const std::size_t start = message.find(kBefore) + kBefore.size();
  const std::string name(message.substr(start, message.find(' ', start) - start));
  Cause cause{
      .code = Code::device_class_missing,
      .summary = "the device class " + name + " that the pod's claim asks for does not exist",
      .nearest = "device class " + name + " does not exist"};
  std::vector<std::string_view> names;
  for (const DeviceClass& each : cluster.snapshot().device_classes) names.push_back(each.name);
  if (name == "gpu.nvidia.com" || name == "mig.nvidia.com")
    cause.advice.push_back(
        {.summary = "install NVIDIA's DRA driver with its part for GPUs (Helm: "
                    "resources.gpus.enabled=true, and gpuResourcesEnabledOverride=true where the "
                    "chart asks for it); never beside a device plugin on the same nodes"});
  else if (const auto near = nearest_name(name, names))
    cause.advice.push_back({.summary = "ask for the class " + std::string(*near)});
  else
    cause.advice.push_back({.summary = "install the DRA driver that brings the class " + name});
  return cause;
}

Cause claim_cause(const Cluster& cluster, const PodRejection& rejection) {
  const std::string_view message = rejection.message;
  if (contains(message, "device class") && contains(message, "does not exist"))
    return class_cause(cluster, message);
  const bool is_missing = contains(message, "not found") || contains(message, "not created yet") ||
                          contains(message, "is being deleted") || contains(message, "not owner");
  if (!is_missing) return {.code = Code::claim_unsatisfiable, .summary = std::string(message)};
  const std::string name = quoted_part(message);
  if (contains(message, "not found"))
    return {.code = Code::claim_missing,
            .summary = "the ResourceClaim " + name + " does not exist"};
  return {.code = Code::claim_missing, .summary = std::string(message)};
}

}  // namespace

std::optional<Cause> refusal_cause(const Cluster& cluster, const Verdict& verdict) {
  if (const PodRejection* const decisive = decisive_rejection(verdict)) {
    const PodRejection& first = *decisive;
    if (first.filter == Filter::dynamic_resources) return claim_cause(cluster, first);
    if (first.filter == Filter::node_affinity)
      return Cause{.code = Code::node_selector_mismatch,
                   .summary = "the pod's node affinity contradicts itself"};
    return volume_cause(first);
  }
  if (verdict.error)
    return Cause{.code = Code::claim_unsatisfiable,
                 .summary = "the scheduler stops with an error: " + *verdict.error};
  return std::nullopt;
}

}  // namespace gpu::schedule
