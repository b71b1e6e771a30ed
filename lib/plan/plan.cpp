#include "plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "admission/api/admission.hpp"
#include "base/ascii.hpp"
#include "model/objects/own_kind.hpp"
#include "plan/answer_headline.hpp"
#include "plan/api_refusal.hpp"
#include "plan/claims.hpp"
#include "plan/daemon.hpp"
#include "plan/existing_pods.hpp"
#include "plan/explain_planned.hpp"
#include "plan/gang.hpp"
#include "plan/node.hpp"
#include "plan/placement.hpp"
#include "plan/queue_admission.hpp"

namespace gpu::plan {
namespace {

using diagnose::Explanation;

/// What makes no pods now may make some later: what keeps these from starting is told, too.
diagnose::Explanation makes_none(const PlannedPod& planned, const scheduler::Cluster& cluster,
                                 const diagnose::ExplainOptions& options) {
  diagnose::Explanation answer = explain_planned(cluster, planned.pod, options);
  answer.remarks.insert(answer.remarks.begin(), {"once it makes some: " + answer.summary});
  answer.is_blocked = false;
  answer.headline.reset();
  answer.code = diagnose::Code::starting;
  answer.summary = "it creates no pods: " + planned.none_because;
  answer.nearest.clear();
  return answer;
}

bool is_daemon(const PlannedPod& planned) {
  return !planned.pod.owners.empty() && is_own(planned.pod.owners.front(), "DaemonSet");
}

/// A fix that takes the pods from where Kueue sends them is none.
void drop_misplacing(diagnose::Explanation& answer, const admission::GivenPlace& place) {
  std::erase_if(answer.fixes, [&](const diagnose::Fix& fix) {
    return std::any_of(
        fix.edited_labels.begin(), fix.edited_labels.end(),
        [&](const std::string& label) { return place.node_selector.contains(label); });
  });
}

/// What Kueue adds to the selector is nothing that anybody can find in the manifest.
void tell_apart(diagnose::Explanation& answer, const Pod& written,
                const admission::GivenPlace& place) {
  for (diagnose::Constraint& each : answer.only_on)
    if (place.node_selector.contains(each.label) && !written.node_selector.contains(each.label))
      each.origin = diagnose::ConstraintOrigin::queue_flavor;
}

/// One object after the other: what the API server or Kueue holds back takes nothing from those
/// after it.
class PlanExplainer {
 public:
  PlanExplainer(const PlannedObjects& planned, const scheduler::Cluster& cluster,
                const diagnose::ExplainOptions& options)
      : planned_(planned.pods),
        cluster_(cluster),
        options_(options),
        existing_(cluster.snapshot(), planned),
        admission_(planned, cluster) {
    const bool is_one = planned_.size() == 1 && planned_.front().count <= 1;
    if (is_one) return;
    placing_.emplace(cluster, options);
    for (const PlannedPod& each : planned_) placing_->expect(each.pod);
  }

  /// In the scheduler's order: by priority, then as listed.
  PlannedAnswers answers() {
    std::vector<std::pair<std::size_t, std::size_t>> objects;
    for (std::size_t i = 0; i < planned_.size();) {
      std::size_t end = i + 1;
      while (end < planned_.size() && has_one_gang(planned_[i], planned_[end])) ++end;
      objects.emplace_back(i, end);
      i = end;
    }
    std::stable_sort(objects.begin(), objects.end(), [&](const auto& a, const auto& b) {
      return planned_[a.first].pod.priority.value_or(0) >
             planned_[b.first].pod.priority.value_or(0);
    });
    answers_.resize(planned_.size());
    for (const auto& [first, end] : objects) add_whole(first, end);
    PlannedAnswers all{std::move(answers_), {}};
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      const std::int64_t left = planned_[i].count - started_[planned_[i].pod.uid];
      all.waiting.push_back(all.explanations[i].is_blocked ? std::max<std::int64_t>(left, 1) : 0);
    }
    return all;
  }

 private:
  /// An object, whose pods may start together or not at all.
  void add_whole(std::size_t first, std::size_t end) {
    const std::span<const PlannedPod> templates(planned_.data() + first, end - first);
    const GangRule rule = gang_rule(templates, cluster_);
    if (rule.gang != Gang::whole || !placing_) return add_object(first, end);
    const PodPlacement::Mark before = placing_->mark();
    add_object(first, end);
    std::int64_t room = 0;
    bool has_each = true;
    for (std::size_t at = first; at < end; ++at) {
      // Nobody knows whether they all do.
      if (answers_[at].is_blocked && answers_[at].code == diagnose::Code::not_modelled) return;
      const std::int64_t started = started_[planned_[at].pod.uid];
      room += started;
      has_each = has_each && started >= planned_[at].group.least_of_template.value_or(0);
    }
    if (has_each && room >= rule.least) return;
    placing_->back_to(before);
    for (std::size_t at = first; at < end; ++at)
      hold_gang(at, fmt::format("{} start together or not at all, and there is room for {}",
                                rule.least == pods_of(templates)
                                    ? fmt::format("its {} pods", rule.least)
                                    : fmt::format("at least {} of its {} pods", rule.least,
                                                  pods_of(templates)),
                                room));
  }

  /// Nothing of the gang starts: the reason of a template that finds no room stays.
  void hold_gang(std::size_t at, const std::string& why) {
    diagnose::Explanation& answer = answers_[at];
    if (planned_[at].count == 0) return;
    started_[planned_[at].pod.uid] = 0;
    const std::string& reason = reasons_[at];
    if (!answer.is_blocked) {
      answer.is_blocked = true;
      answer.code = diagnose::Code::gang_waiting;
      answer.headline.reset();
      answer.nearest = "its gang does not fit";
      answer.summary = why;
      return;
    }
    if (!reason.empty())
      set_headline(answer, {.outcome = diagnose::Outcome::blocked,
                            .pods = planned_[at].count,
                            .starting = 0,
                            .reason = reason});
    answer.remarks.insert(answer.remarks.begin(), {why});
  }

  /// All templates of one object. Kueue sees what makes pods before they are made, and a pod only
  /// once the API server has let it in.
  void add_object(std::size_t first, std::size_t end) {
    const bool is_refused =
        std::any_of(planned_.begin() + static_cast<std::ptrdiff_t>(first),
                    planned_.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const PlannedPod& each) { return each.mistake.has_value(); });
    if (admission_.queue_of(planned_[first]).empty() || is_refused) {
      for (std::size_t at = first; at < end; ++at) put(at, answer(planned_[at]));
      return;
    }
    if (QueueAdmission::is_queued_alone(planned_[first].pod)) {
      for (std::size_t at = first; at < end; ++at) put(at, queued_alone(planned_[at]));
      return;
    }
    const admission::QueueOpinion opinion =
        admission_.of_object({planned_.data() + first, end - first});
    std::optional<PodPlacement::Mark> before;
    if (opinion.hold && placing_) before = placing_->mark();
    for (std::size_t at = first; at < end; ++at) {
      const std::size_t set = at - first;
      put(at, set < opinion.given.size() ? placed_answer(planned_[at], opinion.given[set])
                                         : answer(planned_[at]));
      if (planned_[at].count > 0) add_opinion(answers_[at], opinion);
      if (opinion.hold) started_[planned_[at].pod.uid] = 0;
      if (planned_[at].queue.empty()) say_default(answers_[at]);
    }
    if (before) placing_->back_to(*before);
    admission_.take(opinion, planned_[first]);
  }

  void put(std::size_t at, diagnose::Explanation answer) {
    answers_[at] = std::move(answer);
    if (placing_) reasons_[at] = placing_->reason();
  }

  diagnose::Explanation queued_alone(const PlannedPod& planned) {
    if (planned.count == 0) return answer(planned);
    const admission::QueueOpinion opinion = admission_.one_by_one(planned);
    if (!opinion.hold || !placing_) return with_opinion(planned, opinion);
    const PodPlacement::Mark before = placing_->mark();
    diagnose::Explanation all = with_opinion(planned, opinion);
    placing_->back_to(before);
    if (opinion.admitted == 0) return all;
    PlannedPod admitted =
        opinion.given.empty() ? planned : QueueAdmission::placed(planned, opinion.given.front());
    admitted.count = opinion.admitted;
    static_cast<void>(placing_->answer(admitted));
    return all;
  }

  diagnose::Explanation with_opinion(const PlannedPod& planned,
                                     const admission::QueueOpinion& opinion) {
    using diagnose::Code;
    diagnose::Explanation its =
        opinion.given.empty() ? answer(planned) : placed_answer(planned, opinion.given.front());
    if (its.code == diagnose::Code::admission_rejected || its.code == diagnose::Code::limit_range ||
        its.code == diagnose::Code::quota_exceeded ||
        its.code == diagnose::Code::quota_needs_requests)
      return its;
    add_opinion(its, opinion);
    if (opinion.hold) started_[planned.pod.uid] = opinion.admitted;
    admission_.take(opinion, planned);
    return its;
  }

  static void say_default(diagnose::Explanation& answer) {
    answer.remarks.push_back(
        {"it names no queue: Kueue gives it the queue of its namespace that is called default"});
  }

  /// Of pods that Kueue sends to the nodes of its flavors.
  diagnose::Explanation placed_answer(const PlannedPod& planned,
                                      const admission::GivenPlace& place) {
    diagnose::Explanation its = answer(QueueAdmission::placed(planned, place));
    drop_misplacing(its, place);
    tell_apart(its, planned.pod, place);
    if (place.node_selector.empty() && place.tolerations.empty()) return its;
    std::string text = fmt::format("its flavor {}", fmt::join(place.flavors, ", "));
    if (!place.node_selector.empty()) {
      text += " sends the pods to nodes with ";
      std::string_view before;
      for (const auto& [key, value] : place.node_selector) {
        text += fmt::format("{}{}={}", before, key, value);
        before = ", ";
      }
    }
    if (!place.tolerations.empty())
      text += fmt::format("{} gives them tolerations", place.node_selector.empty() ? "" : ", and");
    its.remarks.push_back({std::move(text)});
    return its;
  }

  static void add_opinion(diagnose::Explanation& answer, const admission::QueueOpinion& opinion) {
    admission::add_queue_opinion(answer, opinion);
    if (!opinion.not_checked.empty()) doubt_start(answer);
  }

  /// Whatever Kueue says.
  diagnose::Explanation answer(const PlannedPod& planned) {
    const scheduler::Cluster& now = placing_ ? placing_->cluster() : cluster_;
    diagnose::ExplainOptions own = options_;
    own.manifest = planned.file;
    own.template_at = planned.template_at;
    diagnose::Explanation its;
    if (planned.count == 0)
      its = makes_none(planned, now, own);
    else if (planned.mistake)
      its = explain_planned(now, planned.pod, own);
    else if (is_daemon(planned))
      its = explain_daemons(now, planned.pod, own);
    else
      its = placing_ ? placing_->answer(planned) : explain_planned(now, planned.pod, own);
    if (placing_ && is_daemon(planned) && planned.count > 0) placing_->leave_out();
    const bool is_placed = placing_ && planned.count > 0 && !planned.mistake && !is_daemon(planned);
    started_[planned.pod.uid] = is_placed ? placing_->started() : 0;
    its.not_checked.insert(its.not_checked.end(), planned.not_checked.begin(),
                           planned.not_checked.end());
    if (!planned.not_checked.empty()) doubt_start(its);
    if (planned.mistake) add_mistake(its, *planned.mistake);
    if (auto remark = existing_.remark_on(planned.pod); remark && planned.count > 0)
      its.remarks.push_back(*std::move(remark));
    return its;
  }

  const std::vector<PlannedPod>& planned_;
  const scheduler::Cluster& cluster_;
  const diagnose::ExplainOptions& options_;
  ExistingPods existing_;
  std::optional<PodPlacement> placing_;
  std::vector<diagnose::Explanation> answers_;
  std::map<std::size_t, std::string> reasons_;   ///< by template: why its next pod does not start
  std::map<std::string, std::int64_t> started_;  ///< by the planned pod's uid
  QueueAdmission admission_;
};

void add_unknown(const PlannedObjects& planned, Snapshot& snapshot) {
  for (const std::string& owner : planned.unknown)
    snapshot.gaps.push_back({.what = owner + " does not say what its pods are made of, so they are "
                                             "not checked",
                             .why = "what makes them fills in the rest",
                             .help = "create it, and use its name",
                             .about = GapTopic::scheduling});
}

/// What pods refer to.
void add_beside_pods(PlannedObjects& planned, Snapshot& snapshot) {
  SchedulingFacts& facts = snapshot.scheduling;
  for (ResourceClaim& each : planned.claims) insert_planned(snapshot.claims, std::move(each));
  for (ClaimTemplate& each : planned.claim_templates)
    insert_planned(facts.claim_templates, std::move(each));
  add_volume_claims(planned, snapshot);
  for (PriorityClass& each : planned.priority_classes)
    facts.priority_classes.push_back(std::move(each));
  for (Namespace& each : planned.namespaces) add_namespace(facts, std::move(each));
  for (VolcanoPodGroup& each : planned.pod_groups)
    insert_planned(facts.volcano_pod_groups, std::move(each));
}

/// It waits until it is judged: nothing of it counts on a node.
void add_waiting(const Pod& pod, Snapshot& snapshot) {
  const auto at = std::upper_bound(
      snapshot.pods.begin(), snapshot.pods.end(), pod,
      [](const Pod& a, const Pod& b) { return std::tie(a.ns, a.name) < std::tie(b.ns, b.name); });
  snapshot.pods.insert(at, pod)->node_name.clear();
}

}  // namespace

void take_found(PlannedObjects& planned) {
  for (PlannedPod& each : planned.found) {
    const OwnerReference& owner = each.pod.owners.front();
    std::erase(planned.unknown, lower_case(owner.kind) + "/" + owner.name);
    planned.pods.push_back(std::move(each));
  }
  planned.found.clear();
}

void add_planned(PlannedObjects& planned, Snapshot& snapshot) {
  add_unknown(planned, snapshot);
  add_beside_pods(planned, snapshot);
  std::size_t number = 0;
  for (PlannedPod& each : planned.pods) {
    for (const std::string& other : planned.beside)
      each.not_checked.push_back(fmt::format("what {} of the files changes", other));
    admission::admit(each.pod, snapshot.scheduling);
    bypass_scheduler(each.pod);
    each.pod.uid = fmt::format("{}:{}", each.file, number++);
    if (each.count == 0) continue;
    make_claims(each.pod, snapshot);
    create_volume_claims(each, snapshot);
    add_waiting(each.pod, snapshot);
  }
}

PlannedAnswers explain_planned_objects(const PlannedObjects& planned,
                                       const scheduler::Cluster& cluster,
                                       const diagnose::ExplainOptions& options) {
  return PlanExplainer(planned, cluster, options).answers();
}

}  // namespace gpu::plan
