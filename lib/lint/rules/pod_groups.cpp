#include <fmt/format.h>

#include <set>

#include "lint/rules/training_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr auto kGroupRestarts = std::to_array<std::string_view>(
    {"RecreateGroupOnPodRestart", "RecreateGroupAfterStart", "None"});
constexpr auto kEvents = std::to_array<std::string_view>(
    {"*", "PodPending", "PodRunning", "PodFailed", "PodEvicted", "Unknown", "TaskCompleted",
     "OutOfSync", "CommandIssued", "JobUpdated", "TaskFailed"});

void check_size(const ObjectSubject& object, Findings& findings) {
  const json& size = object.value("/spec/leaderWorkerTemplate/size");
  const Pointer at = object.in_document("/spec/leaderWorkerTemplate/size");
  if (const auto number = integer_of(size); number && *number < 1)
    findings.add(rule(TrainingRule::size), at, fmt::format("the group has {} pods", *number),
                 "write at least 1");
  if (size.is_null() && object.value("/spec/leaderWorkerTemplate/leaderTemplate").is_object())
    findings.add(rule(TrainingRule::size_missing), at,
                 "the group has no size, so the leader is its only pod",
                 "write size, the number of pods with the leader");
}

void check_group_restart(const ObjectSubject& object, Findings& findings) {
  const char* const policy_at = "/spec/leaderWorkerTemplate/restartPolicy";
  const std::string_view policy = text_at(object.object, policy_at);
  const Pointer at = object.in_document(policy_at);
  if (policy == "Default")
    findings.add(rule(TrainingRule::group_restart_old), at, "restartPolicy is Default, now None",
                 "write None", Edit{Edit::Kind::set, at, "None"});
  else if (!policy.empty() && !is_one_of(policy, kGroupRestarts))
    findings.add(rule(TrainingRule::group_restart), at,
                 fmt::format("a group has no restartPolicy {}", policy),
                 write_one(policy, kGroupRestarts), set_nearest(policy, kGroupRestarts, at));
  for (const char* const pod : {"/spec/leaderWorkerTemplate/leaderTemplate/spec/restartPolicy",
                                "/spec/leaderWorkerTemplate/workerTemplate/spec/restartPolicy"}) {
    const std::string_view of_pod = text_at(object.object, pod);
    if (!of_pod.empty() && of_pod != "Always")
      findings.add(rule(TrainingRule::group_pods), object.in_document(pod),
                   fmt::format("the pods have restartPolicy {}", of_pod), "write Always",
                   Edit{Edit::Kind::set, object.in_document(pod), "Always"});
  }
}

bool is_zero(const json& amount) { return amount == 0 || amount == "0" || amount == "0%"; }

/// The events of a list of policies.
void check_events(const json& policies, const Pointer& at, Findings& findings) {
  const auto check = [&](const json& event, const Pointer& here) {
    if (!event.is_string()) return;
    const std::string name = written(event);
    if (is_one_of(name, kEvents)) return;
    findings.add(rule(TrainingRule::event), here, fmt::format("there is no event {}", name),
                 write_one(name, kEvents), set_nearest(name, kEvents, here));
  };
  for (std::size_t i = 0; i < policies.size(); ++i) {
    check(value_at(policies[i], Pointer("/event")), at / i / "event");
    const json& events = list_at(policies[i], "/events");
    for (std::size_t k = 0; k < events.size(); ++k) check(events[k], at / i / "events" / k);
  }
}

void check_task_name(const json& task, const Pointer& at, std::set<std::string>& names,
                     Findings& findings) {
  constexpr std::size_t kMost = 63;
  const std::string name(text_at(task, "/name"));
  if (name.empty()) return;
  // A digit may come first, unlike in a DNS-1035 label.
  const bool is_valid = is_dns_1035(name.front() == '-' ? name : "a" + name);
  if (!is_valid || name.size() > kMost)
    findings.add(rule(TrainingRule::task_name), at / "name",
                 fmt::format("a task cannot be called {}", name),
                 "write small letters, digits and dashes, at most 63");
  else if (!names.insert(name).second)
    findings.add(rule(TrainingRule::task_name), at / "name",
                 fmt::format("two tasks are called {}", name), "write another name");
}

}  // namespace

void check_leader_worker_set(const ObjectSubject& object, Findings& findings) {
  check_size(object, findings);
  check_group_restart(object, findings);
  const Pointer rollout("/spec/rolloutStrategy/rollingUpdateConfiguration");
  const json& unavailable = value_at(object.object, rollout / "maxUnavailable");
  const json& surge = value_at(object.object, rollout / "maxSurge");
  if (is_zero(unavailable) && (surge.is_null() || is_zero(surge)))
    findings.add(rule(TrainingRule::group_rollout), object.at / rollout / "maxUnavailable",
                 "maxUnavailable is 0, and so is maxSurge", "write maxUnavailable: 1",
                 Edit{Edit::Kind::set, object.at / rollout / "maxUnavailable", 1});
}

void check_volcano_job(const ObjectSubject& object, Findings& findings) {
  const json& tasks = list_at(object.object, "/spec/tasks");
  std::set<std::string> names;
  std::optional<std::int64_t> pods = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Pointer at = object.in_document("/spec/tasks") / i;
    check_task_name(tasks[i], at, names, findings);
    check_events(list_at(tasks[i], "/policies"), at / "policies", findings);
    const auto replicas = integer_at(tasks[i], "/replicas");
    constexpr std::int64_t kMany = 1'000'000;
    pods = pods && replicas && *replicas >= 0 && *replicas < kMany
               ? std::optional(*pods + *replicas)
               : std::nullopt;
  }
  check_events(list_at(object.object, "/spec/policies"), object.in_document("/spec/policies"),
               findings);
  const auto least = integer_at(object.object, "/spec/minAvailable");
  const Pointer at = object.in_document("/spec/minAvailable");
  if (least && pods && !tasks.empty() && *least > *pods)
    findings.add(rule(TrainingRule::min_available), at,
                 fmt::format("minAvailable is {}, and the tasks have {} pods", *least, *pods),
                 fmt::format("write {}", *pods), Edit{Edit::Kind::set, at, *pods});
  const std::string_view scheduler = text_at(object.object, "/spec/schedulerName");
  const Pointer scheduler_at = object.in_document("/spec/schedulerName");
  if (!scheduler.empty() && scheduler != "volcano")
    findings.add(rule(TrainingRule::scheduler), scheduler_at,
                 fmt::format("schedulerName is {}", scheduler), "write volcano");
}

}  // namespace gpu::lint
