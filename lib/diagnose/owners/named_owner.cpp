#include "diagnose/owners/named_owner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "admission/kueue/workload.hpp"
#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/lifecycle/before_scheduling.hpp"
#include "diagnose/lifecycle/gang.hpp"
#include "diagnose/owners/owner_forecast.hpp"
#include "diagnose/owners/refused_creation.hpp"
#include "diagnose/owners/suspended_owner.hpp"
#include "model/objects/own_kind.hpp"
#include "model/objects/workload_end.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::diagnose {
namespace {

/// A controller makes pods within moments.
constexpr std::chrono::seconds kMoments{30};

/// Two kinds are one where what is known of their groups agrees.
bool is_same_kind(std::string_view kind, std::string_view api_version, const Owner& owner) {
  if (api_version.empty() || owner.api_version.empty()) return kind == owner.kind;
  const WorkloadKind* const known = workload_kind(kind, api_version);
  return known != nullptr && known == workload_kind(owner.kind, owner.api_version);
}

bool is_it(const OwnerReference& reference, const Owner& owner) {
  if (!owner.uid.empty() && !reference.uid.empty()) return reference.uid == owner.uid;
  return reference.name == owner.name && is_same_kind(reference.kind, reference.api_version, owner);
}

void calm(Explanation& answer, std::string summary) {
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.summary = std::move(summary);
  answer.waiting.reset();
}

bool explain_end(Explanation& answer, const WorkloadObject& object) {
  const auto end = end_of(object);
  if (!end) return false;
  std::string summary = end->has_failed ? "it has failed" : "it has finished";
  if (end->has_failed && !end->condition->message.empty())
    summary += ": " + end->condition->message;
  calm(answer, std::move(summary));
  return true;
}

/// What a Deployment or ReplicaSet keeps of a FailedCreate event, for as long as it is true.
const Condition* refused_condition(const WorkloadObject& object) {
  for (const Condition& condition : object.conditions) {
    const bool is_replicas = condition.type == "ReplicaFailure" && condition.status == "True" &&
                             condition.reason == "FailedCreate";
    const bool is_replica_set = condition.type == "Progressing" && condition.status == "False" &&
                                condition.reason == "ReplicaSetCreateError";
    if (is_replicas || is_replica_set) return &condition;
  }
  return nullptr;
}

std::int64_t pods_of(const Snapshot& snapshot, std::string_view ns, const Owner& owner) {
  return std::count_if(snapshot.pods.begin(), snapshot.pods.end(), [&](const Pod& pod) {
    return !pod.deleted && !is_finished(pod) && is_made_by(pod, ns, owner, snapshot);
  });
}

std::optional<std::chrono::seconds> since(const std::optional<Time>& now,
                                          const std::optional<Time>& then) {
  if (!now || !then) return std::nullopt;
  return std::max(std::chrono::seconds{0}, *now - *then);
}

std::string no_pods_text(const WorkloadObject& object) {
  if (is_own(object, "DaemonSet")) return "it requests no pods: no node is one of those it is for";
  return fmt::format("it requests no pods (spec.{}: 0)",
                     is_own(object, "Job") ? "parallelism" : "replicas");
}

/// What the object says of itself.
std::optional<Explanation> told_by_object(const scheduler::Cluster& cluster,
                                          const WorkloadObject& object, const Owner& owner,
                                          const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  Explanation answer = answer_for_owner(object.ns, owner);
  answer.waiting = since(options.now, object.created);
  if (explain_end(answer, object)) return answer;
  if (object.is_suspended) {
    explain_suspended(answer, snapshot.scheduling, &object);
    return answer;
  }
  const std::int64_t pods = pods_of(snapshot, object.ns, owner);
  if (object.wanted == 0 && pods == 0) {
    calm(answer, no_pods_text(object));
    return answer;
  }
  const Condition* const refused = refused_condition(object);
  if (refused == nullptr || (object.wanted && pods >= *object.wanted)) return std::nullopt;
  explain_refusal(answer, refused->message);
  answer.waiting = since(options.now, refused->last_transition);
  return answer;
}

/// Events last an hour, and are all there is where the object was not read.
std::optional<Explanation> told_by_suspension(const scheduler::Cluster& cluster,
                                              std::string_view ns, const Owner& owner,
                                              const ExplainOptions& options) {
  const Event* const suspended = suspension(cluster, ns, owner);
  if (suspended == nullptr) return std::nullopt;
  Explanation answer = answer_for_owner(ns, owner);
  explain_suspended(answer, cluster.snapshot().scheduling, nullptr);
  answer.waiting = since(options.now, suspended->last);
  return answer;
}

std::optional<Explanation> told_by_refusal(const scheduler::Cluster& cluster, std::string_view ns,
                                           const Owner& owner, const WorkloadObject* object,
                                           const ExplainOptions& options) {
  const Event* const event = failed_create(cluster, ns, owner);
  if (event == nullptr) return std::nullopt;
  // It came to have its pods since.
  if (object != nullptr && object->wanted &&
      pods_of(cluster.snapshot(), ns, owner) >= *object->wanted)
    return std::nullopt;
  Explanation answer = answer_for_owner(ns, owner);
  explain_refusal(answer, event->message);
  answer.waiting = since(options.now, event->first);
  return answer;
}

/// A paused Deployment makes no ReplicaSet for a new template, and so no first pods.
bool explain_pause(Explanation& answer, const WorkloadObject& object) {
  if (!is_true(object.conditions, "Paused")) return false;
  answer.code = Code::held_by_queue;
  answer.summary = fmt::format(
      "the {} is paused (spec.paused: true), and creates no pods of its "
      "template until it is resumed",
      object.kind);
  answer.nearest = "it is paused";
  // A Rollout is resumed by a plugin of its own.
  const std::string place =
      fmt::format("{} -n {}", shell_quoted(object.name), shell_quoted(object.ns));
  answer.advice.push_back({.summary = "resume it",
                           .command = is_own(object, "Deployment")
                                          ? "kubectl rollout resume deployment " + place
                                          : fmt::format("kubectl patch {} {} --type merge -p "
                                                        "'{{\"spec\":{{\"paused\":false}}}}'",
                                                        kubectl_kind(object), place)});
  return true;
}

/// Of kinds that may stand for long without a pod.
bool may_rest(std::string_view kind) {
  static constexpr std::array<std::string_view, 6> kKinds = {
      "Service",          "Configuration",       "Revision",
      "InferenceService", "LLMInferenceService", "RayService"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// An object without pods, of which nothing says why.
std::optional<Explanation> without_reason(const scheduler::Cluster& cluster,
                                          const WorkloadObject& object, const Owner& owner,
                                          const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  if (snapshot.pod_coverage == Coverage::none) return std::nullopt;
  const bool has_any = std::any_of(snapshot.pods.begin(), snapshot.pods.end(), [&](const Pod& pod) {
    return is_made_by(pod, object.ns, owner, snapshot);
  });
  if (has_any) return std::nullopt;
  Explanation answer = answer_for_owner(object.ns, owner);
  answer.waiting = since(options.now, object.created);
  const bool has_schedule = object.kind.starts_with("Cron") || object.kind.starts_with("Scheduled");
  if (has_schedule || may_rest(object.kind)) {
    calm(answer,
         has_schedule ? "it has no pods now: it waits for its schedule" : "it has no pods now");
  } else if (answer.waiting && *answer.waiting < kMoments) {
    calm(answer, "it is new, and its pods are about to be made");
  } else if (!explain_pause(answer, object) && !explain_gang(answer, cluster, object.ns, owner)) {
    answer.code = Code::not_modelled;
    answer.summary = fmt::format("the {} has no pods, and nothing says why", object.kind);
    answer.nearest = "no pod was created";
    answer.advice.push_back(
        {.summary = "see what its controller says, and whether that runs",
         .command = fmt::format("kubectl describe {} {} -n {}", kubectl_kind(object),
                                shell_quoted(object.name), shell_quoted(object.ns))});
  }
  for (const Condition& condition : object.conditions)
    if (condition.status == "False" && !condition.message.empty())
      answer.remarks.push_back(
          {fmt::format("its condition {} is False: {}", condition.type, condition.message)});
  return answer;
}

}  // namespace

std::string kubectl_kind(const WorkloadObject& object) {
  const WorkloadKind* const kind = workload_kind(object.kind, object.api_version);
  if (kind == nullptr || kind->group.empty() || kind->group == "apps" || kind->group == "batch")
    return lower_case(object.kind);
  return fmt::format("{}.{}", kind->plural, kind->group);
}

bool is_made_by(const Pod& pod, std::string_view ns, const Owner& owner, const Snapshot& snapshot) {
  constexpr int kMostSteps = 8;
  if (pod.ns != ns) return false;
  for (const OwnerReference& each : pod.owners) {
    const OwnerReference* above = each.controller ? &each : nullptr;
    for (int step = 0; step < kMostSteps && above != nullptr; ++step) {
      if (is_it(*above, owner)) return true;
      const auto found = snapshot.controllers.find(above->uid);
      const bool goes_on = found != snapshot.controllers.end() && found->second;
      above = goes_on ? &*found->second : nullptr;
    }
  }
  return false;
}

const WorkloadObject* object_named(const SchedulingFacts& facts, std::string_view ns,
                                   const Owner& owner) {
  const auto& objects = facts.workload_objects;
  const auto found = std::find_if(objects.begin(), objects.end(), [&](const WorkloadObject& each) {
    return each.ns == ns && each.name == owner.name &&
           is_same_kind(each.kind, each.api_version, owner);
  });
  return found == objects.end() ? nullptr : &*found;
}

std::optional<Explanation> missing_pods(const scheduler::Cluster& cluster, std::string_view ns,
                                        const Owner& owner, const ExplainOptions& options) {
  const WorkloadObject* const object = object_named(cluster.snapshot().scheduling, ns, owner);
  Owner known = owner;
  if (object != nullptr) known.uid = object->uid;
  const auto* const workload =
      admission::workload_of(cluster, ns, owner.kind, owner.name, known.uid);
  std::optional<Explanation> answer;
  if (workload != nullptr)
    if (auto hold = admission::queue_hold(cluster, *workload))
      answer = suspended_by_queue(*workload, known, *std::move(hold), options);
  const bool may_be_suspended = workload == nullptr;
  if (!answer && object != nullptr && (may_be_suspended || !object->is_suspended))
    answer = told_by_object(cluster, *object, known, options);
  if (!answer && may_be_suspended && object == nullptr)
    answer = told_by_suspension(cluster, ns, known, options);
  if (!answer) answer = told_by_refusal(cluster, ns, known, object, options);
  if (!answer && workload != nullptr) answer = admitted_without_pods(cluster, *workload, known);
  if (!answer && object != nullptr) answer = without_reason(cluster, *object, known, options);
  if (answer && object != nullptr && pods_of(cluster.snapshot(), ns, answer->owner) == 0)
    add_forecast(*answer, cluster, *object);
  else if (answer && object != nullptr)
    add_missing(*answer, cluster, *object);
  return answer;
}

}  // namespace gpu::diagnose
