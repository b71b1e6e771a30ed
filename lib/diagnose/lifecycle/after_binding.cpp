#include "diagnose/lifecycle/after_binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/lifecycle/container_trouble.hpp"
#include "diagnose/lifecycle/event_trouble.hpp"
#include "diagnose/lifecycle/kubelet_refusal.hpp"
#include "diagnose/lifecycle/overdue_end.hpp"
#include "diagnose/lifecycle/trouble.hpp"
#include "diagnose/stack/driver_hang.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

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
        .advice = {create_anew(pod, "delete the pod: it is never moved to another node"),
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
  return last ? now - *last <= patience_for(WaitFor::start) : has_moved(cluster, pod);
}

/// Large images take long, and nothing tells how far one is.
std::optional<Trouble> slow_pull(const Pod& pod, const Event& pulling, Time now) {
  if (!pulling.last || now - *pulling.last <= patience_for(WaitFor::image_pull))
    return std::nullopt;
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
  if (!then || !options.now || *options.now - *then <= patience_for(WaitFor::start))
    return std::nullopt;
  const std::string bound = human_duration(*options.now - *then);
  if (auto trouble = node_trouble(cluster, pod, bound, *options.now)) return trouble;
  const std::string lead =
      fmt::format("it was bound to {} {} ago and has not started: ", pod.node_name, bound);
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
  if (pod.phase == "Running") return "it runs on " + pod.node_name;
  return starting_text(cluster, pod);
}

/// A pod that is not to be restarted, and whose container could not be started.
std::optional<Trouble> failed_start(const scheduler::Cluster& cluster, const Pod& pod) {
  std::optional<Trouble> trouble = container_trouble(cluster, pod);
  if (trouble)
    trouble->advice.push_back(create_anew(pod, "then delete the pod: it is not started again"));
  return trouble;
}

/// What keeps it from running: the surest first.
std::optional<Trouble> first_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                                     const ExplainOptions& options) {
  if (auto trouble = kubelet_refusal(cluster, pod)) return trouble;
  if (pod.phase == "Failed") return failed_start(cluster, pod);
  if (is_finished(pod)) return std::nullopt;
  if (auto trouble = overdue_end(cluster, pod, options)) return trouble;
  if (pod.deleted) return std::nullopt;
  if (auto trouble = container_trouble(cluster, pod)) return trouble;
  if (pod.phase == "Running") return std::nullopt;
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
  }
  return answer;
}

}  // namespace gpu::diagnose
