#include "schedule/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "schedule/after_binding.hpp"
#include "schedule/alike.hpp"
#include "schedule/before_scheduling.hpp"
#include "schedule/cause.hpp"
#include "schedule/fixes.hpp"
#include "schedule/judge.hpp"
#include "schedule/node_groups.hpp"
#include "schedule/pod_identity.hpp"
#include "schedule/rollout.hpp"
#include "schedule/scheduler_word.hpp"

namespace gpu::schedule {
namespace {

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// It fits now: the scheduler has not come to it again, or knows something that we do not.
void say_that_it_fits(Explanation& answer, const Verdict& verdict) {
  answer.is_blocked = false;
  answer.code = Code::starting;
  const std::size_t nodes = verdict.fitting();
  answer.summary = fmt::format("nothing keeps it waiting now: it fits on {} {}", nodes,
                               nodes == 1 ? "node" : "nodes");
  if (!answer.scheduler) return;
  answer.code = Code::not_modelled;
  answer.is_blocked = true;
  answer.summary += ", but the scheduler did not bind it";
  answer.remarks.push_back(
      {.text = "the scheduler tries again within 5 minutes, or at once when something changes; if "
               "it keeps saying no, it knows what is not modelled here",
       .is_warning = true});
}

void say_who_makes_room(Explanation& answer, const Pod& pod) {
  answer.code = Code::preemption_pending;
  answer.summary = "the scheduler is making room on " + pod.nominated_node +
                   ": it starts there when pods of lower priority have ended";
  answer.nearest = pod.nominated_node + ", when its pods have ended";
}

/// Where the scheduler says something else, it is right.
void compare_with_scheduler(Explanation& answer) {
  if (!answer.scheduler || answer.scheduler->agrees.value_or(true)) return;
  answer.remarks.push_back(
      {.text = "the scheduler says something else than what is computed here: it is right, or it "
               "looked before something changed",
       .is_warning = true});
}

Explanation explain_by_nodes(const Cluster& cluster, const Pod& pod,
                             const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  const Verdict verdict = judge(cluster, pod);
  answer.not_checked = verdict.not_checked;
  if (verdict.fits()) {
    answer.scheduler = scheduler_word(cluster, pod, {});
    say_that_it_fits(answer, verdict);
    return answer;
  }
  answer.predicted_message = predicted_message(cluster, pod, verdict);
  answer.scheduler = scheduler_word(cluster, pod, answer.predicted_message);
  const NodeReasons reasons(cluster, pod, verdict);
  Cause cause = cause_of(cluster, pod, verdict, reasons);
  if (auto surge = rollout_surge(cluster, pod)) cause = *std::move(surge);
  answer.code = cause.code;
  answer.summary = std::move(cause.summary);
  answer.nearest = std::move(cause.nearest);
  answer.remarks = std::move(cause.remarks);
  answer.advice = std::move(cause.advice);
  if (!pod.nominated_node.empty()) say_who_makes_room(answer, pod);
  if (options.fixes == ExplainOptions::Fixes::search) {
    answer.groups = groups_of(cluster, verdict, reasons);
    FixSearch search = fixes_for(cluster, pod, verdict, options);
    answer.fixes = std::move(search.fixes);
    append(answer.advice, std::move(search.advice));
    append(answer.remarks, std::move(search.remarks));
  }
  compare_with_scheduler(answer);
  return answer;
}

/// Whether it is worth a row in the table of who waits.
bool may_wait(const Pod& pod, std::string_view ns) {
  if (!ns.empty() && pod.ns != ns) return false;
  return !pod.deleted && (pod.phase.empty() || pod.phase == "Pending" || pod.phase == "Failed");
}

/// Puts the answer for one of several pods that are alike under the name of another.
Explanation renamed(const Cluster& cluster, const Explanation& answer, const Pod& pod,
                    const std::optional<Time>& now) {
  const Explanation identity = identity_of(cluster, pod, now);
  Explanation other = answer;
  other.ns = identity.ns;
  other.name = identity.name;
  other.names = identity.names;
  other.owner = identity.owner;
  other.waiting = identity.waiting;
  return other;
}

/// Joins answers of one owner with one reason; the first of them is the longest waiting.
std::vector<Explanation> folded(std::vector<Explanation> answers) {
  std::vector<Explanation> rows;
  std::map<std::tuple<std::string, std::string, std::string, Code, std::string, std::int64_t>,
           std::size_t>
      places;
  for (Explanation& answer : answers) {
    const auto key = std::tuple(answer.ns, answer.owner.kind, answer.owner.name, answer.code,
                                answer.nearest, answer.gpus);
    const auto [at, is_new] = places.try_emplace(key, rows.size());
    if (is_new)
      rows.push_back(std::move(answer));
    else
      append(rows[at->second].names, std::move(answer.names));
  }
  return rows;
}

}  // namespace

Explanation explain(const Cluster& cluster, const Pod& pod, const ExplainOptions& options) {
  if (!pod.node_name.empty() || is_finished(pod)) return after_binding(cluster, pod, options);
  if (auto held = before_scheduling(cluster, pod, options)) return *std::move(held);
  return explain_by_nodes(cluster, pod, options);
}

std::vector<Explanation> explain_all(const Cluster& cluster, std::string_view ns,
                                     const ExplainOptions& options) {
  std::vector<const Pod*> waiting;
  for (const Pod& pod : cluster.snapshot().pods)
    if (may_wait(pod, ns)) waiting.push_back(&pod);
  std::stable_sort(waiting.begin(), waiting.end(), [](const Pod* a, const Pod* b) {
    return a->created.value_or(Time::max()) < b->created.value_or(Time::max());
  });
  std::vector<Explanation> answers;
  std::map<std::string, Explanation> known;  ///< by what makes pods alike
  for (const Pod* pod : waiting) {
    const std::string key = scheduling_key(*pod);
    const auto at = known.find(key);
    // What was said of one pod does not hold for its like: only what follows from the spec does.
    if (at != known.end()) {
      answers.push_back(renamed(cluster, at->second, *pod, options.now));
      continue;
    }
    Explanation answer = explain(cluster, *pod, options);
    known.emplace(key, answer);
    answers.push_back(std::move(answer));
  }
  std::erase_if(answers, [](const Explanation& answer) { return !answer.is_blocked; });
  return folded(std::move(answers));
}

}  // namespace gpu::schedule
