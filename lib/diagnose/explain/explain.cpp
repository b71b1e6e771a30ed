#include "diagnose/explain/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/time.hpp"
#include "diagnose/answer/fraction_remarks.hpp"
#include "diagnose/answer/headline.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/answer/request_parts.hpp"
#include "diagnose/explain/own_answer.hpp"
#include "diagnose/explain/waiting_pods.hpp"
#include "diagnose/fix/fixes.hpp"
#include "diagnose/fix/holder_advice.hpp"
#include "diagnose/fix/room_advice.hpp"
#include "diagnose/lifecycle/after_binding.hpp"
#include "diagnose/lifecycle/before_scheduling.hpp"
#include "diagnose/lifecycle/preemption_note.hpp"
#include "diagnose/lifecycle/scheduler_word.hpp"
#include "diagnose/nodes/cause.hpp"
#include "diagnose/nodes/node_groups.hpp"
#include "diagnose/nodes/shared_gpu_detail.hpp"
#include "diagnose/nodes/shares.hpp"
#include "diagnose/owners/refused_owners.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "model/objects/node.hpp"
#include "model/pools/toleration.hpp"
#include "scheduler/cluster/rules.hpp"
#include "scheduler/cluster/scheduling_key.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Of nodes that only a cordon keeps away: since when, and what stands there unused.
void add_cordon_remark(Explanation& answer, const scheduler::Cluster& cluster,
                       const scheduler::Verdict& verdict, const NodeReasons& reasons,
                       const std::optional<Time>& now) {
  for (const scheduler::NodeVerdict& verdict_of : verdict.nodes) {
    if (reasons.kinds_of(verdict_of) != BlockerKinds{BlockerKind::cordoned} ||
        reasons.gpus().empty())
      continue;
    const scheduler::NodeState& state = cluster.nodes()[verdict_of.node];
    const Node& node = *state.node;
    std::string since;
    for (const Taint& taint : node.taints)
      if (lifecycle_of(taint) == Unavailable::cordoned && taint.added && now && *taint.added < *now)
        since = fmt::format(" was cordoned {} ago; it", human_duration(*now - *taint.added));
    const scheduler::ResourceId gpu = reasons.gpus().front().resource;
    const std::int64_t allocatable = state.allocatable[gpu];
    const std::int64_t capacity = amount_of(node.capacity, cluster.name_of(gpu)).value();
    answer.remarks.push_back({fmt::format(
        "{}{} is {}, and advertises {} {} GPUs", node.name, since,
        is_ready(node) ? "Ready" : "not ready",
        allocatable >= capacity ? "all" : fmt::format("{} of", allocatable), capacity)});
    return;
  }
}

/// Without sight of nodes the scheduler's own word, added later, is all there is.
Explanation explain_unseen_nodes(Explanation answer) {
  answer.code = Code::not_modelled;
  answer.summary = "no nodes were read, so what rules them out is not known";
  answer.nearest = "no nodes were read";
  answer.not_checked.emplace_back("nodes, which were not read");
  return answer;
}

/// Nothing refuses it, and yet it may not fit: the search for its devices was given up, or what
/// filters need was not read.
Explanation explain_undecided(Explanation answer, const scheduler::Verdict& verdict) {
  const std::size_t nodes = verdict.fitting();
  const std::string unread = fmt::format("{} were not read", fmt::join(verdict.unread, ", "));
  answer.code = Code::not_modelled;
  answer.summary = fmt::format(
      "nothing that could be checked keeps it waiting, but whether it fits on {} {} "
      "could not be decided{}",
      nodes, nodes == 1 ? "node" : "nodes", verdict.unread.empty() ? "" : ": " + unread);
  answer.nearest = verdict.unread.empty() ? "whether it fits was not decided" : unread;
  return answer;
}

/// A version that is older or newer than all whose rules are known.
std::optional<std::string> unknown_version(const scheduler::Cluster& cluster) {
  const scheduler::SchedulerVersion& version = cluster.version();
  if (version.source == scheduler::VersionSource::none || cluster.rules().is_exact)
    return std::nullopt;
  if (auto assumed = assumed_version(cluster)) return assumed;
  return fmt::format("what kube-scheduler {} decides otherwise than 1.{}, whose rules are tried",
                     version.text, cluster.rules().minor);
}

/// DRA was in the making before 1.34; its answers of then are not recorded.
std::optional<std::string> early_devices(const scheduler::Cluster& cluster, const Pod& pod) {
  constexpr int kStable = 34;
  if (pod.claim_slots.empty() || cluster.rules().minor >= kStable) return std::nullopt;
  return fmt::format("whether 1.{} allocates devices as 1.{} does, whose rules are tried",
                     cluster.rules().minor, kStable);
}

/// Several filters may lack the same object.
void keep_each_once(std::vector<std::string>& texts) {
  std::vector<std::string> once;
  for (std::string& text : texts)
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(std::move(text));
  texts = std::move(once);
}

/// Who holds what it needs, where no fix says so.
void add_holders(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod,
                 const scheduler::Verdict& verdict, const NodeReasons& reasons,
                 const ExplainOptions& options) {
  const bool has_other_cause = std::any_of(answer.advice.begin(), answer.advice.end(),
                                           [](const Advice& each) { return !asks_for_node(each); });
  if (has_other_cause) return;
  auto holders = holder_advice(cluster, pod, verdict, reasons, options);
  if (!holders) return;
  answer.advice.insert(answer.advice.begin(), *std::move(holders));
  std::erase_if(answer.remarks,
                [](const Remark& each) { return each.kind == RemarkKind::no_change_found; });
}

std::vector<std::string> first_nodes_of(const scheduler::Cluster& cluster,
                                        const scheduler::Verdict& verdict) {
  constexpr std::size_t kMostNodes = 3;
  std::vector<std::string> names;
  for (const scheduler::NodeVerdict& each : verdict.nodes)
    if (names.size() < kMostNodes && each.lets_in() && !each.is_undecided)
      names.push_back(cluster.nodes()[each.node].node->name);
  return names;
}

/// The scheduler counts shares as it counts cards; device plugins do not.
std::optional<Remark> shares_remark(const scheduler::Cluster& cluster, const Pod& pod,
                                    const scheduler::Verdict& verdict) {
  for (const scheduler::NodeVerdict& each : verdict.nodes)
    if (each.lets_in() && asks_for_several_shares(cluster, pod, each.node))
      return Remark{
          .text = fmt::format("the GPUs of {} are shared: its device plugin can refuse a request "
                              "for several shares once the pod is bound "
                              "(failRequestsGreaterThanOne), and several give no more of a card",
                              cluster.nodes()[each.node].node->name),
          .kind = RemarkKind::shares};
  return std::nullopt;
}

Explanation explain_fitting(Explanation answer, const scheduler::Cluster& cluster, const Pod& pod,
                            const scheduler::Verdict& verdict) {
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.fits_on = verdict.decided();
  answer.first_nodes = first_nodes_of(cluster, verdict);
  answer.certainty = verdict.not_checked.empty() ? Certainty::sure : Certainty::as_far_as_checked;
  answer.summary =
      fits_text(*answer.fits_on, answer.first_nodes, answer.certainty, OtherReason::none);
  if (auto remark = shares_remark(cluster, pod, verdict)) answer.remarks.push_back(*remark);
  return answer;
}

/// All nodes by what rules them out, and what would help.
void add_way_out(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod,
                 const scheduler::Verdict& verdict, const NodeReasons& reasons,
                 const ExplainOptions& options) {
  answer.groups = groups_of(cluster, pod, verdict, reasons);
  add_cordon_remark(answer, cluster, verdict, reasons, options.now);
  // A fix that was tried beside half of the pods was not tried.
  if (!verdict.unread.empty()) return;
  FixSearch search = fixes_for(cluster, pod, verdict, reasons, options);
  answer.fixes = std::move(search.fixes);
  if (answer.advice.empty()) {
    append(answer.remarks, std::move(search.remarks));
    append(answer.advice, std::move(search.advice));
  }
  if (answer.fixes.empty()) add_holders(answer, cluster, pod, verdict, reasons, options);
  if (answer.code == Code::insufficient_gpus && !reasons.gpus().empty())
    if (auto sharers = sharers_remark(cluster)) answer.remarks.push_back(*std::move(sharers));
  if (auto parts = request_parts(pod)) answer.remarks.push_back(*std::move(parts));
  if (auto note = preemption_note(cluster, pod, verdict, answer))
    answer.remarks.push_back(*std::move(note));
}

Explanation explain_blocked(Explanation answer, const scheduler::Cluster& cluster, const Pod& pod,
                            const scheduler::Verdict& verdict, const ExplainOptions& options) {
  answer.predicted_message = predicted_message(cluster, pod, verdict);
  const NodeReasons reasons(cluster, pod, verdict);
  Cause cause = cause_of(cluster, pod, verdict, reasons);
  answer.code = cause.code;
  answer.summary = std::move(cause.summary);
  answer.nearest = std::move(cause.nearest);
  answer.remarks = std::move(cause.remarks);
  answer.advice = std::move(cause.advice);
  append(answer.not_checked, unseen_stack(cluster, answer.code));
  if (options.fixes == ExplainOptions::Fixes::leave_out) return answer;
  add_way_out(answer, cluster, pod, verdict, reasons, options);
  // A fix solves all that rules its node out.
  if (!cause.next.empty() && answer.fixes.empty())
    answer.remarks.insert(answer.remarks.begin(), Remark{std::move(cause.next)});
  return answer;
}

/// Of a pod that failed before it started, and that others stand for, see ReplacedPods.
void say_it_is_replaced(Explanation& answer) {
  answer.remarks.insert(answer.remarks.begin(), Remark{std::move(answer.summary)});
  answer.summary =
      "it failed before it started, and nothing waits for it any more: its owner has newer pods, "
      "or "
      "wants none";
  answer.is_blocked = false;
  answer.code = Code::starting;
  answer.advice.clear();
  answer.nearest.clear();
}

/// The answer where nodes are not asked: it has one, or the scheduler does not look at it yet.
std::optional<Explanation> explain_unscheduled(const scheduler::Cluster& cluster, const Pod& pod,
                                               const ExplainOptions& options) {
  if (!pod.node_name.empty() || is_finished(pod)) {
    Explanation answer = after_binding(cluster, pod, options);
    if (cluster.shared<ReplacedPods>().has(pod)) say_it_is_replaced(answer);
    return answer;
  }
  return before_scheduling(cluster, pod, options);
}

/// Answers of pods that are alike, each judged once.
class KnownRequests {
 public:
  KnownRequests(const scheduler::Cluster& cluster, const ExplainOptions& options)
      : cluster_(cluster), options_(options) {}

  Explanation explain(const Pod& pod) {
    std::vector<std::pair<const Pod*, Explanation>>& alike =
        by_hash_[scheduler::scheduling_key_hash(pod)];
    const auto known = std::find_if(alike.begin(), alike.end(), [&](const auto& each) {
      return scheduler::same_scheduling_key(*each.first, pod);
    });
    if (known != alike.end()) return as_of(pod, known->second);
    alike.emplace_back(&pod, explain_request(cluster_, pod, options_));
    return alike.back().second;
  }

 private:
  [[nodiscard]] Explanation as_of(const Pod& pod, const Explanation& answer) const {
    Explanation identity = identity_of(cluster_, pod, options_.now);
    Explanation other = answer;
    other.ns = std::move(identity.ns);
    other.name = std::move(identity.name);
    other.names = std::move(identity.names);
    other.owner = std::move(identity.owner);
    other.claims = std::move(identity.claims);
    other.waiting = identity.waiting;
    return other;
  }

  const scheduler::Cluster& cluster_;
  const ExplainOptions& options_;
  std::unordered_map<std::size_t, std::vector<std::pair<const Pod*, Explanation>>> by_hash_;
};

}  // namespace

namespace {

Explanation explain_by_nodes(const scheduler::Cluster& cluster, const Pod& pod,
                             const ExplainOptions& options) {
  Explanation answer = identity_of(cluster, pod, options.now);
  if (cluster.snapshot().node_coverage != Coverage::whole)
    return explain_unseen_nodes(std::move(answer));
  const scheduler::Verdict verdict = judge(cluster, pod);
  answer.not_checked = verdict.not_checked;
  keep_each_once(answer.not_checked);
  if (auto version = unknown_version(cluster)) answer.not_checked.push_back(*std::move(version));
  if (auto devices = early_devices(cluster, pod)) answer.not_checked.push_back(*std::move(devices));
  if (cluster.snapshot().pod_coverage != Coverage::whole)
    answer.not_checked.emplace_back("what pods of other namespaces hold: you may not read them");
  if (verdict.fitting() > 0 && !verdict.fits())
    return explain_undecided(std::move(answer), verdict);
  if (verdict.decided() > 0) return explain_fitting(std::move(answer), cluster, pod, verdict);
  return explain_blocked(std::move(answer), cluster, pod, verdict, options);
}

}  // namespace

Explanation explain_request(const scheduler::Cluster& cluster, const Pod& pod,
                            const ExplainOptions& options) {
  Explanation answer = explain_by_nodes(cluster, pod, options);
  append(answer.remarks, fraction_remarks(pod));
  // What exists has passed it.
  if (!pod.created && is_refused_by_kai(pod))
    answer.not_checked.emplace_back("whether KAI's admission webhook lets the pod in");
  return answer;
}

Explanation explain(const scheduler::Cluster& cluster, const Pod& pod,
                    const ExplainOptions& options) {
  if (std::optional<Explanation> answer = explain_unscheduled(cluster, pod, options)) {
    if (!pod.node_name.empty() && !is_finished(pod) &&
        cluster.snapshot().node_coverage == Coverage::none)
      answer->not_checked.emplace_back("its node: no nodes were read");
    return *std::move(answer);
  }
  return own_answer(explain_request(cluster, pod, options), cluster, pod, options.now);
}

std::vector<Explanation> explain_all(const scheduler::Cluster& cluster, std::string_view ns,
                                     const ExplainOptions& options) {
  std::vector<Explanation> answers;
  KnownRequests known(cluster, options);
  for (const Pod* pod : waiting_pods(cluster.snapshot(), ns)) {
    std::optional<Explanation> answer = explain_unscheduled(cluster, *pod, options);
    answers.push_back(answer ? *std::move(answer)
                             : own_answer(known.explain(*pod), cluster, *pod, options.now));
  }
  append(answers, held_without_pods(cluster, ns, options));
  append(answers, refused_owners(cluster, ns, options));
  std::erase_if(answers, [](const Explanation& answer) { return !answer.is_blocked; });
  return answers;
}

}  // namespace gpu::diagnose
