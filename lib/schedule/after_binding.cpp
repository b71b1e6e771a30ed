#include "schedule/after_binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "schedule/pod_events.hpp"
#include "schedule/pod_identity.hpp"

namespace gpu::schedule {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What keeps a bound pod from running, if anything does.
struct Trouble {
  Code code{};
  std::string summary;
  std::vector<Advice> advice = {};
};

/// status.reason of a pod that the kubelet would not take.
bool is_admission_reason(std::string_view reason) {
  static constexpr std::array<std::string_view, 5> kReasons = {
      "UnexpectedAdmissionError", "TopologyAffinityError", "NodeAffinity", "NodeName",
      "AdmissionFailed"};
  return reason.starts_with("OutOf") ||
         std::find(kReasons.begin(), kReasons.end(), reason) != kReasons.end();
}

std::optional<Trouble> kubelet_trouble(const Pod& pod) {
  if (pod.phase != "Failed" || !is_admission_reason(pod.reason)) return std::nullopt;
  Trouble trouble{.code = Code::kubelet_rejected,
                  .summary = fmt::format("the kubelet of {} refused the pod: {}", pod.node_name,
                                         pod.message.empty() ? pod.reason : pod.message)};
  if (contains(pod.message, "unhealthy") || contains(pod.message, "unregistered device"))
    trouble.advice.push_back({.summary = "look for Xid errors on " + pod.node_name +
                                         ", then restart the device plugin's pod there"});
  if (pod.reason == "TopologyAffinityError")
    trouble.advice.push_back(
        {.summary =
             "ask for what fits one NUMA node, or loosen the node's topology manager policy: "
             "the scheduler does not see NUMA nodes"});
  return trouble;
}

bool is_image_reason(std::string_view reason) {
  return reason == "ImagePullBackOff" || reason == "ErrImagePull" || reason == "InvalidImageName" ||
         reason == "ErrImageNeverPull" || reason == "RegistryUnavailable";
}

/// What the container runtime says when the GPU's part of it is missing or does not work.
bool is_about_gpu_runtime(std::string_view message) {
  return contains(message, "no runtime for") || contains(message, "nvidia-container") ||
         contains(message, "libcuda") || contains(message, "libnvidia-ml") ||
         contains(message, "CUDA") || contains(message, "unresolvable CDI devices");
}

Trouble runtime_trouble(const std::string& node, std::string_view message) {
  return {.code = Code::runtime_missing,
          .summary = fmt::format("its containers cannot start on {}: {}", node, message),
          .advice = {{.summary = "install or configure the GPU maker's container toolkit on " +
                                 node + ", and check that the driver answers there"}}};
}

std::optional<Trouble> container_trouble(const Pod& pod) {
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& container : *list) {
      if (is_image_reason(container.waiting))
        return Trouble{
            .code = Code::image_pull,
            .summary = fmt::format(
                "the image of container {} cannot be pulled: {}", container.name,
                container.waiting_message.empty() ? container.waiting : container.waiting_message)};
      const bool is_error = container.waiting == "CreateContainerError" ||
                            container.waiting == "RunContainerError" ||
                            container.waiting == "CreateContainerConfigError";
      if (is_error && is_about_gpu_runtime(container.waiting_message))
        return runtime_trouble(pod.node_name, container.waiting_message);
      if (is_error)
        return Trouble{.code = Code::starting,
                       .summary = fmt::format("container {} cannot be made: {}", container.name,
                                              container.waiting_message)};
    }
  return std::nullopt;
}

/// The newest warning that tells of a kind of trouble that is known.
std::optional<Trouble> event_trouble(const Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod)) {
    if (event->type == "Normal") continue;
    if (event->reason == "FailedCreatePodSandBox" || event->reason == "Failed") {
      if (is_about_gpu_runtime(event->message))
        return runtime_trouble(pod.node_name, event->message);
    } else if (event->reason == "FailedAttachVolume" || event->reason == "FailedMount") {
      return Trouble{.code = Code::volume_attach,
                     .summary = "a volume cannot be attached or mounted: " + event->message};
    } else if (event->reason == "FailedPrepareDynamicResources") {
      return Trouble{
          .code = Code::kubelet_rejected,
          .summary = "the kubelet cannot prepare the devices of its claims: " + event->message};
    }
  }
  return std::nullopt;
}

/// Releases of NVIDIA's driver in which device calls hang on nodes with MIG (gpu-operator#1361).
std::optional<Trouble> driver_trouble(const Cluster& cluster, const Pod& pod,
                                      const ExplainOptions& options) {
  static constexpr std::array<std::string_view, 4> kHanging = {"570.124.06", "570.133.20",
                                                               "570.148.08", "570.158.01"};
  constexpr std::chrono::minutes kLong{10};
  const auto& nodes = cluster.nodes();
  const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const NodeState& state) {
    return state.node->name == pod.node_name;
  });
  if (node == nodes.end() || !options.now || gpus_asked(cluster, pod) == 0) return std::nullopt;
  const std::string driver(value_of(node->node->labels, "nvidia.com/cuda.driver-version.full"));
  if (std::find(kHanging.begin(), kHanging.end(), driver) == kHanging.end()) return std::nullopt;
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.last_transition &&
        *options.now - *condition.last_transition > kLong)
      return Trouble{
          .code = Code::runtime_missing,
          .summary =
              fmt::format("it has not started on {} since it was bound, and device calls are "
                          "known to hang in the node's driver {}",
                          pod.node_name, driver),
          .advice = {{.summary = "install driver 570.172.08 or newer, or go back to 570.86.15, and "
                                 "restart the kubelet of " +
                                 pod.node_name}}};
  return std::nullopt;
}

std::string starting_text(const Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod)) {
    if (event->reason == "Pulled" || event->reason == "Started") break;
    if (event->reason == "Pulling")
      return "it starts on " + pod.node_name + ": its image is being pulled";
  }
  const bool waits_for_init =
      std::any_of(pod.init_container_statuses.begin(), pod.init_container_statuses.end(),
                  [](const ContainerResourceStatus& status) { return status.terminated.empty(); });
  return "it starts on " + pod.node_name +
         (waits_for_init && !pod.init_containers.empty() ? ": its init containers run" : "");
}

/// Of a pod that nothing keeps from running.
std::string calm_text(const Cluster& cluster, const Pod& pod) {
  if (pod.phase == "Succeeded") return "it has finished";
  if (pod.phase == "Failed")
    return "it has failed" + (pod.reason.empty() ? "" : ": " + pod.reason) +
           (pod.message.empty() ? "" : ", " + pod.message);
  if (pod.deleted) return "it is being deleted";
  if (pod.phase == "Running") return "it runs on " + pod.node_name;
  return starting_text(cluster, pod);
}

}  // namespace

Explanation after_binding(const Cluster& cluster, const Pod& pod, const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  std::optional<Trouble> trouble = kubelet_trouble(pod);
  const bool may_be_stuck = !is_finished(pod) && pod.phase != "Running" && !pod.deleted;
  if (!trouble && may_be_stuck) trouble = container_trouble(pod);
  if (!trouble && may_be_stuck) trouble = event_trouble(cluster, pod);
  if (!trouble && may_be_stuck) trouble = driver_trouble(cluster, pod, options);
  answer.is_blocked = trouble.has_value();
  answer.code = trouble ? trouble->code : Code::starting;
  answer.summary = trouble ? std::move(trouble->summary) : calm_text(cluster, pod);
  if (trouble) {
    answer.advice = std::move(trouble->advice);
    answer.nearest = "bound to " + pod.node_name;
  }
  return answer;
}

}  // namespace gpu::schedule
