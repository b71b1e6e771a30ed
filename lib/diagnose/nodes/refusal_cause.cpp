#include "diagnose/nodes/refusal_cause.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "scheduler/cluster/pod_events.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/cycle/messages.hpp"

namespace gpu::diagnose {
namespace {

/// The text between the first pair of double quotes.
std::string quoted_part(std::string_view message) {
  const std::size_t start = message.find('"');
  if (start == std::string_view::npos) return {};
  const std::size_t end = message.find('"', start + 1);
  if (end == std::string_view::npos) return {};
  return std::string(message.substr(start + 1, end - start - 1));
}

/// The first claim of the pod that has to be bound before a node is looked for, and is not.
const PersistentVolumeClaim* unbound_claim(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod, scheduler::ClaimKinds::named_and_ephemeral)) {
    if (each.claim == nullptr || each.claim->is_bound) continue;
    const StorageClass* const made_by = cluster.storage_class(scheduler::class_of(*each.claim));
    if (made_by == nullptr || !made_by->waits_for_consumer || !each.claim->volume.empty())
      return each.claim;
  }
  return nullptr;
}

const StorageClass* default_class(const scheduler::Cluster& cluster) {
  const auto& classes = cluster.snapshot().scheduling.storage_classes;
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [](const StorageClass& each) { return each.is_default; });
  return found == classes.end() ? nullptr : &*found;
}

/// Of a claim without a class, behind "the volume claim x is not bound". A field that is left out
/// is filled in with the default class; "" asks for a volume that somebody made.
std::string classless_text(const scheduler::Cluster& cluster, const PersistentVolumeClaim& claim) {
  if (claim.storage_class)
    return ": its storageClassName is \"\", so no volume is provisioned for it";
  if (const StorageClass* const usual = default_class(cluster))
    return fmt::format(": it names no storage class, and has not got the default one, {}, yet",
                       usual->name);
  if (coverage_of(cluster.snapshot().scheduling, "storageclasses") == Coverage::none)
    return ": it names no storage class, and which is the default one was not read";
  return ": it names no storage class, and no StorageClass is the default one";
}

/// Names that a claim may be created with: "std, fast"; empty where none is known.
std::string class_names(const scheduler::Cluster& cluster) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> names;
  for (const StorageClass& each : cluster.snapshot().scheduling.storage_classes)
    if (names.size() < kMost) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Advice classless_advice(const scheduler::Cluster& cluster, const PersistentVolumeClaim& claim) {
  const std::string names = class_names(cluster);
  const std::string choice = names.empty() ? "" : fmt::format(" ({})", names);
  const StorageClass* const usual = default_class(cluster);
  // The API server lets nobody change a class that is set, and sets one where none was.
  if (!claim.storage_class && usual != nullptr)
    return {
        .summary = fmt::format("set the default class {} in the claim, as Kubernetes has not done "
                               "so; the claim can stay",
                               usual->name),
        .command =
            fmt::format(R"(kubectl patch pvc {} -n {} -p '{{"spec":{{"storageClassName":"{}"}}}}')",
                        shell_quoted(claim.name), shell_quoted(claim.ns), usual->name)};
  std::string summary =
      fmt::format("create the claim with a storageClassName that there is{}", choice);
  if (claim.storage_class && usual != nullptr)
    summary += ", or leave the field out, for the default one";
  summary += claim.storage_class ? ", or create a PersistentVolume without a class for it"
                                 : ", or mark a StorageClass as the default one";
  return {.summary = std::move(summary), .command = "kubectl get storageclasses"};
}

/// Why it is not bound, as far as it can be seen.
std::string unbound_text(const scheduler::Cluster& cluster, const PersistentVolumeClaim& claim) {
  const std::string lead = "the volume claim " + claim.name + " is not bound";
  for (const Event* event :
       events_of(cluster, "PersistentVolumeClaim", claim.ns, claim.name, claim.uid))
    if (event->type != "Normal") return lead + ": " + event->message;
  const std::string name(scheduler::class_of(claim));
  if (!claim.volume.empty()) return lead + " to " + claim.volume + " yet";
  if (name.empty()) return lead + classless_text(cluster, claim);
  if (cluster.storage_class(name) == nullptr && sees_all(cluster, "storageclasses"))
    return lead + ": its storage class " + name + " does not exist";
  return lead + ": it waits for a volume of storage class " + name;
}

/// ": there is a claim datasets"; empty where no name is near.
std::string near_text(const std::string& name, const std::vector<std::string_view>& names,
                      std::string_view kind) {
  const auto near = nearest_name(name, names);
  return near ? ": there is a " + std::string(kind) + " " + std::string(*near) : "";
}

/// What its storage says is known where its class does not exist.
Advice unbound_advice(const scheduler::Cluster& cluster, const PersistentVolumeClaim& claim) {
  const std::string name(scheduler::class_of(claim));
  if (claim.volume.empty() && !name.empty() && cluster.storage_class(name) == nullptr &&
      sees_all(cluster, "storageclasses")) {
    std::vector<std::string_view> names;
    for (const StorageClass& each : cluster.snapshot().scheduling.storage_classes)
      names.push_back(each.name);
    return {.summary = "create the storage class " + name +
                       ", or recreate the claim with one that exists" +
                       near_text(name, names, "class"),
            .command = "kubectl get storageclasses"};
  }
  if (claim.volume.empty() && name.empty()) return classless_advice(cluster, claim);
  return {.summary = "see what its storage says",
          .command =
              "kubectl describe pvc " + shell_quoted(claim.name) + " -n " + shell_quoted(claim.ns)};
}

Cause unbound_cause(const scheduler::Cluster& cluster, const Pod& pod) {
  Cause cause{.code = Code::volume_unbound, .summary = "a volume claim of the pod is not bound"};
  const PersistentVolumeClaim* const claim = unbound_claim(cluster, pod);
  if (claim == nullptr) return cause;
  cause.summary = unbound_text(cluster, *claim);
  cause.nearest = "claim " + claim->name + " is not bound";
  cause.advice.push_back(unbound_advice(cluster, *claim));
  return cause;
}

Cause volume_cause(const scheduler::Cluster& cluster, const Pod& pod,
                   const scheduler::PodRejection& rejection) {
  if (contains(rejection.message, "unbound immediate")) return unbound_cause(cluster, pod);
  const std::string name = quoted_part(rejection.message);
  Cause cause{.code = Code::volume_unbound, .summary = rejection.message};
  if (rejection.message.starts_with("persistentvolumeclaim \"") &&
      rejection.message.ends_with("not found")) {
    cause.summary = "the volume claim " + name + " does not exist";
    std::vector<std::string_view> names;
    for (const PersistentVolumeClaim& each : cluster.snapshot().scheduling.volume_claims)
      if (each.ns == pod.ns) names.push_back(each.name);
    cause.advice.push_back({.summary = "make it, or correct the name in spec.volumes of the pod" +
                                       near_text(name, names, "claim"),
                            .command = "kubectl get pvc -n " + shell_quoted(pod.ns)});
  } else if (contains(rejection.message, "is being deleted"))
    cause.summary = "the volume claim " + name + " is being deleted";
  else if (rejection.message.starts_with("persistentvolume \""))
    cause.summary = "the volume " + name + " of a claim does not exist";
  return cause;
}

/// "request gpu: device class gpu.nvidia.com does not exist".
Cause class_cause(const scheduler::Cluster& cluster, std::string_view message) {
  constexpr std::string_view kBefore = "device class ";
  const std::size_t start = message.find(kBefore) + kBefore.size();
  const std::string name(message.substr(start, message.find(' ', start) - start));
  Cause cause{
      .code = Code::device_class_missing,
      .summary = "the device class " + name + " that the pod's claim requests does not exist",
      .nearest = "device class " + name + " does not exist"};
  std::vector<std::string_view> names;
  for (const DeviceClass& each : cluster.snapshot().device_classes) names.push_back(each.name);
  if (name == "gpu.nvidia.com" || name == "mig.nvidia.com")
    cause.advice.push_back(
        {.summary = "install NVIDIA's DRA driver with its part for GPUs (Helm: "
                    "resources.gpus.enabled=true, and gpuResourcesEnabledOverride=true where the "
                    "chart requires it); never beside a device plugin on the same nodes"});
  else if (const auto near = nearest_name(name, names))
    cause.advice.push_back({.summary = "request the class " + std::string(*near)});
  else
    cause.advice.push_back({.summary = "install the DRA driver that brings the class " + name});
  return cause;
}

std::vector<std::string_view> claims_in(const scheduler::Cluster& cluster, const std::string& ns) {
  std::vector<std::string_view> names;
  for (const ResourceClaim& each : cluster.snapshot().claims)
    if (each.ns == ns) names.push_back(each.name);
  return names;
}

Cause claim_cause(const scheduler::Cluster& cluster, const Pod& pod,
                  const scheduler::PodRejection& rejection) {
  const std::string_view message = rejection.message;
  if (contains(message, "device class") && contains(message, "does not exist"))
    return class_cause(cluster, message);
  const bool is_missing = contains(message, "not found") || contains(message, "not created yet") ||
                          contains(message, "is being deleted") || contains(message, "not owner");
  if (!is_missing) return {.code = Code::claim_unsatisfiable, .summary = std::string(message)};
  const std::string name = quoted_part(message);
  if (contains(message, "not found"))
    return {.code = Code::claim_missing,
            .summary = "the ResourceClaim " + name + " does not exist",
            .nearest = "claim " + name + " does not exist",
            .advice = {{.summary = "make it, or correct the name in the pod's spec.resourceClaims" +
                                   near_text(name, claims_in(cluster, pod.ns), "claim"),
                        .command = "kubectl get resourceclaims -n " + shell_quoted(pod.ns)}}};
  return {.code = Code::claim_missing, .summary = std::string(message)};
}

}  // namespace

std::optional<Cause> refusal_cause(const scheduler::Cluster& cluster, const Pod& pod,
                                   const scheduler::Verdict& verdict) {
  if (const scheduler::PodRejection* const decisive = decisive_rejection(verdict)) {
    const scheduler::PodRejection& first = *decisive;
    if (first.filter == scheduler::Filter::dynamic_resources)
      return claim_cause(cluster, pod, first);
    if (first.filter == scheduler::Filter::node_affinity)
      return Cause{.code = Code::node_selector_mismatch,
                   .summary = "the pod's node affinity contradicts itself"};
    return volume_cause(cluster, pod, first);
  }
  if (verdict.error)
    return Cause{.code = Code::claim_unsatisfiable,
                 .summary = "the scheduler stops with an error: " + *verdict.error};
  return std::nullopt;
}

}  // namespace gpu::diagnose
