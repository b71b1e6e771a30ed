#include "diagnose/lifecycle/word_cause.hpp"

#include <array>
#include <vector>

#include "diagnose/lifecycle/scheduler_word.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {
namespace {

/// A reason of kube-scheduler by a part of its text, and what it comes to where all nodes give it.
struct Known {
  std::string_view part;
  Code code{};
  std::string_view text;
};

// Reasons for nodes, then refusals of the pod itself.
constexpr auto kKnown = std::to_array<Known>({
    {"node(s) had untolerated taint", Code::untolerated_taint,
     "every node has a taint that the pod does not tolerate"},
    {"node(s) were unschedulable", Code::cordoned, "every node is cordoned"},
    {"node(s) didn't match Pod's node affinity/selector", Code::node_selector_mismatch,
     "no node has the labels that the pod selects"},
    {"node(s) didn't match the requested node name", Code::node_selector_mismatch,
     "no node has the name that the pod requests"},
    {"Too many pods", Code::too_many_pods, "every node has as many pods as it may"},
    {"node(s) didn't have free ports", Code::port_taken, "its host port is taken on every node"},
    {"node(s) didn't match pod topology spread constraints", Code::topology_spread,
     "its spread constraints leave no node"},
    {"node(s) didn't match pod affinity rules", Code::pod_affinity,
     "no node is beside the pods that it wants to be beside"},
    {"anti-affinity rules", Code::pod_anti_affinity, "anti-affinity keeps it from every node"},
    {"node(s) exceed max volume count", Code::volume_limit,
     "every node has as many volumes as it may"},
    {"ReadWriteOncePod access mode already in-use", Code::volume_in_use,
     "another pod uses its volume, which one pod may use at a time"},
    {"node(s) had no available volume zone", Code::volume_zone,
     "no node is in the zone of its volume"},
    {"node(s) didn't match PersistentVolume's node affinity", Code::volume_zone,
     "no node is where its volume is"},
    {"node(s) didn't find available persistent volumes to bind", Code::volume_unbound,
     "no volume can be bound to its claim on any node"},
    {"unbound immediate PersistentVolumeClaims", Code::volume_unbound,
     "a volume claim of the pod is not bound"},
    {"persistentvolumeclaim \"", Code::volume_unbound, ""},
    {"device class", Code::device_class_missing, ""},
    {"resourceclaim.resource.k8s.io \"", Code::claim_missing, ""},
    {"cannot allocate all claims", Code::claim_unsatisfiable,
     "no node has the devices that its claims request"},
});

WordCause shortage_of(std::string_view resource) {
  std::string text = "no node has enough free " + std::string(resource);
  if (resource == "cpu") return {Code::insufficient_cpu, std::move(text)};
  if (resource == "memory") return {Code::insufficient_memory, std::move(text)};
  if (resource == "ephemeral-storage") return {Code::insufficient_storage, std::move(text)};
  if (gpu_resource(resource)) return {Code::insufficient_gpus, std::move(text)};
  return {Code::insufficient_extended_resource, std::move(text)};
}

std::optional<WordCause> cause_of_reason(std::string_view reason) {
  constexpr std::string_view kInsufficient = "Insufficient ";
  if (reason.starts_with(kInsufficient)) return shortage_of(reason.substr(kInsufficient.size()));
  for (const Known& known : kKnown)
    if (reason.find(known.part) != std::string_view::npos)
      return WordCause{known.code, std::string(known.text.empty() ? reason : known.text)};
  return std::nullopt;
}

/// Old schedulers name the taint: these are of the node's health.
bool is_about_health(std::string_view message) {
  return message.find("taint {node.kubernetes.io/not-ready:") != std::string_view::npos ||
         message.find("taint {node.kubernetes.io/unreachable:") != std::string_view::npos;
}

}  // namespace

std::optional<WordCause> cause_of_word(std::string_view message) {
  std::optional<WordCause> cause;
  for (const std::string& reason : reasons_in(message)) {
    if (reason == "deallocation of ResourceClaim completed") continue;  // it was given back
    const std::optional<WordCause> one = cause_of_reason(reason);
    if (!one || (cause && cause->code != one->code)) return std::nullopt;
    if (!cause) cause = one;
  }
  // Which of several taints it was is then not told apart.
  if (cause && cause->code == Code::untolerated_taint && is_about_health(message))
    return std::nullopt;
  return cause;
}

}  // namespace gpu::diagnose
