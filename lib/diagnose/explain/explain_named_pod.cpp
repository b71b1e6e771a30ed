#include "diagnose/explain/explain_named_pod.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "diagnose/explain/explain.hpp"
#include "diagnose/explain/explain_owner.hpp"
#include "model/objects/gap.hpp"

namespace gpu::diagnose {
namespace {

std::vector<const Pod*> pods_named(const PodQuestion& question, const Snapshot& snapshot) {
  std::vector<const Pod*> found;
  for (const Pod& pod : snapshot.pods)
    if (pod.name == question.name && (question.ns.empty() || pod.ns == question.ns))
      found.push_back(&pod);
  return found;
}

/// A pod that may not be read is not one that does not exist.
[[noreturn]] void refuse_unseen_pods(const PodQuestion& question, const Snapshot& snapshot) {
  if (const Gap* const gap = gap_of(snapshot.gaps, Missing::pods_of_file))
    throw Error(ErrorKind::data,
                fmt::format("the pod `{}` is not known: {}", question.name, gap->why), gap->help);
  const Gap* const gap = gap_of(snapshot.gaps, Missing::pods);
  throw Error(ErrorKind::forbidden,
              fmt::format("the pod `{}` cannot be read{}", question.name,
                          gap == nullptr ? "" : ": " + gap->why),
              "request the verbs get and list on pods in that namespace");
}

[[noreturn]] void refuse_missing_pod(const PodQuestion& question, const Snapshot& snapshot) {
  std::vector<std::string_view> names;
  std::string others;
  for (const Pod& pod : snapshot.pods) {
    if (question.ns.empty() || pod.ns == question.ns) names.push_back(pod.name);
    if (pod.name == question.name) others += (others.empty() ? "" : ", ") + pod.ns;
  }
  if (names.empty() && others.empty() && !question.like_kind.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("there is no kind `{0}`, and no namespace `{0}` with pods", question.ns),
        fmt::format("a similar kind is `{}`", question.like_kind));
  // That it is elsewhere says more than that there is no such namespace.
  if (others.empty())
    check_namespace(question.ns, snapshot, question.origin,
                    question.may_be_kind ? "kind and no namespace" : "namespace");
  if (snapshot.pod_coverage == Coverage::none) refuse_unseen_pods(question, snapshot);
  std::string where = question.ns.empty() ? "" : " in namespace " + question.ns;
  if (question.may_be_kind && names.empty() && others.empty())
    where += ", and no kind of that name";
  std::string help = "see all pods that wait\n      kubectl gpu why-pending -A";
  if (const std::vector<std::string> owners = owners_named(question.ns, question.name, snapshot);
      !owners.empty())
    help =
        "an owner of pods is named with its kind\n      kubectl gpu why-pending " + owners.front();
  else if (!others.empty())
    help = fmt::format("a pod of that name is in {}", others);
  else if (const auto nearest = nearest_name(question.name, names))
    help = fmt::format("a similar one is `{}`", *nearest);
  throw Error(ErrorKind::usage, fmt::format("there is no pod `{}`{}", question.name, where), help);
}

}  // namespace

Explanation explain_named_pod(const scheduler::Cluster& cluster, const PodQuestion& question,
                              const ExplainOptions& options) {
  const std::vector<const Pod*> pods = pods_named(question, cluster.snapshot());
  if (pods.empty()) refuse_missing_pod(question, cluster.snapshot());
  if (pods.size() > 1)
    throw Error(ErrorKind::usage, fmt::format("{} pods are named `{}`", pods.size(), question.name),
                fmt::format("say which, such as {}/{}", pods.front()->ns, question.name));
  return explain(cluster, *pods.front(), options);
}

}  // namespace gpu::diagnose
