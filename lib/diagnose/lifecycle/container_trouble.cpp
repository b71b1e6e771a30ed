#include "diagnose/lifecycle/container_trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "diagnose/lifecycle/runtime_words.hpp"
#include "model/objects/start_failure.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

/// What a container does instead of its work.
enum class State : std::uint8_t { works, no_image, not_created, not_started, crashes };

bool is_any_of(std::string_view reason, std::initializer_list<std::string_view> reasons) {
  return std::find(reasons.begin(), reasons.end(), reason) != reasons.end();
}

/// Source: pkg/kubelet (images/types.go, container/sync_result.go, kuberuntime).
State state_of(const Pod& pod, const ContainerResourceStatus& container) {
  if (is_any_of(container.waiting,
                {"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull",
                 "RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"}))
    return State::no_image;
  if (is_any_of(container.waiting, {"CreateContainerError", "CreateContainerConfigError",
                                    "PreCreateHookError", "PreStartHookError"}))
    return State::not_created;
  if (is_any_of(container.waiting, {"RunContainerError", "PostStartHookError"}))
    return State::not_started;
  if (container.waiting == "CrashLoopBackOff")
    return is_start_failure(container.terminated) ? State::not_started : State::crashes;
  // Between two tries its pod is Running, as it is for good beside a container that runs.
  if (container.waiting.empty())
    return is_start_failure(container.terminated) && pod.phase != "Succeeded" ? State::not_started
                                                                              : State::works;
  return is_any_of(container.waiting, {"ContainerCreating", "PodInitializing"})
             ? State::works
             : State::not_created;
}

/// What the kubelet said of it: in its status, or in an event while it waits for the next try.
std::string words_of(const scheduler::Cluster& cluster, const Pod& pod,
                     const ContainerResourceStatus& container) {
  if (container.waiting != "CrashLoopBackOff" && !container.waiting_message.empty())
    return container.waiting_message;
  if (!container.terminated_message.empty()) return container.terminated_message;
  for (const Event* event : scheduler::events_of(cluster, pod))
    if (event->reason == "Failed" && !event->message.empty()) return event->message;
  return container.waiting.empty() ? container.terminated : container.waiting;
}

/// What the registry said stands in the events.
Trouble image_trouble(const Pod& pod, const ContainerResourceStatus& container) {
  const std::string& message = container.waiting_message;
  const bool is_denied = contains(message, "unauthorized") || contains(message, "denied") ||
                         contains(message, "forbidden") || contains(message, "authentication");
  return {.code = Code::image_pull,
          .summary = fmt::format("the image of container {} cannot be pulled: {}", container.name,
                                 message.empty() ? container.waiting : message),
          .advice = {{.summary = is_denied
                                     ? "give the pod's service account an imagePullSecret of that "
                                       "registry"
                                     : "see what the registry says, then correct the image's name "
                                       "or tag, or the pull secret",
                      .command = look_at_pod(pod, {}).command}}};
}

/// A container that the kubelet cannot create, by what it says of that.
Trouble creation_trouble(const Pod& pod, const ContainerResourceStatus& container,
                         const std::string& words) {
  if (is_about_gpu_runtime(words)) return start_trouble(pod, container.name, words);
  const bool is_missing =
      contains(words, "not found") && (contains(words, "secret") || contains(words, "configmap"));
  return {
      .code = Code::start_error,
      .summary = fmt::format("container {} cannot be created: {}", container.name, cause_in(words)),
      .advice = {look_at_pod(
          pod, is_missing ? "create what is not found, or correct its name in the pod's spec: "
                            "the kubelet tries again by itself"
                          : "correct what the message names: the kubelet tries again by itself")}};
}

/// "its container main exits again and again (CrashLoopBackOff, 6 restarts)".
std::string crash_text(const ContainerResourceStatus& container) {
  const std::string why = container.terminated.empty() || container.terminated == "Error"
                              ? ""
                              : ", last with " + container.terminated;
  return fmt::format("its container {} exits again and again (CrashLoopBackOff, {} {}{})",
                     container.name, container.restarts,
                     container.restarts == 1 ? "restart" : "restarts", why);
}

Advice read_log_of(const Pod& pod, const ContainerResourceStatus& container) {
  if (container.terminated == "OOMKilled")
    return {.summary = fmt::format("container {} used more memory than its limit: raise "
                                   "`resources.limits.memory`, or let it use less",
                                   container.name),
            .command = look_at_pod(pod, {}).command};
  return {.summary = "read what the container logged before it exited",
          .command = fmt::format("kubectl logs -n {} {} -c {} --previous", shell_quoted(pod.ns),
                                 shell_quoted(pod.name), shell_quoted(container.name))};
}

/// The first container that does not do its work; null: none.
const ContainerResourceStatus* idle_container(const Pod& pod) {
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& container : *list)
      if (state_of(pod, container) != State::works) return &container;
  return nullptr;
}

}  // namespace

bool has_container_trouble(const Pod& pod) { return idle_container(pod) != nullptr; }

std::optional<Trouble> container_trouble(const scheduler::Cluster& cluster, const Pod& pod) {
  const ContainerResourceStatus* const container = idle_container(pod);
  if (container == nullptr) return std::nullopt;
  switch (state_of(pod, *container)) {
    case State::no_image:
      return image_trouble(pod, *container);
    case State::not_created:
      return creation_trouble(pod, *container, words_of(cluster, pod, *container));
    case State::not_started:
      return start_trouble(pod, container->name, words_of(cluster, pod, *container));
    case State::crashes:
      return Trouble{.code = Code::crash_loop,
                     .summary = fmt::format("it holds its place on {}, but {}", pod.node_name,
                                            crash_text(*container)),
                     .advice = {read_log_of(pod, *container)}};
    case State::works:
      break;
  }
  return std::nullopt;
}

}  // namespace gpu::diagnose
