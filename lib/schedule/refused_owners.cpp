#include "schedule/refused_owners.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "schedule/named_owner.hpp"

namespace gpu::schedule {
namespace {

/// Namespace, kind and name.
using Key = std::tuple<std::string, std::string, std::string>;

bool is_refusal(Code code) {
  return code == Code::quota_exceeded || code == Code::quota_needs_requests ||
         code == Code::limit_range || code == Code::admission_rejected;
}

/// A Deployment's ReplicaSet stands for the Deployment.
Key top_of(const Snapshot& snapshot, const Key& key, const std::string& uid) {
  if (std::get<1>(key) != "ReplicaSet" || uid.empty()) return key;
  const auto found = snapshot.controllers.find(uid);
  if (found == snapshot.controllers.end() || !found->second) return key;
  return {std::get<0>(key), found->second->kind, found->second->name};
}

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
std::map<Key, const Event*> newest_creations(const Snapshot& snapshot, std::string_view ns) {
  std::map<Key, const Event*> newest;
  for (const Event& event : snapshot.scheduling.events) {
    const bool is_refused = event.reason == "FailedCreate";
    if ((!is_refused && event.reason != "SuccessfulCreate") || (!ns.empty() && event.ns != ns))
      continue;
    const Key key = top_of(snapshot, {event.ns, event.kind, event.object}, event.object_uid);
    const Event*& known = newest[key];
    const Time last = event.last.value_or(Time::min());
    const Time known_last = known == nullptr ? last : known->last.value_or(Time::min());
    if (known == nullptr || last > known_last || (last == known_last && is_refused)) known = &event;
  }
  return newest;
}

/// Deployments and ReplicaSets say so for as long as it is true; events last an hour.
bool says_that_it_is_refused(const WorkloadObject& object) {
  return std::any_of(object.conditions.begin(), object.conditions.end(), [](const Condition& each) {
    return each.type == "ReplicaFailure" && each.status == "True" && each.reason == "FailedCreate";
  });
}

std::set<Key> refused_keys(const Snapshot& snapshot, std::string_view ns) {
  std::set<Key> keys;
  for (const auto& [key, event] : newest_creations(snapshot, ns))
    if (event->reason == "FailedCreate" && !is_gone(snapshot.scheduling, *event)) keys.insert(key);
  for (const WorkloadObject& object : snapshot.scheduling.workload_objects)
    if ((ns.empty() || object.ns == ns) && says_that_it_is_refused(object))
      keys.insert(top_of(snapshot, {object.ns, object.kind, object.name}, object.uid));
  return keys;
}

}  // namespace

std::vector<Explanation> refused_owners(const Cluster& cluster, std::string_view ns,
                                        const ExplainOptions& options) {
  const Snapshot& snapshot = cluster.snapshot();
  std::vector<Explanation> answers;
  for (const auto& [owner_ns, kind, name] : refused_keys(snapshot, ns)) {
    const Owner owner{.kind = kind, .name = name, .uid = {}, .api_version = {}};
    auto answer = never_created(cluster, owner_ns, owner, options);
    if (!answer || !answer->is_blocked || !is_refusal(answer->code)) continue;
    if (object_named(snapshot.scheduling, owner_ns, owner) == nullptr)
      answer->nearest += ", by its events";
    answers.push_back(*std::move(answer));
  }
  std::stable_sort(answers.begin(), answers.end(), [](const Explanation& a, const Explanation& b) {
    return a.waiting > b.waiting;
  });
  return answers;
}

}  // namespace gpu::schedule
