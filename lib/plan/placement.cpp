#include "plan/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "plan/answer_headline.hpp"
#include "plan/explain_planned.hpp"
#include "plan/preemption.hpp"
#include "plan/volumes.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::plan {
namespace {

using diagnose::Explanation;
using diagnose::Outcome;

/// Each costs a judgement on all nodes.
constexpr std::int64_t kMostTried = 512;

/// Of pods that start by preemption, where not all do.
void say_whom_they_stop(diagnose::Explanation& answer, const std::vector<std::string>& victims) {
  if (!victims.empty())
    answer.remarks.push_back(
        {fmt::format("the scheduler makes room for those that start by "
                     "preemption, which stops {}",
                     names_of(victims))});
}

/// What was said of the first is said of all.
void say_all_start(diagnose::Explanation& first, std::int64_t count,
                   const std::vector<std::string>& victims) {
  diagnose::Headline all = *first.headline;
  all.pods = all.starting = count;
  if (!victims.empty()) {
    all.certainty = diagnose::Certainty::sure;
    all.nodes.reset();
    all.reason =
        fmt::format("the scheduler makes room by preemption, which stops {}", names_of(victims));
    std::erase_if(first.remarks, [](const diagnose::Remark& each) {
      return each.kind == diagnose::RemarkKind::may_stop_others;
    });
    first.remarks.push_back(may_stop_others());
  }
  set_headline(first, std::move(all));
}

/// Which GPU of the node a pod gets its part of, as it was placed; empty for a pod that requests no
/// part.
std::string_view part_text(const scheduler::Cluster& cluster, const Pod& pod) {
  const scheduler::SharedGpus parts(cluster, pod);
  if (parts.fraction()) return ", where each takes its part of the fullest GPU that has room";
  return parts.parts().empty() ? "" : ", where each takes its part of the first GPU that has room";
}

void say_what_stands_there(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                           const Pod& pod) {
  answer.remarks.push_back({fmt::format(
      "this assumes that the earlier pods have started where the scheduler's scores place them{}; "
      "`kubectl gpu fit -f` tries other placements",
      part_text(cluster, pod))});
}

}  // namespace

void create_volume_claims(PlannedPod& planned, Snapshot& snapshot) {
  const VolumeClaimTemplates templates{planned.volume_claims, planned.first_ordinal};
  for (std::string& each :
       make_volume_claims(planned.pod, templates, std::min(planned.count, kMostPlaced), snapshot))
    planned.not_checked.push_back(std::move(each));
  use_volume_claims(planned.pod, templates, 0, snapshot);
}

PodPlacement::PodPlacement(const scheduler::Cluster& cluster, diagnose::ExplainOptions options)
    : filling_(cluster.snapshot()), options_(std::move(options)) {}

void PodPlacement::back_to(const Mark& mark) {
  filling_.back_to(mark.filling);
  placed_ = mark.placed;
  is_all_placed_ = mark.is_all_placed;
}

diagnose::Explanation PodPlacement::answer(const PlannedPod& planned) {
  const bool stand_all_there = is_all_placed_;
  diagnose::Explanation answer = answer_each(planned);
  if (stand_all_there || answer.is_blocked) return answer;
  answer.not_checked.emplace_back(
      "what pods before it take that were not tried, or whose devices or volumes are not known");
  doubt_start(answer);
  return answer;
}

diagnose::Explanation PodPlacement::answer_each(const PlannedPod& planned) {
  options_.manifest = planned.file;
  options_.template_at = planned.template_at;
  options_.planned_pods = planned.count;
  const std::int64_t before = placed_;
  started_ = 0;
  reason_.clear();
  filling_.expect(planned.pod);
  diagnose::Explanation first = explain_planned(cluster(), planned.pod, options_);
  if (first.is_blocked) {
    reason_ = first.summary;
    if (!first.predicted_message.empty())
      set_headline(first, {.outcome = Outcome::blocked,
                           .pods = planned.count,
                           .starting = 0,
                           .reason = first.summary});
    if (before > 0) say_what_stands_there(first, cluster(), planned.pod);
    return first;
  }
  const VolumeClaimTemplates templates{planned.volume_claims, planned.first_ordinal};
  std::vector<std::string> victims;
  while (started_ < planned.count) {
    if (started_ == kMostPlaced || tried_ == kMostTried)
      return unfinished(std::move(first), planned, started_, Rest::too_many);
    ++tried_;
    Pod pod = planned.pod;
    use_volume_claims(pod, templates, started_, cluster().snapshot());
    const bool is_known = takes_known(pod, templates, cluster().snapshot());
    if (!is_known && started_ > 0)
      return unfinished(std::move(first), planned, started_, Rest::unknown);
    const std::optional<Started> started = filling_.start(pod, ties_);
    if (!started) {
      options_.planned_pods = planned.count - started_;
      diagnose::Explanation answer = explain_planned(cluster(), pod, options_);
      // It fits: what it would take is not known.
      if (!answer.is_blocked) return unfinished(std::move(first), planned, started_, Rest::unknown);
      answer = stopped(planned, std::move(answer), pod);
      say_whom_they_stop(answer, victims);
      return answer;
    }
    victims.insert(victims.end(), started->stops.begin(), started->stops.end());
    is_all_placed_ = is_all_placed_ && is_known;
    ++placed_;
    ++started_;
  }
  if (planned.count > 1 && first.headline) say_all_start(first, planned.count, victims);
  return first;
}

/// Those that started leave no room for the next.
diagnose::Explanation PodPlacement::stopped(const PlannedPod& planned, diagnose::Explanation answer,
                                            const Pod& next) {
  answer.headline.reset();
  reason_ = answer.summary;
  answer.summary = diagnose::headline_text({.outcome = Outcome::fits_some,
                                            .pods = planned.count,
                                            .starting = started_,
                                            .reason = answer.summary});
  say_what_stands_there(answer, cluster(), next);
  return answer;
}

diagnose::Explanation PodPlacement::unfinished(diagnose::Explanation first,
                                               const PlannedPod& planned, std::int64_t started,
                                               Rest rest) {
  is_all_placed_ = false;
  const std::int64_t known = std::max<std::int64_t>(started, 1);
  started_ = known;
  if (known >= planned.count) return first;
  const std::int64_t others = planned.count - known;
  first.headline.reset();
  first.summary = diagnose::headline_text(
      {.outcome = Outcome::undecided, .pods = planned.count, .starting = known});
  first.is_blocked = true;
  first.code = diagnose::Code::not_modelled;
  first.nearest = "not all of its pods are checked";
  first.not_checked.push_back(fmt::format(
      "the other {} of {} pods: {}", others, planned.count,
      rest == Rest::too_many
          ? fmt::format("no more than {} of one template are tried, and {} in all", kMostPlaced,
                        kMostTried)
          : std::string("which devices or volumes one that starts takes from them is not known")));
  return first;
}

}  // namespace gpu::plan
