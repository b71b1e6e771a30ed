#include "diagnose/lifecycle/event_trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/contains.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "diagnose/lifecycle/device_trouble.hpp"
#include "diagnose/lifecycle/runtime_words.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

/// How a kubelet starts a pod, in its order.
enum class Stage { attach, mount, sandbox, container };

/// Where a warning says that it is stuck.
std::optional<Stage> stage_of_trouble(const Event& event) {
  static constexpr std::array<std::pair<std::string_view, Stage>, 7> kReasons = {
      {{"FailedAttachVolume", Stage::attach},
       {"FailedMount", Stage::mount},
       {"FailedMapVolume", Stage::mount},
       {"FailedPrepareDynamicResources", Stage::mount},
       {"FailedCreatePodSandBox", Stage::sandbox},
       {"NetworkNotReady", Stage::sandbox},
       {"Failed", Stage::container}}};
  for (const auto& [reason, stage] : kReasons)
    if (event.reason == reason) return stage;
  return std::nullopt;
}

/// What has been done once this was written.
std::optional<Stage> stage_done(const Event& event) {
  static constexpr std::array<std::pair<std::string_view, Stage>, 5> kReasons = {
      {{"SuccessfulAttachVolume", Stage::attach},
       {"Pulling", Stage::sandbox},
       {"Pulled", Stage::sandbox},
       {"Created", Stage::sandbox},
       {"Started", Stage::container}}};
  if (event.type != "Normal") return std::nullopt;
  for (const auto& [reason, stage] : kReasons)
    if (event.reason == reason) return stage;
  return std::nullopt;
}

/// The name in `volume "pvc-1"`; empty where none is named.
std::string_view volume_in(std::string_view message) {
  constexpr std::string_view kLead = "volume \"";
  const std::size_t at = message.find(kLead);
  if (at == std::string_view::npos) return {};
  message.remove_prefix(at + kLead.size());
  return message.substr(0, message.find('"'));
}

/// Whether something was done since that could not be while the trouble lasted.
bool is_over(const Event& trouble, const std::vector<const Event*>& events) {
  const std::optional<Stage> stuck = stage_of_trouble(trouble);
  if (!trouble.last) return false;
  return std::any_of(events.begin(), events.end(), [&](const Event* event) {
    const std::optional<Stage> done = stage_done(*event);
    if (!done || !event->last || *event->last < *trouble.last) return false;
    if (stuck && *done < *stuck) return false;
    if (!stuck) return *done == Stage::container;
    return *done != Stage::attach || volume_in(event->message) == volume_in(trouble.message);
  });
}

/// For how long an event has been said again and again; nothing where it has no times.
std::optional<std::chrono::seconds> age_of(const scheduler::Cluster& cluster, const Event& event) {
  const std::optional<Time>& now = cluster.snapshot().taken_at;
  const std::optional<Time>& since = event.first ? event.first : event.last;
  if (!now || !since || *since > *now) return std::nullopt;
  return *now - *since;
}

/// Another node has the volume: for a while it may only take its time.
std::vector<Advice> advice_on_release(const scheduler::Cluster& cluster, const Event& event) {
  const auto age = age_of(cluster, event);
  if (!age || *age <= patience_for(WaitFor::volume_release))
    return {{.summary = "end the pod that has it, or wait until its old node lets it go",
             .command = "kubectl get volumeattachments"}};
  return {
      {.summary = fmt::format("see which node still has it, which has not let it go for {}: end "
                              "the pod that uses it there",
                              human_duration(*age)),
       .command = "kubectl get volumeattachments"},
      {.summary = "or, where that node is surely off, say so: its volumes are then let go",
       .command = "kubectl taint node NODE "
                  "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"}};
}

Trouble volume_trouble(const scheduler::Cluster& cluster, const Pod& pod, const Event& event) {
  const std::string& message = event.message;
  Trouble trouble{.code = Code::volume_attach,
                  .summary = "a volume cannot be attached or mounted: " + message};
  if (contains(message, "Multi-Attach"))
    trouble.advice = advice_on_release(cluster, event);
  else
    trouble.advice.push_back(look_at_pod(pod, "see what the storage says of it"));
  return trouble;
}

/// The sandbox comes before all containers: it has the pod's network.
Trouble sandbox_trouble(const Pod& pod, std::string_view message) {
  if (is_about_gpu_runtime(message)) return runtime_trouble(pod, message);
  for (const std::string_view lead :
       {"Failed to create pod sandbox: ", "rpc error: code = Unknown desc = "})
    if (message.starts_with(lead)) message.remove_prefix(lead.size());
  const bool is_network = contains(message, "network") || contains(message, "CNI") ||
                          contains(message, "cni") || contains(message, "IP address");
  Trouble trouble{.code = Code::starting,
                  .summary = fmt::format("the kubelet of {} cannot create the pod's sandbox: {}",
                                         pod.node_name, message)};
  if (is_network)
    trouble.advice.push_back(
        {.summary = "look at the network plugin's pod on " + pod.node_name +
                    ", and whether it has addresses left: the kubelet tries again by itself",
         .command = "kubectl get pods -n kube-system -o wide --field-selector spec.nodeName=" +
                    shell_quoted(pod.node_name)});
  else
    trouble.advice.push_back(look_at_pod(pod, "correct what the message names on " + pod.node_name +
                                                  ": the kubelet tries again by "
                                                  "itself"));
  return trouble;
}

std::optional<Trouble> told_by(const scheduler::Cluster& cluster, const Event& event,
                               const Pod& pod) {
  const auto stage = stage_of_trouble(event);
  if (!stage) return std::nullopt;
  if (event.reason == "FailedPrepareDynamicResources")
    return device_trouble(cluster, pod, event.message);
  switch (*stage) {
    case Stage::attach:
    case Stage::mount:
      return volume_trouble(cluster, pod, event);
    case Stage::sandbox:
      return sandbox_trouble(pod, event.message);
    case Stage::container:
      // What else fails stands in the container's status.
      if (!is_about_gpu_runtime(event.message)) return std::nullopt;
      return runtime_trouble(pod, event.message);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Trouble> event_trouble(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::vector<const Event*> events = events_of(cluster, pod);
  for (const Event* event : events) {
    if (event->type == "Normal" || is_over(*event, events)) continue;
    if (auto trouble = told_by(cluster, *event, pod)) return trouble;
  }
  return std::nullopt;
}

const Event* newest_warning(const scheduler::Cluster& cluster, const Pod& pod) {
  static constexpr std::array<std::string_view, 3> kHarmless = {
      "FailedScheduling", "DNSConfigForming", "FailedToRetrieveImagePullSecret"};
  const std::vector<const Event*> events = events_of(cluster, pod);
  for (const Event* event : events) {
    const bool is_harmless =
        std::find(kHarmless.begin(), kHarmless.end(), event->reason) != kHarmless.end();
    if (event->type == "Warning" && !is_harmless && !event->message.empty() &&
        !is_over(*event, events))
      return event;
  }
  return nullptr;
}

}  // namespace gpu::diagnose
