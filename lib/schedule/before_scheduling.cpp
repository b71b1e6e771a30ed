#include "schedule/before_scheduling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.hpp"
#include "model/gpu_resource.hpp"
#include "schedule/amounts.hpp"
#include "schedule/kueue.hpp"
#include "schedule/pod_events.hpp"
#include "schedule/pod_identity.hpp"

namespace gpu::schedule {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";
/// A scheduler that runs writes a condition within moments.
constexpr std::chrono::seconds kMoments{30};

bool is_kueue_gate(std::string_view gate) { return gate.starts_with("kueue.x-k8s.io/"); }

void take_hold(Explanation& answer, QueueHold&& hold) {
  answer.code = Code::held_by_queue;
  answer.summary = std::move(hold.summary);
  answer.nearest = std::move(hold.nearest);
  answer.remarks = std::move(hold.remarks);
  answer.advice = std::move(hold.advice);
}

/// A pod that Kueue gates, by its Workload.
void explain_kueue_gate(Explanation& answer, const Cluster& cluster, const Pod& pod) {
  answer.code = Code::held_by_queue;
  answer.nearest = "Kueue has not admitted it";
  const QueuedWorkload* const workload = workload_of(cluster, pod);
  if (workload == nullptr) {
    const bool is_seen = sight_of(cluster.snapshot().scheduling, "workloads") == Sight::whole;
    answer.summary =
        is_seen ? "Kueue holds it back, and has made no Workload for it" : "Kueue holds it back";
    if (!is_seen) answer.not_checked.emplace_back("Kueue's Workloads, which could not be read");
    return;
  }
  if (auto hold = queue_hold(cluster, *workload)) return take_hold(answer, *std::move(hold));
  answer.summary = "Kueue has admitted it, and is about to take its gate off";
}

std::string gates_text(const Pod& pod) {
  std::string text;
  for (const std::string& gate : pod.scheduling_gates) text += (text.empty() ? "" : ", ") + gate;
  return text;
}

bool is_known_scheduler(const Cluster& cluster, const Pod& pod) {
  const std::string& name = pod.scheduler_name;
  if (name.empty() || name == kDefaultScheduler) return true;
  const bool answered =
      std::any_of(pod.conditions.begin(), pod.conditions.end(),
                  [](const Condition& each) { return each.type == "PodScheduled"; });
  if (answered) return true;
  const Snapshot& snapshot = cluster.snapshot();
  const auto& leases = snapshot.scheduling.leases;
  if (std::find(leases.begin(), leases.end(), name) != leases.end()) return true;
  const auto& events = snapshot.scheduling.events;
  if (std::any_of(events.begin(), events.end(),
                  [&](const Event& event) { return event.reporter == name; }))
    return true;
  return std::any_of(snapshot.pods.begin(), snapshot.pods.end(), [&](const Pod& other) {
    return other.scheduler_name == name && !other.node_name.empty();
  });
}

void explain_unknown_scheduler(Explanation& answer, const Pod& pod) {
  answer.code = Code::unknown_scheduler;
  answer.summary = fmt::format("its scheduler {} does not seem to run", pod.scheduler_name);
  answer.nearest = "no scheduler " + pod.scheduler_name;
  answer.remarks.push_back(
      {"this is inferred: no pod was bound by it, it wrote no event and no condition, and no Lease "
       "in kube-system has its name"});
  answer.advice.push_back(
      {.summary = "correct or leave out spec.schedulerName, or start that scheduler"});
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// What a scheduler of gangs wrote: kube-scheduler's own, Volcano, coscheduling.
const Condition* gang_condition(const Pod& pod) {
  static constexpr std::array<std::string_view, 6> kParts = {
      "pod group", "podGroup", "PodGroup", "from a gang", "sibling pods", "gang unschedulable"};
  for (const Condition& condition : pod.conditions)
    if (condition.type == "PodScheduled" && condition.status == "False" &&
        std::any_of(kParts.begin(), kParts.end(),
                    [&](std::string_view part) { return contains(condition.message, part); }))
      return &condition;
  return nullptr;
}

void explain_gang(Explanation& answer, const Cluster& cluster, const Pod& pod,
                  const Condition& condition) {
  answer.code = Code::gang_waiting;
  answer.summary = "its group of pods does not start yet: " + condition.message;
  answer.nearest = "its group is not complete, or does not fit";
  for (const Event& event : cluster.snapshot().scheduling.events) {
    if (event.kind != "PodGroup" || event.ns != pod.ns || event.type == "Normal") continue;
    answer.remarks.push_back({fmt::format("podgroup/{}: {}", event.object, event.message)});
    // volcano#3426: some versions take a dimension that capability leaves out as 0.
    if (contains(event.message, "queue resource quota insufficient"))
      answer.advice.push_back(
          {.summary = "look at the Queue's spec.capability: some versions of Volcano take a name "
                      "that is not listed there, such as pods, as 0; add it, or upgrade Volcano"});
    break;
  }
  answer.not_checked.emplace_back("what the scheduler of groups asks for beside its message");
}

/// What a FailedCreate event says, as a reason.
struct Refused {
  Code code{};
  std::string_view lead;
};

Refused refusal_of(std::string_view message) {
  if (contains(message, "exceeded quota"))
    return {Code::quota_exceeded, "the namespace's quota is used up: "};
  if (contains(message, "failed quota"))
    return {Code::quota_needs_requests, "the namespace's quota asks for requests that it lacks: "};
  const bool is_bound =
      contains(message, "usage per Container") || contains(message, "usage per Pod") ||
      contains(message, "No limit is specified") || contains(message, "limit to request ratio");
  if (is_bound) return {Code::limit_range, "a LimitRange of the namespace refuses it: "};
  return {Code::admission_rejected, "the API server refuses its pods: "};
}

/// What stands behind `Error creating: pods "x" is forbidden: `.
std::string told_by(std::string_view message) {
  constexpr std::string_view kForbidden = "is forbidden: ";
  const std::size_t at = message.find(kForbidden);
  return std::string(at == std::string_view::npos ? message
                                                  : message.substr(at + kForbidden.size()));
}

std::string advice_for(Code code) {
  if (code == Code::quota_exceeded)
    return "end something in the namespace that counts against the quota, ask for less, or have "
           "the quota raised";
  if (code == Code::quota_needs_requests)
    return "give every container the requests and limits that the quota names, or have a "
           "LimitRange "
           "set defaults for them";
  if (code == Code::limit_range)
    return "ask for what the namespace's LimitRange allows: kubectl describe limitrange";
  return "change the pod template as the message says";
}

/// Events of the owner, and of the ReplicaSets of a Deployment or Jobs of a CronJob.
const Event* failed_create(const Cluster& cluster, std::string_view ns, const Owner& owner) {
  const Event* newest = nullptr;
  for (const Event& event : cluster.snapshot().scheduling.events) {
    if (event.reason != "FailedCreate" || event.ns != ns) continue;
    const bool is_own = event.kind == owner.kind && event.object == owner.name;
    const bool is_child = (event.kind == "ReplicaSet" || event.kind == "Job") &&
                          event.kind != owner.kind && event.object.starts_with(owner.name + "-");
    if (!is_own && !is_child) continue;
    if (newest == nullptr || event.last.value_or(Time::min()) >= newest->last.value_or(Time::min()))
      newest = &event;
  }
  return newest;
}

/// A Job's newest word about being suspended, while its controller's events last; null once it is
/// resumed.
const Event* suspension(const Cluster& cluster, std::string_view ns, const Owner& owner) {
  const Event* newest = nullptr;
  for (const Event& event : cluster.snapshot().scheduling.events) {
    if (event.kind != owner.kind || event.object != owner.name || event.ns != ns) continue;
    if (event.reason != "Suspended" && event.reason != "Resumed") continue;
    if (newest == nullptr || event.last.value_or(Time::min()) >= newest->last.value_or(Time::min()))
      newest = &event;
  }
  return newest != nullptr && newest->reason == "Suspended" ? newest : nullptr;
}

bool has_queues(const SchedulingFacts& facts) {
  return !facts.workloads.empty() || !facts.local_queues.empty() || !facts.cluster_queues.empty();
}

/// A Job that no Workload stands for: Kueue goes by its label.
void explain_suspended(Explanation& answer, const SchedulingFacts& facts) {
  answer.code = Code::held_by_queue;
  answer.summary = "the Job is suspended (spec.suspend: true)";
  answer.nearest = "it is suspended";
  answer.advice.push_back(
      {.summary = "resume it",
       .command = fmt::format(
           "kubectl patch job {} -n {} --type merge -p '{{\"spec\":{{\"suspend\":false}}}}'",
           shell_quoted(answer.name), shell_quoted(answer.ns))});
  if (sight_of(facts, "workloads") != Sight::whole)
    answer.not_checked.emplace_back("Kueue's Workloads, which could not be read");
  if (!has_queues(facts)) return;
  answer.summary += ", and Kueue has no Workload for it";
  answer.remarks.push_back(
      {"Kueue looks after Jobs that have the label "
       "kueue.x-k8s.io/queue-name; others are resumed by whoever suspended "
       "them"});
  answer.advice.push_back(
      {.summary = "or give it a queue",
       .command = fmt::format("kubectl label job {} -n {} kueue.x-k8s.io/queue-name=QUEUE",
                              shell_quoted(answer.name), shell_quoted(answer.ns))});
}

/// All that a Workload's pods ask for, together.
void take_asks(Explanation& answer, const QueuedWorkload& workload) {
  std::map<std::string, std::int64_t> sums;
  for (const PodSet& set : workload.pod_sets)
    for (const auto& [name, amount] : set.requests) {
      const std::int64_t all = capped_product(compared_amount(name, amount), set.count);
      if (all > 0) sums[name] = capped_sum(sums[name], all);
      if (const auto resource = gpu_resource(name); resource && !resource->is_memory)
        answer.gpus = capped_sum(answer.gpus, std::max<std::int64_t>(0, all));
    }
  for (const auto& [name, amount] : sums) answer.asks.push_back({name, amount});
  sort_asks(answer.asks);
}

Explanation unmade(std::string_view ns, const Owner& owner) {
  Explanation answer{.ns = std::string(ns), .name = owner.name, .kind = owner.kind, .owner = owner};
  answer.names = {owner.name};
  return answer;
}

Explanation held_back(const QueuedWorkload& workload, const Owner& owner, QueueHold&& hold,
                      const ExplainOptions& options) {
  Explanation answer = unmade(workload.ns, owner);
  take_hold(answer, std::move(hold));
  if (options.now && workload.created)
    answer.waiting = std::max(std::chrono::seconds{0}, *options.now - *workload.created);
  take_asks(answer, workload);
  return answer;
}

Owner owner_of(const QueuedWorkload& workload) {
  if (workload.owners.empty())
    return {.kind = "Workload", .name = workload.name, .uid = workload.uid, .api_version = {}};
  const OwnerReference& first = workload.owners.front();
  return {.kind = first.kind, .name = first.name, .uid = first.uid, .api_version = {}};
}

/// Names an object by its uid, or by what else tells it from others.
std::string key_of(std::string_view ns, std::string_view kind, std::string_view name,
                   std::string_view uid) {
  return uid.empty() ? fmt::format("{}/{}/{}", ns, kind, name) : std::string(uid);
}

bool has_pods(const Snapshot& snapshot, std::string_view ns, const Owner& owner) {
  const std::string key = key_of(ns, owner.kind, owner.name, owner.uid);
  return std::any_of(snapshot.pods.begin(), snapshot.pods.end(), [&](const Pod& pod) {
    const Owner top = top_owner(pod, snapshot);
    return key_of(pod.ns, top.kind, top.name, top.uid) == key ||
           std::any_of(pod.owners.begin(), pod.owners.end(), [&](const OwnerReference& each) {
             return key_of(pod.ns, each.kind, each.name, each.uid) == key;
           });
  });
}

/// What Kueue has let go and has no pods: it comes to have them, or had them.
std::optional<Explanation> let_go(const Cluster& cluster, const QueuedWorkload& workload,
                                  const Owner& owner) {
  if (has_pods(cluster.snapshot(), workload.ns, owner_of(workload))) return std::nullopt;
  const bool is_finished = std::any_of(
      workload.conditions.begin(), workload.conditions.end(),
      [](const Condition& each) { return each.type == "Finished" && each.status == "True"; });
  Explanation answer = unmade(workload.ns, owner);
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.summary = is_finished ? "it has finished, and its pods are gone"
                               : "Kueue has admitted it, and its pods are about to be made";
  return answer;
}

/// Who has pods that are not about to go.
std::set<std::string> owners_with_pods(const Snapshot& snapshot) {
  std::set<std::string> owners;
  for (const Pod& pod : snapshot.pods) {
    if (pod.deleted || is_finished(pod)) continue;
    for (const OwnerReference& owner : pod.owners)
      owners.insert(key_of(pod.ns, owner.kind, owner.name, owner.uid));
    const Owner top = top_owner(pod, snapshot);
    owners.insert(key_of(pod.ns, top.kind, top.name, top.uid));
  }
  return owners;
}

}  // namespace

std::optional<Explanation> before_scheduling(const Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  if (pod.deleted) {
    answer.is_blocked = false;
    answer.code = Code::starting;
    answer.summary = "it is being deleted";
    return answer;
  }
  if (!pod.scheduling_gates.empty()) {
    if (std::any_of(pod.scheduling_gates.begin(), pod.scheduling_gates.end(), is_kueue_gate)) {
      explain_kueue_gate(answer, cluster, pod);
      return answer;
    }
    answer.code = Code::scheduling_gated;
    answer.summary = fmt::format("the scheduler does not look at it: gate {}", gates_text(pod));
    answer.nearest = "gate " + pod.scheduling_gates.front();
    return answer;
  }
  const bool is_new = answer.waiting && *answer.waiting < kMoments;
  if (!is_new && !is_known_scheduler(cluster, pod)) {
    explain_unknown_scheduler(answer, pod);
    return answer;
  }
  if (const Condition* gang = gang_condition(pod)) {
    explain_gang(answer, cluster, pod, *gang);
    return answer;
  }
  return std::nullopt;
}

std::optional<Explanation> never_created(const Cluster& cluster, std::string_view ns,
                                         const Owner& owner, const ExplainOptions& options) {
  const auto* const workload = workload_of(cluster, ns, owner.kind, owner.name, owner.uid);
  if (workload != nullptr) {
    if (auto hold = queue_hold(cluster, *workload))
      return held_back(*workload, owner, *std::move(hold), options);
  } else if (const Event* const suspended = suspension(cluster, ns, owner)) {
    Explanation answer = unmade(ns, owner);
    explain_suspended(answer, cluster.snapshot().scheduling);
    if (options.now && suspended->last) answer.waiting = *options.now - *suspended->last;
    return answer;
  }
  const Event* const event = failed_create(cluster, ns, owner);
  if (event == nullptr)
    return workload == nullptr ? std::nullopt : let_go(cluster, *workload, owner);
  Explanation answer = unmade(ns, owner);
  const Refused refused = refusal_of(event->message);
  answer.code = refused.code;
  answer.summary = std::string(refused.lead) + told_by(event->message);
  answer.advice.push_back({.summary = advice_for(refused.code)});
  answer.nearest = "no pod was made";
  if (options.now && event->first) answer.waiting = *options.now - *event->first;
  return answer;
}

std::vector<Explanation> held_without_pods(const Cluster& cluster, std::string_view ns,
                                           const ExplainOptions& options) {
  std::vector<Explanation> answers;
  std::optional<std::set<std::string>> with_pods;  // only where something is held at all
  for (const QueuedWorkload& workload : cluster.snapshot().scheduling.workloads) {
    if (!ns.empty() && workload.ns != ns) continue;
    const Owner owner = owner_of(workload);
    if (owner.kind == "Pod") continue;  // a pod speaks for itself
    auto hold = queue_hold(cluster, workload);
    if (!hold) continue;
    if (!with_pods) with_pods = owners_with_pods(cluster.snapshot());
    if (!with_pods->contains(key_of(workload.ns, owner.kind, owner.name, owner.uid)))
      answers.push_back(held_back(workload, owner, *std::move(hold), options));
  }
  std::stable_sort(answers.begin(), answers.end(), [](const Explanation& a, const Explanation& b) {
    return a.waiting > b.waiting;
  });
  return answers;
}

}  // namespace gpu::schedule
