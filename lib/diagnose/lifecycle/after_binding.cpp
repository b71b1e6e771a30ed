#include "diagnose/lifecycle/after_binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/lifecycle/event_trouble.hpp"
#include "diagnose/lifecycle/overdue_end.hpp"
#include "diagnose/lifecycle/trouble.hpp"
#include "diagnose/stack/driver_hang.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

/// What has not started, or has stood still, for so long counts as blocked.
constexpr std::chrono::minutes kLong{5};

/// What is refused, lost or bound to nothing is not tried again.
Advice make_anew(const Pod& pod, std::string_view lead) {
  std::string command =
      "kubectl delete pod " + shell_quoted(pod.name) + " -n " + shell_quoted(pod.ns);
  if (!pod.owners.empty())
    return {.summary = fmt::format("{}, and its owner makes another", lead),
            .command = std::move(command)};
  return {.summary = fmt::format("{}; it has no owner that makes another: make it anew from its "
                                 "manifest",
                                 lead),
          .command = std::move(command)};
}

/// NVIDIA's device plugin, of a pod that asks for more shares of a card than it hands out to one.
constexpr std::string_view kTooLargeShare = "maximum request size for shared resources is ";

/// "1", from the plugin's words.
std::string largest_share(std::string_view message) {
  message.remove_prefix(message.find(kTooLargeShare) + kTooLargeShare.size());
  const std::string_view number = message.substr(0, message.find_first_not_of("0123456789"));
  return number.empty() ? "1" : std::string(number);
}

std::optional<Trouble> kubelet_trouble(const Pod& pod) {
  if (!is_refused_by_kubelet(pod)) return std::nullopt;
  std::string_view why = pod.message.empty() ? pod.reason : pod.message;
  constexpr std::string_view kLead = "Pod was rejected: ";
  if (why.starts_with(kLead)) why.remove_prefix(kLead.size());
  Trouble trouble{
      .code = Code::kubelet_rejected,
      .summary = fmt::format("the kubelet of {} refused the pod: {}", pod.node_name, why)};
  if (contains(pod.message, kTooLargeShare)) {
    trouble.advice.push_back(
        {.summary = "ask for " + largest_share(pod.message) +
                    ": its GPUs are shared, one unit of them is one share of a card, and more "
                    "units give no more of it; the node's device plugin refuses them "
                    "(failRequestsGreaterThanOne)"});
  } else if (contains(pod.message, "unhealthy") || contains(pod.message, "unregistered device"))
    trouble.advice.push_back({.summary = "look for Xid errors on " + pod.node_name +
                                         ", then restart the device plugin's pod there"});
  else if (pod.reason != "TopologyAffinityError") {
    trouble.advice.push_back(make_anew(pod, "delete the pod: what was refused is not tried again"));
    trouble.advice.back().summary +=
        "; if that is refused, too, restart the device plugin's pod of " + pod.node_name;
  }
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

/// A container that the kubelet cannot make, by what it says of that.
Trouble unmade_container_trouble(const Pod& pod, const ContainerResourceStatus& container) {
  const std::string& message = container.waiting_message;
  const bool is_missing = contains(message, "not found") &&
                          (contains(message, "secret") || contains(message, "configmap"));
  return {.code = Code::starting,
          .summary = fmt::format("container {} cannot be made: {}", container.name,
                                 message.empty() ? container.waiting : message),
          .advice = {look_at_pod(
              pod, is_missing ? "make what is not found, or correct its name in the pod's spec: "
                                "the kubelet tries again by itself"
                              : "correct what the message names: the kubelet tries again by "
                                "itself")}};
}

std::optional<Trouble> container_trouble(const Pod& pod) {
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& container : *list) {
      if (is_image_reason(container.waiting)) return image_trouble(pod, container);
      const bool is_error = container.waiting == "CreateContainerError" ||
                            container.waiting == "RunContainerError" ||
                            container.waiting == "CreateContainerConfigError";
      if (is_error && is_about_gpu_runtime(container.waiting_message))
        return runtime_trouble(pod.node_name, container.waiting_message);
      if (is_error) return unmade_container_trouble(pod, container);
    }
  return std::nullopt;
}

/// Whether its image is on its way, or a container has been started.
bool has_moved(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod))
    if (event->reason == "Pulling" || event->reason == "Started" || event->reason == "Created")
      return true;
  const auto has_run = [](const ContainerResourceStatus& each) {
    return each.restarts > 0 || !each.terminated.empty();
  };
  const auto& inits = pod.init_container_statuses;
  const auto& statuses = pod.container_statuses;
  return std::any_of(inits.begin(), inits.end(), has_run) ||
         std::any_of(statuses.begin(), statuses.end(), has_run);
}

/// Nothing has come of it on a node whose driver is known to hang.
std::optional<Trouble> driver_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                                      const ExplainOptions& options) {
  constexpr std::chrono::minutes kHangs{10};
  const auto node = cluster.node_named(pod.node_name);
  if (!node || !options.now || gpus_asked(cluster, pod) == 0 || has_moved(cluster, pod))
    return std::nullopt;
  const auto driver = hanging_driver(cluster, cluster.nodes()[*node]);
  if (!driver) return std::nullopt;
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.last_transition &&
        *options.now - *condition.last_transition > kHangs)
      return Trouble{
          .code = Code::runtime_missing,
          .summary = fmt::format("nothing has started on {} since it was bound, and in the node's "
                                 "driver {} device calls are known to hang beside MIG",
                                 pod.node_name, *driver),
          .advice = {{.summary = "install driver 570.172.08 or newer, or go back to 570.86.15, and "
                                 "restart the kubelet of " +
                                 pod.node_name}}};
  return std::nullopt;
}

/// When the scheduler bound it; a pod whose spec names its node has no such condition.
std::optional<Time> bound_at(const Pod& pod) {
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.last_transition)
      return condition.last_transition;
  return pod.created;
}

/// Trouble of the node itself: it is gone, or its kubelet does not answer.
std::optional<Trouble> node_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                                    const std::string& bound, Time now) {
  const Snapshot& snapshot = cluster.snapshot();
  const auto place = cluster.node_named(pod.node_name);
  if (!place && snapshot.node_coverage == Coverage::whole)
    return Trouble{
        .code = Code::node_not_ready,
        .summary = fmt::format("it was bound to {} {} ago, and the cluster has no such node",
                               pod.node_name, bound),
        .advice = {make_anew(pod, "delete the pod: it is never moved to another node"),
                   look_at_pod(pod, "or see what was said of it")}};
  if (!place || is_ready(*cluster.nodes()[*place].node)) return std::nullopt;
  std::string since;
  for (const Condition& condition : cluster.nodes()[*place].node->conditions)
    if (condition.type == "Ready" && condition.last_transition && *condition.last_transition < now)
      since = " for " + human_duration(now - *condition.last_transition);
  return Trouble{
      .code = Code::node_not_ready,
      .summary = fmt::format("it was bound to {} {} ago and has not started, and that node has not "
                             "been ready{}",
                             pod.node_name, bound, since),
      .advice = {{.summary = "see why the node is not ready",
                  .command = "kubectl describe node " + shell_quoted(pod.node_name)},
                 look_at_pod(pod, "see what was said of the pod")}};
}

/// What the kubelet last wrote in the pod's status, where it wrote anything.
std::optional<std::string> kubelet_word(const Pod& pod) {
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& container : *list)
      if (!container.waiting.empty())
        return container.waiting + (container.waiting_message.empty() ? "" : ": ") +
               container.waiting_message;
  const bool has_written =
      pod.started || !pod.container_statuses.empty() ||
      std::any_of(pod.conditions.begin(), pod.conditions.end(),
                  [](const Condition& each) { return each.type != "PodScheduled"; });
  return has_written ? std::optional<std::string>("") : std::nullopt;
}

/// Whether a container runs, init containers among them.
bool has_running_container(const Pod& pod) {
  const auto runs = [](const ContainerResourceStatus& each) {
    return each.waiting.empty() && each.terminated.empty();
  };
  return std::any_of(pod.init_container_statuses.begin(), pod.init_container_statuses.end(),
                     runs) ||
         std::any_of(pod.container_statuses.begin(), pod.container_statuses.end(), runs);
}

/// A container that the kubelet starts anew and anew.
const ContainerResourceStatus* crashing_container(const Pod& pod) {
  for (const auto* list : {&pod.init_container_statuses, &pod.container_statuses})
    for (const ContainerResourceStatus& each : *list)
      if (each.waiting == "CrashLoopBackOff") return &each;
  return nullptr;
}

std::string crash_text(const ContainerResourceStatus& container) {
  return fmt::format("its container {} ends again and again (CrashLoopBackOff, {} {})",
                     container.name, container.restarts,
                     container.restarts == 1 ? "restart" : "restarts");
}

/// It is not pending: what the container itself says is the next thing to read.
Advice read_log_of(const Pod& pod, const ContainerResourceStatus& container) {
  return {.summary = "read what the container logged before it ended",
          .command = fmt::format("kubectl logs -n {} {} -c {} --previous", shell_quoted(pod.ns),
                                 shell_quoted(pod.name), shell_quoted(container.name))};
}

/// The event that says that its image is being pulled; null where none does, or it is there.
const Event* pulling_event(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod)) {
    if (event->reason == "Pulled" || event->reason == "Started") return nullptr;
    if (event->reason == "Pulling") return event;
  }
  return nullptr;
}

/// Whether it is known not to have stood still for minutes; so is a pod that once moved, at a time
/// that nothing tells.
bool moves(const scheduler::Cluster& cluster, const Pod& pod, Time now) {
  std::optional<Time> last;
  for (const Event* event : events_of(cluster, pod))
    if (event->type == "Normal" && event->reason != "Scheduled" && event->last)
      last = std::max(last.value_or(*event->last), *event->last);
  for (const Condition& condition : pod.conditions)
    if (condition.type == "Initialized" && condition.status == "True" && condition.last_transition)
      last = std::max(last.value_or(*condition.last_transition), *condition.last_transition);
  return last ? now - *last <= kLong : has_moved(cluster, pod);
}

/// Large images take long, and nothing tells how far one is.
std::optional<Trouble> slow_pull(const Pod& pod, const Event& pulling, Time now) {
  constexpr std::chrono::minutes kLongPull{15};
  if (!pulling.last || now - *pulling.last <= kLongPull) return std::nullopt;
  return Trouble{.code = Code::image_pull,
                 .summary = fmt::format("its image has been pulled on {} for {}, and is not there "
                                        "yet",
                                        pod.node_name, human_duration(now - *pulling.last)),
                 .advice = {look_at_pod(pod,
                                        "see whether the pull goes on: the image may be "
                                        "large, the registry slow, or the node's disk")}};
}

/// What the kubelet, or whoever else serves the pod, said last.
std::string last_words(const scheduler::Cluster& cluster, const Pod& pod) {
  if (const Event* const warning = newest_warning(cluster, pod))
    return fmt::format("its newest warning is {}: {}", warning->reason, warning->message);
  const auto word = kubelet_word(pod);
  if (!word) return fmt::format("the kubelet of {} has said nothing of it", pod.node_name);
  return word->empty()
             ? fmt::format("the kubelet of {} does not say why", pod.node_name)
             : fmt::format("the kubelet of {} says no more than {}", pod.node_name, *word);
}

/// It was bound long ago, and nothing known says why it has not started.
std::optional<Trouble> silent_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                                      const ExplainOptions& options) {
  const auto then = bound_at(pod);
  if (!then || !options.now || *options.now - *then <= kLong) return std::nullopt;
  const std::string bound = human_duration(*options.now - *then);
  if (auto trouble = node_trouble(cluster, pod, bound, *options.now)) return trouble;
  const std::string lead =
      fmt::format("it was bound to {} {} ago and has not started: ", pod.node_name, bound);
  if (const auto* crashing = crashing_container(pod))
    return Trouble{.code = Code::starting,
                   .summary = lead + crash_text(*crashing),
                   .advice = {read_log_of(pod, *crashing)}};
  if (has_running_container(pod)) return std::nullopt;
  if (const Event* const pulling = pulling_event(cluster, pod))
    return slow_pull(pod, *pulling, *options.now);
  if (moves(cluster, pod, *options.now)) return std::nullopt;
  const bool has_spoken = kubelet_word(pod) || newest_warning(cluster, pod) != nullptr;
  return Trouble{
      .code = Code::starting,
      .summary = lead + last_words(cluster, pod),
      .advice = {look_at_pod(
          pod, has_spoken ? "see the newest events: its image, volumes or devices may not get ready"
                          : "see its events; where there are none, look at the kubelet's log on " +
                                pod.node_name)}};
}

std::string starting_text(const scheduler::Cluster& cluster, const Pod& pod) {
  if (pulling_event(cluster, pod) != nullptr)
    return "it starts on " + pod.node_name + ": its image is being pulled";
  const bool waits_for_init =
      std::any_of(pod.init_container_statuses.begin(), pod.init_container_statuses.end(),
                  [](const ContainerResourceStatus& status) { return status.terminated.empty(); });
  return "it starts on " + pod.node_name +
         (waits_for_init && !pod.init_containers.empty() ? ": its init containers run" : "");
}

/// Of a pod that nothing keeps from running.
std::string calm_text(const scheduler::Cluster& cluster, const Pod& pod) {
  if (pod.phase == "Succeeded") return "it has finished";
  if (pod.phase == "Failed")
    return "it has failed" + (pod.reason.empty() ? "" : ": " + pod.reason) +
           (pod.message.empty() ? "" : ", " + pod.message);
  if (pod.deleted) return "it is being deleted";
  const ContainerResourceStatus* const crashing = crashing_container(pod);
  const std::string crash = crashing == nullptr ? "" : ", but " + crash_text(*crashing);
  if (pod.phase == "Running") return "it runs on " + pod.node_name + crash;
  if (crashing != nullptr) return "it was started on " + pod.node_name + crash;
  return starting_text(cluster, pod);
}

/// What keeps it from running: the surest first.
std::optional<Trouble> first_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                                     const ExplainOptions& options) {
  if (auto trouble = kubelet_trouble(pod)) return trouble;
  if (is_finished(pod)) return std::nullopt;
  if (auto trouble = overdue_end(cluster, pod, options)) return trouble;
  if (pod.phase == "Running" || pod.deleted) return std::nullopt;
  if (auto trouble = container_trouble(pod)) return trouble;
  if (auto trouble = event_trouble(cluster, pod)) return trouble;
  if (auto trouble = driver_trouble(cluster, pod, options)) return trouble;
  return silent_trouble(cluster, pod, options);
}

}  // namespace

Explanation after_binding(const scheduler::Cluster& cluster, const Pod& pod,
                          const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  std::optional<Trouble> trouble = first_trouble(cluster, pod, options);
  answer.is_blocked = trouble.has_value();
  answer.code = trouble ? trouble->code : Code::starting;
  answer.summary = trouble ? std::move(trouble->summary) : calm_text(cluster, pod);
  if (trouble) {
    answer.advice = std::move(trouble->advice);
    answer.nearest = "bound to " + pod.node_name;
    if (pod.deleted && options.now && !is_finished(pod))
      answer.waiting = *options.now - *pod.deleted;
  } else if (const auto* crashing = crashing_container(pod); crashing != nullptr && !pod.deleted) {
    answer.advice = {read_log_of(pod, *crashing)};
  }
  return answer;
}

}  // namespace gpu::diagnose
