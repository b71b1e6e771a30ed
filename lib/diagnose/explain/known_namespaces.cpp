#include "diagnose/explain/known_namespaces.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::diagnose {
namespace {

/// Nothing where they are not known.
std::set<std::string> known_namespaces(const Snapshot& snapshot, Origin origin) {
  std::set<std::string> known;
  const SchedulingFacts& facts = snapshot.scheduling;
  for (const Namespace& ns : facts.namespaces) known.insert(ns.name);
  if (coverage_of(facts, "namespaces") == Coverage::whole && !known.empty()) return known;
  if (origin == Origin::cluster || snapshot.pods.empty()) return {};
  for (const Pod& pod : snapshot.pods) known.insert(pod.ns);
  for (const Event& event : facts.events) known.insert(event.ns);
  for (const QueuedWorkload& workload : facts.workloads) known.insert(workload.ns);
  for (const LocalQueue& queue : facts.local_queues) known.insert(queue.ns);
  for (const ResourceQuota& quota : facts.quotas) known.insert(quota.ns);
  for (const WorkloadObject& object : facts.workload_objects) known.insert(object.ns);
  return known;
}

}  // namespace

void check_namespace(const std::string& ns, const Snapshot& snapshot, Origin origin,
                     std::string_view noun) {
  if (ns.empty()) return;
  const std::set<std::string> known = known_namespaces(snapshot, origin);
  if (known.empty() || known.contains(ns)) return;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto nearest = nearest_name(ns, names);
  throw Error(ErrorKind::usage, fmt::format("there is no {} `{}`", noun, ns),
              nearest ? fmt::format("a similar one is `{}`", *nearest)
                      : "see all pods that wait\n      kubectl gpu why-pending -A");
}

}  // namespace gpu::diagnose
