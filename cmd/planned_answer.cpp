#include "cmd/planned_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cmd/planned_existing.hpp"
#include "cmd/planned_placing.hpp"
#include "model/requests.hpp"
#include "schedule/api_refusal.hpp"
#include "schedule/planned_daemon.hpp"
#include "schedule/planned_queue.hpp"

namespace gpu::cmd {
namespace {

using kube::PlannedPod;
using schedule::Explanation;

/// What makes no pods now may make some later: what keeps these from starting is told, too.
Explanation makes_none(const PlannedPod& planned, const schedule::Cluster& cluster,
                       const schedule::ExplainOptions& options) {
  Explanation answer = schedule::explain(cluster, planned.pod, options);
  answer.remarks.insert(answer.remarks.begin(), {"once it makes some: " + answer.summary});
  answer.is_blocked = false;
  answer.code = schedule::Code::starting;
  answer.summary = "it makes no pods: " + planned.none_because;
  answer.nearest.clear();
  return answer;
}

/// Pods of one object, which Kueue admits together.
bool have_one_maker(const PlannedPod& a, const PlannedPod& b) {
  if (a.pod.owners.empty() || b.pod.owners.empty()) return false;
  return a.file == b.file && a.pod.ns == b.pod.ns && a.pod.owners == b.pod.owners;
}

/// Whether Kueue makes a Workload of each pod.
bool is_queued_alone(const Pod& pod) {
  static constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "ReplicaSet",
                                                             "ReplicationController", "DaemonSet"};
  return pod.owners.empty() ||
         std::find(kKinds.begin(), kKinds.end(), pod.owners.front().kind) != kKinds.end();
}

QueuedWorkload workload_of(const PlannedPod& planned) {
  QueuedWorkload workload{.ns = planned.pod.ns, .name = planned.pod.name, .queue = planned.queue};
  workload.priority = planned.pod.priority;
  return workload;
}

PodSet pod_set_of(const PlannedPod& planned, std::int64_t count) {
  const Pod& pod = planned.pod;
  return {.name = pod.name,
          .count = count,
          .requests = effective_requests(pod),
          .node_selector = pod.node_selector,
          .node_affinity = pod.placement.node_affinity,
          .tolerations = pod.tolerations};
}

bool is_daemon(const PlannedPod& planned) {
  return !planned.pod.owners.empty() && planned.pod.owners.front().kind == "DaemonSet";
}

/// What Kueue would do with pods of one template.
struct Admission {
  schedule::QueueOpinion opinion;
  std::int64_t admitted = 0;
};

/// Of pods that are admitted one by one, up to the first that is not.
Admission one_by_one(const schedule::Cluster& cluster, const PlannedPod& planned,
                     schedule::QueueTaken before) {
  QueuedWorkload workload = workload_of(planned);
  workload.pod_sets = {pod_set_of(planned, 1)};
  Admission all;
  for (std::int64_t number = 1; number <= std::min(planned.count, kMostPlaced); ++number) {
    schedule::QueueOpinion opinion = schedule::queue_opinion(cluster, workload, before);
    schedule::add_taken(before, opinion.takes);
    schedule::add_taken(opinion.takes, all.opinion.takes);
    if (opinion.hold && number > 1)
      opinion.hold->summary = fmt::format("{} of {} pods would be admitted; {}: {}", number - 1,
                                          planned.count, ordinal(number), opinion.hold->summary);
    // The first tells how much is taken without any of them.
    if (!opinion.hold && number > 1) opinion.remarks = std::move(all.opinion.remarks);
    all.opinion = std::move(opinion);
    if (all.opinion.hold) break;
    all.admitted = number;
  }
  return all;
}

/// One object after the other: what the API server or Kueue holds back takes nothing from those
/// after it.
class Answering {
 public:
  Answering(const kube::PlannedPods& planned, const schedule::Cluster& cluster,
            const schedule::ExplainOptions& options)
      : planned_(planned.pods),
        cluster_(cluster),
        options_(options),
        existing_(cluster.snapshot(), planned) {
    const bool is_one = planned_.size() == 1 && planned_.front().count <= 1;
    if (!is_one) placing_.emplace(cluster, options);
  }

  std::vector<Explanation> answers() {
    std::vector<Explanation> answers;
    for (std::size_t i = 0; i < planned_.size();) {
      std::size_t end = i + 1;
      while (end < planned_.size() && have_one_maker(planned_[i], planned_[end])) ++end;
      add_object(answers, i, end);
      i = end;
    }
    return answers;
  }

 private:
  /// All templates of one object. Kueue sees what makes pods before they are made, and a pod only
  /// once the API server has let it in.
  void add_object(std::vector<Explanation>& answers, std::size_t first, std::size_t end) {
    const bool is_refused =
        std::any_of(planned_.begin() + static_cast<std::ptrdiff_t>(first),
                    planned_.begin() + static_cast<std::ptrdiff_t>(end),
                    [](const PlannedPod& each) { return each.mistake.has_value(); });
    if (planned_[first].queue.empty() || is_refused) {
      for (std::size_t at = first; at < end; ++at)
        answers.push_back(answer(planned_[at], placing_));
      return;
    }
    if (is_queued_alone(planned_[first].pod)) {
      for (std::size_t at = first; at < end; ++at) answers.push_back(queued_alone(planned_[at]));
      return;
    }
    QueuedWorkload workload = workload_of(planned_[first]);
    for (std::size_t at = first; at < end; ++at)
      workload.pod_sets.push_back(pod_set_of(planned_[at], planned_[at].count));
    const schedule::QueueOpinion opinion = schedule::queue_opinion(cluster_, workload, taken_);
    std::optional<PlannedPlacing> copy;
    if (opinion.hold && placing_) copy.emplace(*placing_);
    for (std::size_t at = first; at < end; ++at) {
      answers.push_back(answer(planned_[at], copy ? copy : placing_));
      if (planned_[at].count > 0) add_opinion(answers.back(), opinion);
    }
    if (copy && placing_) placing_->count_tries(*copy);
    schedule::add_taken(taken_, opinion.takes);
  }

  Explanation queued_alone(const PlannedPod& planned) {
    if (planned.count == 0) return answer(planned, placing_);
    const Admission admission = one_by_one(cluster_, planned, taken_);
    if (!admission.opinion.hold || !placing_) return with_opinion(planned, placing_, admission);
    std::optional<PlannedPlacing> copy(*placing_);
    Explanation all = with_opinion(planned, copy, admission);
    placing_->count_tries(*copy);
    if (admission.admitted == 0) return all;
    PlannedPod admitted = planned;
    admitted.count = admission.admitted;
    static_cast<void>(placing_->answer(admitted));
    return all;
  }

  Explanation with_opinion(const PlannedPod& planned, std::optional<PlannedPlacing>& placing,
                           const Admission& admission) {
    using schedule::Code;
    Explanation its = answer(planned, placing);
    if (its.code == Code::admission_rejected || its.code == Code::limit_range ||
        its.code == Code::quota_exceeded || its.code == Code::quota_needs_requests)
      return its;
    add_opinion(its, admission.opinion);
    schedule::add_taken(taken_, admission.opinion.takes);
    return its;
  }

  static void add_opinion(Explanation& answer, const schedule::QueueOpinion& opinion) {
    schedule::add_queue_opinion(answer, opinion);
    if (!opinion.not_checked.empty()) doubt(answer);
  }

  /// Whatever Kueue says.
  Explanation answer(const PlannedPod& planned, std::optional<PlannedPlacing>& placing) const {
    const schedule::Cluster& now = placing ? placing->cluster() : cluster_;
    schedule::ExplainOptions own = options_;
    own.manifest = planned.file;
    own.template_at = planned.template_at;
    Explanation its;
    if (planned.count == 0)
      its = makes_none(planned, now, own);
    else if (planned.mistake)
      its = schedule::explain(now, planned.pod, own);
    else if (is_daemon(planned))
      its = schedule::explain_daemons(now, planned.pod, own);
    else
      its = placing ? placing->answer(planned) : schedule::explain(now, planned.pod, own);
    if (placing && is_daemon(planned) && planned.count > 0) placing->leave_out();
    its.not_checked.insert(its.not_checked.end(), planned.not_checked.begin(),
                           planned.not_checked.end());
    if (!planned.not_checked.empty()) doubt(its);
    if (planned.mistake) schedule::add_mistake(its, *planned.mistake);
    if (auto remark = existing_.remark_on(planned.pod); remark && planned.count > 0)
      its.remarks.push_back(*std::move(remark));
    return its;
  }

  const std::vector<PlannedPod>& planned_;
  const schedule::Cluster& cluster_;
  const schedule::ExplainOptions& options_;
  ExistingPods existing_;
  std::optional<PlannedPlacing> placing_;
  schedule::QueueTaken taken_;
};

}  // namespace

std::vector<Explanation> planned_answer(const kube::PlannedPods& planned,
                                        const schedule::Cluster& cluster,
                                        const schedule::ExplainOptions& options) {
  return Answering(planned, cluster, options).answers();
}

}  // namespace gpu::cmd
