#include "cmd/why_pending/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "diagnose/explain/explain.hpp"
#include "diagnose/explain/explain_named_pod.hpp"
#include "diagnose/explain/explain_owner.hpp"
#include "diagnose/explain/known_namespaces.hpp"
#include "plan/plan.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "usage/rows/inventory.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cmd {
namespace {

std::set<std::string> idle_pods(const Snapshot& snapshot, const std::optional<Time>& now) {
  if (snapshot.samples.empty()) return {};
  return usage::idle_pods(usage::Inventory(snapshot, now));
}

PendingAnswers planned_answer(const PlannedObjects& planned, const scheduler::Cluster& cluster,
                              const diagnose::ExplainOptions& options) {
  plan::PlannedAnswers answers = plan::explain_planned_objects(planned, cluster, options);
  return {std::move(answers.explanations), std::move(answers.waiting)};
}

/// An empty answer for one namespace says whether others have waiting pods: people forget -A.
PendingAnswers answer_for_all(const std::string& ns, const scheduler::Cluster& cluster,
                              const diagnose::ExplainOptions& options) {
  PendingAnswers answers{diagnose::explain_all(cluster, ns, options), {}};
  if (ns.empty() || !answers.explanations.empty()) return answers;
  answers.empty_namespace = ns;
  if (cluster.snapshot().pod_coverage != Coverage::whole) return answers;
  std::int64_t elsewhere = 0;
  for (const diagnose::Explanation& each : diagnose::explain_all(cluster, {}, options))
    elsewhere += static_cast<std::int64_t>(each.names.size());
  answers.waiting_elsewhere = elsewhere;
  return answers;
}

/// `-n` beside a word that is the name of another namespace, or of no kind.
[[noreturn]] void refuse_both(const PendingQuestion& question, const Snapshot& snapshot) {
  const std::string& word = question.kind_word;
  const bool is_namespace = std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                                        [&](const Pod& pod) { return pod.ns == word; });
  if (is_namespace)
    throw Error(ErrorKind::usage,
                fmt::format("`{}/{}` names the namespace {}, and `-n` the namespace {}", word,
                            question.name, word, question.ns),
                "leave one of them out");
  const std::string near = diagnose::nearest_kind(word);
  if (!near.empty() && !diagnose::is_owned_by_kind(word, snapshot))
    throw Error(ErrorKind::usage, fmt::format("there is no kind `{}` that has pods", word),
                fmt::format("a similar one is `{}`", near));
  throw Error(
      ErrorKind::usage,
      fmt::format("no pod in namespace {} has an owner {}/{}", question.ns, word, question.name),
      "see all pods that wait\n      kubectl gpu why-pending -A");
}

/// `deply infer`: two names, of which the first looks like a kind and is no pod.
void check_kind_slip(const PendingQuestion& question, const Snapshot& snapshot) {
  if (question.like_kind.empty()) return;
  const bool is_pod = std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                                  [&](const Pod& pod) { return pod.name == question.name; });
  if (!is_pod)
    throw Error(ErrorKind::usage,
                fmt::format("there is neither a kind nor a pod `{}`", question.name),
                fmt::format("a similar kind is `{}`", question.like_kind));
}

/// A pod, or an owner of a kind that is not known here, by what stands before the slash.
PendingAnswers pod_answer(const PendingQuestion& question, const scheduler::Cluster& cluster,
                          const diagnose::ExplainOptions& options) {
  const std::string& word = question.kind_word;
  const std::string ns = question.is_kind_meant ? question.ns : std::string();
  if (const auto owner =
          word.empty() ? std::nullopt
                       : diagnose::owner_of_other_kind(word, ns, question.name, cluster.snapshot()))
    return {diagnose::explain_other_owner(cluster, *owner, ns, options), {}};
  if (question.is_kind_meant) refuse_both(question, cluster.snapshot());
  check_kind_slip(question, cluster.snapshot());
  const diagnose::Origin origin =
      question.reads_files ? diagnose::Origin::files : diagnose::Origin::cluster;
  return {{diagnose::explain_named_pod(
              cluster,
              {question.ns, question.name, origin, diagnose::nearest_kind(word), !word.empty()},
              options)},
          {}};
}

/// What one question is answered from.
struct PendingSight {
  const scheduler::Cluster& cluster;
  const PlannedObjects& planned;
  diagnose::ExplainOptions options;
};

PendingAnswers answer_to(const PendingQuestion& question, PendingSight& sight) {
  using diagnose::Origin;
  const Origin origin = question.reads_files ? Origin::files : Origin::cluster;
  switch (question.about) {
    case PendingQuestion::About::all:
      diagnose::check_namespace(question.ns, sight.cluster.snapshot(), origin);
      sight.options.fixes = diagnose::ExplainOptions::Fixes::leave_out;
      return answer_for_all(question.ns, sight.cluster, sight.options);
    case PendingQuestion::About::pod:
      return pod_answer(question, sight.cluster, sight.options);
    case PendingQuestion::About::workload:
      return {diagnose::explain_owner(sight.cluster, {*question.kind, question.ns, question.name},
                                      sight.options),
              {}};
    case PendingQuestion::About::file:
      return planned_answer(sight.planned, sight.cluster, sight.options);
  }
  return {};
}

/// Without the right to list the pods of all namespaces, those of one were read.
void check_sight_of_namespace(const PendingQuestion& question, const PendingQuestion& first,
                              const Snapshot& snapshot) {
  if (snapshot.pod_coverage == Coverage::whole || question.ns == first.ns) return;
  const bool is_seen = std::any_of(snapshot.pods.begin(), snapshot.pods.end(),
                                   [&](const Pod& pod) { return pod.ns == question.ns; });
  if (!is_seen)
    throw Error(ErrorKind::forbidden,
                fmt::format("the pods of namespace {} were not read with those of {}", question.ns,
                            first.ns),
                "explain pods of one namespace at a time");
}

}  // namespace

PendingAnswers pending_answers(const std::vector<PendingQuestion>& questions,
                               const PlannedObjects& planned, const Snapshot& snapshot,
                               const std::optional<Time>& now) {
  const scheduler::Cluster cluster(snapshot);
  PendingSight sight{cluster, planned, {.now = now, .idle_pods = idle_pods(snapshot, now)}};
  if (questions.size() == 1) return answer_to(questions.front(), sight);
  PendingAnswers all;
  for (const PendingQuestion& question : questions) try {
      check_sight_of_namespace(question, questions.front(), snapshot);
      PendingAnswers one = answer_to(question, sight);
      std::move(one.explanations.begin(), one.explanations.end(),
                std::back_inserter(all.explanations));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      all.errors.push_back(error);
    }
  return all;
}

}  // namespace gpu::cmd
