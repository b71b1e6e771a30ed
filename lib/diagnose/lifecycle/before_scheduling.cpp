#include "diagnose/lifecycle/before_scheduling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "admission/kueue/workload.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/lifecycle/gang.hpp"
#include "diagnose/lifecycle/known_schedulers.hpp"
#include "diagnose/lifecycle/overdue_end.hpp"
#include "diagnose/lifecycle/own_rules.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/pod_events.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";
/// A scheduler that runs writes a condition within moments.
constexpr std::chrono::seconds kMoments{30};

bool is_kueue_gate(std::string_view gate) { return gate.starts_with("kueue.x-k8s.io/"); }

void take_hold(Explanation& answer, admission::QueueHold&& hold) {
  answer.code = Code::held_by_queue;
  answer.summary = text_of(hold);
  answer.nearest = std::move(hold.nearest);
  answer.remarks = std::move(hold.remarks);
  answer.advice = std::move(hold.advice);
  answer.not_checked = std::move(hold.not_checked);
  answer.fixes = std::move(hold.fixes);
}

/// A pod that Kueue gates, by its Workload.
void explain_kueue_gate(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod) {
  answer.code = Code::held_by_queue;
  answer.nearest = "Kueue has not admitted it";
  const QueuedWorkload* const workload = admission::workload_of(cluster, pod);
  if (workload == nullptr) {
    const bool is_seen = coverage_of(cluster.snapshot().scheduling, "workloads") == Coverage::whole;
    answer.summary =
        is_seen ? "Kueue holds it back, and has made no Workload for it" : "Kueue holds it back";
    if (!is_seen) answer.not_checked.emplace_back("Kueue's Workloads, which could not be read");
    answer.advice.push_back(
        {.summary = is_seen ? "see whether Kueue runs, and looks after this kind "
                              "(integrations.frameworks)"
                            : "see what Kueue says of the pod's Workload",
         .command = is_seen ? "kubectl get pods -n kueue-system"
                            : "kubectl describe workloads -n " + shell_quoted(pod.ns)});
    return;
  }
  if (auto hold = admission::queue_hold(cluster, *workload))
    return take_hold(answer, *std::move(hold));
  answer.summary = "Kueue has admitted it, and is about to take its gate off";
}

bool is_known_scheduler(const scheduler::Cluster& cluster, const Pod& pod) {
  const std::string& name = pod.scheduler_name;
  if (name.empty() || name == kDefaultScheduler) return true;
  return condition_of(pod.conditions, "PodScheduled") != nullptr || own_word(cluster, pod) ||
         cluster.shared<KnownSchedulers>().contains(name);
}

void explain_unknown_scheduler(Explanation& answer, const scheduler::Cluster& cluster,
                               const Pod& pod) {
  answer.code = Code::unknown_scheduler;
  answer.summary = fmt::format("its scheduler {} does not seem to run", pod.scheduler_name);
  answer.nearest = "no scheduler " + pod.scheduler_name;
  const bool sees_leases = coverage_of(cluster.snapshot().scheduling, "leases") == Coverage::whole;
  const bool sees_events = coverage_of(cluster.snapshot().scheduling, "events") == Coverage::whole;
  if (!sees_leases && !sees_events)
    answer.summary =
        fmt::format("nothing that was read shows that its scheduler {} runs", pod.scheduler_name);
  const std::string_view wrote =
      sees_events ? "it wrote no event and no condition" : "it wrote no condition";
  answer.remarks.push_back(
      {sees_leases ? fmt::format("this is inferred: no pod was bound by it, {}, and no Lease in "
                                 "kube-system has its name",
                                 wrote)
                   : fmt::format("this is inferred: no pod was bound by it, and {}", wrote)});
  if (!sees_leases)
    answer.not_checked.emplace_back("whether a Lease in kube-system has its name: none was read");
  if (!sees_events) answer.not_checked.emplace_back("whether it wrote events: not all were read");
  answer.advice.push_back(
      {.summary = "correct or leave out spec.schedulerName, or start that scheduler"});
}

void explain_end(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod,
                 const ExplainOptions& options) {
  auto kept = overdue_end(cluster, pod, options);
  answer.is_blocked = kept.has_value();
  answer.code = kept ? kept->code : Code::starting;
  answer.summary = kept ? std::move(kept->summary) : "it is being deleted";
  if (!kept) return;
  answer.advice = std::move(kept->advice);
  answer.nearest = "it does not end";
  if (options.now) answer.waiting = *options.now - *pod.deleted;
}

/// All that a Workload's pods ask for, together.
void take_asks(Explanation& answer, const QueuedWorkload& workload) {
  std::map<std::string, std::int64_t> sums;
  std::int64_t gpus = 0;
  for (const PodSet& set : workload.pod_sets)
    for (const auto& [name, amount] : set.requests) {
      const std::int64_t all = capped_product(scheduler::compared_amount(name, amount), set.count);
      if (all > 0) sums[name] = capped_sum(sums[name], all);
      if (const auto resource = gpu_resource(name); resource && !resource->is_memory)
        gpus = capped_sum(gpus, std::max<std::int64_t>(0, all));
    }
  answer.gpus = gpus;
  for (const auto& [name, amount] : sums) answer.requests.push_back({name, amount});
  sort_asks(answer.requests);
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

std::optional<Explanation> before_scheduling(const scheduler::Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  if (pod.deleted) {
    explain_end(answer, cluster, pod, options);
    return answer;
  }
  if (!pod.scheduling_gates.empty()) {
    if (std::any_of(pod.scheduling_gates.begin(), pod.scheduling_gates.end(), is_kueue_gate)) {
      explain_kueue_gate(answer, cluster, pod);
      return answer;
    }
    answer.code = Code::scheduling_gated;
    answer.summary =
        fmt::format("the scheduler does not look at it: gate {}", joined(pod.scheduling_gates));
    answer.nearest = "gate " + pod.scheduling_gates.front();
    std::string command;  // a pod of a manifest is not there to be got
    if (options.manifest.empty())
      command = fmt::format("kubectl get pod {} -n {} -o yaml", shell_quoted(pod.name),
                            shell_quoted(pod.ns));
    answer.advice.push_back(
        {.summary = "ask whoever sets this gate: the pod waits until it is taken off",
         .command = std::move(command)});
    return answer;
  }
  const bool is_new = answer.waiting && *answer.waiting < kMoments;
  if (!is_new && !is_known_scheduler(cluster, pod)) {
    explain_unknown_scheduler(answer, cluster, pod);
    return answer;
  }
  if (explain_gang(answer, cluster, pod)) return answer;
  return std::nullopt;
}

Explanation answer_for_owner(std::string_view ns, const Owner& owner) {
  Explanation answer{.ns = std::string(ns), .name = owner.name, .kind = owner.kind, .owner = owner};
  answer.names = {owner.name};
  return answer;
}

Explanation suspended_by_queue(const QueuedWorkload& workload, const Owner& owner,
                               admission::QueueHold&& hold, const ExplainOptions& options) {
  Explanation answer = answer_for_owner(workload.ns, owner);
  take_hold(answer, std::move(hold));
  if (options.now && workload.created)
    answer.waiting = std::max(std::chrono::seconds{0}, *options.now - *workload.created);
  take_asks(answer, workload);
  return answer;
}

std::optional<Explanation> admitted_without_pods(const scheduler::Cluster& cluster,
                                                 const QueuedWorkload& workload,
                                                 const Owner& owner) {
  if (has_pods(cluster.snapshot(), workload.ns, owner_of(workload))) return std::nullopt;
  const bool is_finished = is_true(workload.conditions, "Finished");
  Explanation answer = answer_for_owner(workload.ns, owner);
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.summary = is_finished ? "it has finished, and its pods are gone"
                               : "Kueue has admitted it, and its pods are about to be made";
  return answer;
}

std::vector<Explanation> held_without_pods(const scheduler::Cluster& cluster, std::string_view ns,
                                           const ExplainOptions& options) {
  std::vector<Explanation> answers;
  std::optional<std::set<std::string>> with_pods;  // only where something is held at all
  for (const QueuedWorkload& workload : cluster.snapshot().scheduling.workloads) {
    if (!ns.empty() && workload.ns != ns) continue;
    const Owner owner = owner_of(workload);
    if (owner.kind == "Pod") continue;  // a pod speaks for itself
    auto hold = admission::queue_hold(cluster, workload);
    if (!hold) continue;
    if (!with_pods) with_pods = owners_with_pods(cluster.snapshot());
    if (!with_pods->contains(key_of(workload.ns, owner.kind, owner.name, owner.uid)))
      answers.push_back(suspended_by_queue(workload, owner, *std::move(hold), options));
  }
  std::stable_sort(answers.begin(), answers.end(), [](const Explanation& a, const Explanation& b) {
    return a.waiting > b.waiting;
  });
  return answers;
}

}  // namespace gpu::diagnose
