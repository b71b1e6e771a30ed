#include "diagnose/lifecycle/device_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "diagnose/lifecycle/newest_change.hpp"
#include "diagnose/lifecycle/word_cause.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::diagnose {
namespace {

/// The DeviceClass of the first request of the pod's claims, or that serves a resource that it
/// requests; empty where none is seen.
std::string class_of(const Snapshot& snapshot, const Pod& pod) {
  for (const ResourceClaim& claim : snapshot.claims) {
    const bool is_its = claim.ns == pod.ns && std::find(pod.claims.begin(), pod.claims.end(),
                                                        claim.name) != pod.claims.end();
    if (is_its && !claim.requests.empty()) return claim.requests.front().device_class;
  }
  const ResourceList requests = effective_requests(pod);
  for (const DeviceClass& each : snapshot.device_classes)
    if (!each.extended_resource.empty() && requests.contains(each.extended_resource))
      return each.name;
  return {};
}

/// Whether something that is seen has changed since the scheduler looked.
bool is_outdated(const scheduler::Cluster& cluster, const SchedulerWord& word) {
  const NewestChange& change = cluster.shared<NewestChange>();
  return change.when && word.time && *change.when > *word.time;
}

/// Source: inFlightAllocations of the scheduler's plugin DynamicResources (1.36), which waits for
/// up to 120 s to see the claim that it has created for an extended resource.
DeviceWord held_unseen() {
  return {.summary =
              "the scheduler finds no devices for its claims, though no claim is seen that "
              "holds them: it may still count those of a claim that was just deleted",
          .nearest = "devices that the scheduler still counts as held",
          .advice = {{.summary = "wait: the scheduler forgets such a claim within 2 minutes, and "
                                 "tries the pod again within 5; if it keeps saying no, restart "
                                 "the scheduler",
                      .command = "kubectl get resourceclaims -A"}},
          .not_checked = {"devices that the scheduler counts as held in its memory alone"}};
}

}  // namespace

std::optional<DeviceWord> device_word(const scheduler::Cluster& cluster, const Pod& pod,
                                      const SchedulerWord& word) {
  const auto cause = cause_of_word(word.message);
  if (!cause || cause->code != Code::claim_unsatisfiable) return std::nullopt;
  const Snapshot& snapshot = cluster.snapshot();
  if (auto silent = silent_dra_driver(cluster, class_of(snapshot, pod))) {
    const std::string where = silent->node + ": " + silent->fault.detail;
    return DeviceWord{.summary = "the scheduler finds no devices for its claims; " + where,
                      .nearest = where,
                      .advice = std::move(silent->fault.advice),
                      .not_checked = {}};
  }
  if (snapshot.slice_coverage != Coverage::whole || is_outdated(cluster, word)) return std::nullopt;
  return held_unseen();
}

}  // namespace gpu::diagnose
