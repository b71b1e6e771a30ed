#include "diagnose/lifecycle/silent_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "base/time.hpp"
#include "diagnose/answer/patience.hpp"
#include "diagnose/lifecycle/known_schedulers.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";

bool has_answer(const Pod& pod) { return condition_of(pod.conditions, "PodScheduled") != nullptr; }

/// A container of a scheduler's own pod that does not run; null where none is seen. Control planes
/// that others run show no such pod.
struct IdleContainer {
  const Pod* pod = nullptr;
  const ContainerResourceStatus* container = nullptr;
};
std::optional<IdleContainer> idle_scheduler(const Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    if (pod.ns != "kube-system" || value_of(pod.labels, "component") != "kube-scheduler") continue;
    for (const ContainerResourceStatus& each : pod.container_statuses)
      if (!each.waiting.empty()) return IdleContainer{&pod, &each};
  }
  return std::nullopt;
}

void blame_pod(SilentScheduler& silent, const IdleContainer& idle) {
  std::string state = idle.container->waiting;
  if (const auto restarts = idle.container->restarts; restarts > 0)
    state += fmt::format(", {} {}", restarts, restarts == 1 ? "restart" : "restarts");
  silent.remarks.push_back(
      {fmt::format("{}/{} does not run ({})", idle.pod->ns, idle.pod->name, state)});
  silent.advice.push_back(
      {.summary = "read what that scheduler logged",
       .command = fmt::format("kubectl logs -n {} {}{}", shell_quoted(idle.pod->ns),
                              shell_quoted(idle.pod->name),
                              idle.container->restarts > 0 ? " --previous" : "")});
}

/// What is left to a client: a scheduler writes nothing of itself but its Lease.
void advise_look(SilentScheduler& silent, bool is_default) {
  silent.not_checked.emplace_back("whether that scheduler runs: only what it writes can be seen");
  silent.advice.push_back(
      {.summary = "see whether that scheduler runs: one that does renews its Lease every few "
                  "seconds",
       .command = is_default ? "kubectl get lease kube-scheduler -n kube-system -o "
                               "jsonpath='{.spec.renewTime}'"
                             : "kubectl get leases -A"});
}

/// What follows of when it last bound another pod.
std::string state_text(const std::optional<Time>& last, const Pod& pod, const Time& now,
                       bool is_default) {
  if (!last || *last <= *pod.created)
    return is_default ? ": it does not run, or does not keep up"
                      : ": it does not run, does not keep up";
  if (now - *last <= patience_for(WaitFor::first_scheduling))
    return ", and has bound other pods since: it does not keep up";
  return fmt::format(
      ", and has bound other pods since, the last {} ago: it does not "
      "keep up, or has stopped",
      human_duration(now - *last));
}

}  // namespace

std::optional<SilentScheduler> silent_scheduler(const scheduler::Cluster& cluster, const Pod& pod,
                                                const std::optional<Time>& now) {
  if (!now || !pod.created || *now - *pod.created <= patience_for(WaitFor::first_scheduling) ||
      has_answer(pod))
    return std::nullopt;
  const std::string_view name =
      pod.scheduler_name.empty() ? kDefaultScheduler : std::string_view(pod.scheduler_name);
  const bool is_default = name == kDefaultScheduler;
  const auto last = cluster.shared<KnownSchedulers>().last_binding(pod.scheduler_name);
  SilentScheduler silent{
      .summary =
          fmt::format("{} has said nothing of it for {}{}{}", name,
                      human_duration(*now - *pod.created), state_text(last, pod, *now, is_default),
                      is_default ? "" : ", or holds the pod back by rules of its own"),
      .nearest = fmt::format("{} has said nothing of it", name),
      .remarks = {{"this is inferred: the pod has no condition PodScheduled; a scheduler that runs "
                   "writes it, or binds the pod, within moments"}},
      .advice = {},
      .not_checked = {}};
  const auto idle = is_default ? idle_scheduler(cluster.snapshot()) : std::nullopt;
  if (idle)
    blame_pod(silent, *idle);
  else
    advise_look(silent, is_default);
  return silent;
}

}  // namespace gpu::diagnose
