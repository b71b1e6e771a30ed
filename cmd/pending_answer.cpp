#include "cmd/pending_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/owner_answer.hpp"
#include "schedule/cluster.hpp"
#include "schedule/explain.hpp"
#include "usage/inventory.hpp"
#include "usage/pod_usage.hpp"

namespace gpu::cmd {
namespace {

using schedule::ExplainOptions;
using schedule::Explanation;

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
  std::string why;
  for (const Gap& gap : snapshot.gaps)
    if (why.empty() && gap.what.starts_with("pods ")) why = gap.why;
  throw Error(
      ErrorKind::forbidden,
      fmt::format("the pod `{}` cannot be read{}", question.name, why.empty() ? "" : ": " + why),
      "ask for the verbs get and list on pods in that namespace");
}

[[noreturn]] void refuse_missing_pod(const PendingQuestion& question, const Snapshot& snapshot) {
  if (snapshot.pod_sight == Sight::none) refuse_unseen_pods(question, snapshot);
  std::vector<std::string_view> names;
  std::string others;
  for (const Pod& pod : snapshot.pods) {
    if (question.ns.empty() || pod.ns == question.ns) names.push_back(pod.name);
    if (pod.name == question.name) others += (others.empty() ? "" : ", ") + pod.ns;
  }
  const std::string where = question.ns.empty() ? "" : " in namespace " + question.ns;
  std::string help = "see all pods that wait\n      kubectl gpu why-pending -A";
  if (!others.empty())
    help = fmt::format("a pod of that name is in {}", others);
  else if (const auto nearest = nearest_name(question.name, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(ErrorKind::usage, fmt::format("there is no pod `{}`{}", question.name, where), help);
}

std::vector<Explanation> pod_answer(const PendingQuestion& question,
                                    const schedule::Cluster& cluster,
                                    const ExplainOptions& options) {
  const std::vector<const Pod*> pods = pods_named(question, cluster.snapshot());
  if (pods.empty()) refuse_missing_pod(question, cluster.snapshot());
  if (pods.size() > 1)
    throw Error(ErrorKind::usage, fmt::format("{} pods are named `{}`", pods.size(), question.name),
                fmt::format("say which, such as {}/{}", pods.front()->ns, question.name));
  return {schedule::explain(cluster, *pods.front(), options)};
}

std::vector<Explanation> file_answer(const PendingQuestion& question,
                                     const schedule::Cluster& cluster, ExplainOptions options) {
  std::vector<Explanation> answers;
  for (const kube::PlannedPod& planned : question.planned.pods) {
    options.manifest = planned.file;
    answers.push_back(schedule::explain(cluster, planned.pod, options));
  }
  return answers;
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

std::vector<Explanation> pending_answer(const PendingQuestion& question, const Snapshot& snapshot,
                                        const std::optional<Time>& now) {
  const schedule::Cluster cluster(snapshot);
  ExplainOptions options{.now = now, .idle_pods = idle_pods(snapshot, now)};
  switch (question.about) {
    case PendingQuestion::About::all:
      options.fixes = ExplainOptions::Fixes::leave_out;
      return schedule::explain_all(cluster, question.ns, options);
    case PendingQuestion::About::pod:
      return pod_answer(question, cluster, options);
    case PendingQuestion::About::workload:
      return owner_answer(question, cluster, options);
    case PendingQuestion::About::file:
      return file_answer(question, cluster, options);
  }
  return {};
}

}  // namespace gpu::cmd
