#include "cmd/why_pending/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "diagnose/explain/explain.hpp"
#include "diagnose/explain/explain_owner.hpp"
#include "model/objects/gap.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cmd {
namespace {

using diagnose::ExplainOptions;
using diagnose::Explanation;

/// Without -n a name is looked for everywhere where no context says which namespace is meant.
std::vector<const Pod*> pods_named(const PendingQuestion& question, const Snapshot& snapshot) {
  std::vector<const Pod*> found;
  for (const Pod& pod : snapshot.pods)
    if (pod.name == question.name && (question.ns.empty() || pod.ns == question.ns))
      found.push_back(&pod);
  return found;
}

/// A pod that may not be read is not one that does not exist.
[[noreturn]] void refuse_unseen_pods(const PendingQuestion& question, const Snapshot& snapshot) {
  if (const Gap* const gap = gap_of(snapshot.gaps, Missing::pods_of_file))
    throw Error(ErrorKind::data,
                fmt::format("the pod `{}` is not known: {}", question.name, gap->why), gap->help);
  const Gap* const gap = gap_of(snapshot.gaps, Missing::pods);
  throw Error(ErrorKind::forbidden,
              fmt::format("the pod `{}` cannot be read{}", question.name,
                          gap == nullptr ? "" : ": " + gap->why),
              "ask for the verbs get and list on pods in that namespace");
}

[[noreturn]] void refuse_missing_pod(const PendingQuestion& question, const Snapshot& snapshot) {
  if (snapshot.pod_coverage == Coverage::none) refuse_unseen_pods(question, snapshot);
  std::vector<std::string_view> names;
  std::string others;
  for (const Pod& pod : snapshot.pods) {
    if (question.ns.empty() || pod.ns == question.ns) names.push_back(pod.name);
    if (pod.name == question.name) others += (others.empty() ? "" : ", ") + pod.ns;
  }
  const std::string where = question.ns.empty() ? "" : " in namespace " + question.ns;
  std::string help = "see all pods that wait\n      kubectl gpu why-pending -A";
  if (const std::vector<std::string> owners =
          diagnose::owners_named(question.ns, question.name, snapshot);
      !owners.empty())
    help =
        "an owner of pods is named with its kind\n      kubectl gpu why-pending " + owners.front();
  else if (!others.empty())
    help = fmt::format("a pod of that name is in {}", others);
  else if (const auto nearest = nearest_name(question.name, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(ErrorKind::usage, fmt::format("there is no pod `{}`{}", question.name, where), help);
}

/// Nothing where they are not known: files without Namespaces have those that their objects are in.
std::set<std::string> known_namespaces(const PendingQuestion& question, const Snapshot& snapshot) {
  std::set<std::string> known;
  const SchedulingFacts& facts = snapshot.scheduling;
  for (const Namespace& ns : facts.namespaces) known.insert(ns.name);
  if (coverage_of(facts, "namespaces") == Coverage::whole && !known.empty()) return known;
  if (!question.reads_files || snapshot.pods.empty()) return {};
  for (const Pod& pod : snapshot.pods) known.insert(pod.ns);
  for (const Event& event : facts.events) known.insert(event.ns);
  for (const QueuedWorkload& workload : facts.workloads) known.insert(workload.ns);
  for (const LocalQueue& queue : facts.local_queues) known.insert(queue.ns);
  for (const ResourceQuota& quota : facts.quotas) known.insert(quota.ns);
  for (const WorkloadObject& object : facts.workload_objects) known.insert(object.ns);
  return known;
}

void refuse_unknown_namespace(const PendingQuestion& question, const Snapshot& snapshot) {
  using About = PendingQuestion::About;
  if (question.ns.empty() || question.about == About::file || question.about == About::workload)
    return;
  // That it is elsewhere says more.
  const bool is_elsewhere = std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                                        [&](const Pod& pod) { return pod.name == question.name; });
  if (question.about == About::pod && is_elsewhere) return;
  const std::set<std::string> known = known_namespaces(question, snapshot);
  if (known.empty() || known.contains(question.ns)) return;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const auto nearest = nearest_name(question.ns, names);
  throw Error(ErrorKind::usage, fmt::format("there is no namespace `{}`", question.ns),
              nearest ? fmt::format("a similar one is `{}`", *nearest)
                      : "see all pods that wait\n      kubectl gpu why-pending -A");
}

std::vector<diagnose::Explanation> pod_answer(const PendingQuestion& question,
                                              const scheduler::Cluster& cluster,
                                              const diagnose::ExplainOptions& options) {
  const std::vector<const Pod*> pods = pods_named(question, cluster.snapshot());
  if (pods.empty()) refuse_missing_pod(question, cluster.snapshot());
  if (pods.size() > 1)
    throw Error(ErrorKind::usage, fmt::format("{} pods are named `{}`", pods.size(), question.name),
                fmt::format("say which, such as {}/{}", pods.front()->ns, question.name));
  return {diagnose::explain(cluster, *pods.front(), options)};
}

PendingAnswers planned_answer(const PendingQuestion& question, const scheduler::Cluster& cluster,
                              const diagnose::ExplainOptions& options) {
  plan::PlannedAnswers planned = plan::explain_planned_objects(question.planned, cluster, options);
  return {std::move(planned.explanations), std::move(planned.waiting)};
}

}  // namespace

std::set<std::string> idle_pods(const Snapshot& snapshot, const std::optional<Time>& now) {
  std::set<std::string> idle;
  if (snapshot.samples.empty()) return idle;
  const usage::Inventory inventory(snapshot, now);
  std::set<std::string> busy;
  for (const usage::PodUsage& row : usage::pod_usage(inventory)) {
    if (row.pod == nullptr) continue;
    (usage::is_idle(row.use).value_or(false) ? idle : busy).insert(row.pod->uid);
  }
  for (const std::string& uid : busy) idle.erase(uid);
  return idle;
}

PendingAnswers pending_answer(const PendingQuestion& question, const Snapshot& snapshot,
                              const std::optional<Time>& now) {
  refuse_unknown_namespace(question, snapshot);
  const scheduler::Cluster cluster(snapshot);
  diagnose::ExplainOptions options{.now = now, .idle_pods = idle_pods(snapshot, now)};
  switch (question.about) {
    case PendingQuestion::About::all:
      options.fixes = diagnose::ExplainOptions::Fixes::leave_out;
      return {diagnose::explain_all(cluster, question.ns, options), {}};
    case PendingQuestion::About::pod:
      return {pod_answer(question, cluster, options), {}};
    case PendingQuestion::About::workload:
      return {
          diagnose::explain_owner(cluster, {*question.kind, question.ns, question.name}, options),
          {}};
    case PendingQuestion::About::file:
      return planned_answer(question, cluster, options);
  }
  return {};
}

}  // namespace gpu::cmd
