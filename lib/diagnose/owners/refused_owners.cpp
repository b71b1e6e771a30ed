#include "diagnose/owners/refused_owners.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "diagnose/owners/named_owner.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::diagnose {
namespace {

/// Namespace, kind and name.
using Key = std::tuple<std::string, std::string, std::string>;

bool is_refusal(Code code) {
  return code == Code::quota_exceeded || code == Code::quota_needs_requests ||
         code == Code::limit_range || code == Code::admission_rejected;
}

/// A Deployment's ReplicaSet stands for the Deployment. Events of old clients have no UID: a pod's
/// reference has it, too.
class Tops {
 public:
  explicit Tops(const Snapshot& snapshot) : snapshot_(snapshot) {
    for (const Pod& pod : snapshot.pods)
      for (const OwnerReference& each : pod.owners)
        if (each.controller && is_own(each, "ReplicaSet"))
          uids_.try_emplace({pod.ns, each.name}, each.uid);
    for (const WorkloadObject& each : snapshot.scheduling.workload_objects)
      if (is_own(each, "ReplicaSet")) uids_.try_emplace({each.ns, each.name}, each.uid);
  }

  [[nodiscard]] Key of(const Key& key, std::string_view uid) const {
    const auto& [ns, kind, name] = key;
    if (kind != "ReplicaSet") return key;
    if (const auto known = uids_.find({ns, name}); uid.empty() && known != uids_.end())
      uid = known->second;
    const auto found = snapshot_.controllers.find(uid);
    if (uid.empty() || found == snapshot_.controllers.end() || !found->second) return key;
    return {ns, found->second->kind, found->second->name};
  }

 private:
  const Snapshot& snapshot_;
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> uids_;
};

/// Whether an object of that name was read, and is another one than the event is about.
bool is_gone(const SchedulingFacts& facts, const Event& event) {
  return std::any_of(facts.workload_objects.begin(), facts.workload_objects.end(),
                     [&](const WorkloadObject& each) {
                       return each.ns == event.ns && each.kind == event.kind &&
                              each.name == event.object && !each.uid.empty() &&
                              !event.object_uid.empty() && each.uid != event.object_uid;
                     });
}

/// Of each owner, its newest event about making pods; of two at once the refusal.
std::map<Key, const Event*> newest_creations(const Snapshot& snapshot, const Tops& tops,
                                             std::string_view ns) {
  std::map<Key, const Event*> newest;
  for (const Event& event : snapshot.scheduling.events) {
    const bool is_refused = event.reason == "FailedCreate";
    if ((!is_refused && event.reason != "SuccessfulCreate") || (!ns.empty() && event.ns != ns))
      continue;
    const Key key = tops.of({event.ns, event.kind, event.object}, event.object_uid);
    const Event*& known = newest[key];
    const Time last = event.last.value_or(Time::min());
    const Time known_last = known == nullptr ? last : known->last.value_or(Time::min());
    if (known == nullptr || last > known_last || (last == known_last && is_refused)) known = &event;
  }
  return newest;
}

/// Deployments and ReplicaSets say so for as long as it is true; events last an hour.
bool says_that_it_is_refused(const WorkloadObject& object) {
  const Condition* const failure = condition_of(object.conditions, "ReplicaFailure");
  return failure != nullptr && failure->status == "True" && failure->reason == "FailedCreate";
}

std::set<Key> refused_keys(const Snapshot& snapshot, std::string_view ns) {
  std::set<Key> keys;
  const Tops tops(snapshot);
  for (const auto& [key, event] : newest_creations(snapshot, tops, ns))
    if (event->reason == "FailedCreate" && !is_gone(snapshot.scheduling, *event)) keys.insert(key);
  for (const WorkloadObject& object : snapshot.scheduling.workload_objects)
    if ((ns.empty() || object.ns == ns) && says_that_it_is_refused(object))
      keys.insert(tops.of({object.ns, object.kind, object.name}, object.uid));
  return keys;
}

}  // namespace

std::vector<Explanation> refused_owners(const scheduler::Cluster& cluster, std::string_view ns,
                                        const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  std::vector<Explanation> answers;
  for (const auto& [owner_ns, kind, name] : refused_keys(snapshot, ns)) {
    const Owner owner{.kind = kind, .name = name, .uid = {}, .api_version = {}};
    auto answer = missing_pods(cluster, owner_ns, owner, options);
    if (!answer || !answer->is_blocked || !is_refusal(answer->code)) continue;
    const WorkloadObject* const object = object_named(snapshot.scheduling, owner_ns, owner);
    if (object == nullptr) answer->nearest += ", by its events";
    answers.push_back(*std::move(answer));
  }
  std::stable_sort(answers.begin(), answers.end(), [](const Explanation& a, const Explanation& b) {
    return a.waiting > b.waiting;
  });
  return answers;
}

}  // namespace gpu::diagnose
