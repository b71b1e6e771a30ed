#include "plan/preemption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "plan/answer_headline.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::plan {
namespace {

/// Each takes a trial for every pod of lower priority on it.
constexpr std::size_t kMostNodes = 32;

Time start_of(const Pod& pod) { return pod.started.value_or(Time::max()); }

/// Of lower priority, the most important first: MoreImportantPod() of the scheduler.
std::vector<const Pod*> lower_pods(const scheduler::NodeState& node, const Pod& pod) {
  std::vector<const Pod*> lower;
  for (const scheduler::BoundPod& bound : node.pods)
    if (bound.priority < pod.priority.value_or(0)) lower.push_back(bound.pod);
  std::stable_sort(lower.begin(), lower.end(), [](const Pod* a, const Pod* b) {
    return std::pair(-std::int64_t{a->priority.value_or(0)}, start_of(*a)) <
           std::pair(-std::int64_t{b->priority.value_or(0)}, start_of(*b));
  });
  return lower;
}

bool fits_without(const scheduler::Cluster& cluster, const Pod& pod, std::size_t node,
                  const std::vector<const Pod*>& ended) {
  return judge(cluster, pod, {.ended = ended}, std::array{node}).fits();
}

/// All of them go, and come back as long as the pod fits: selectVictimsOnNode().
std::vector<const Pod*> victims_on(const scheduler::Cluster& cluster, const Pod& pod,
                                   std::size_t node) {
  std::vector<const Pod*> victims = lower_pods(cluster.nodes()[node], pod);
  if (!fits_without(cluster, pod, node, victims)) return {};
  for (std::size_t i = 0; i < victims.size();) {
    std::vector<const Pod*> fewer = victims;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits_without(cluster, pod, node, fewer))
      victims = std::move(fewer);
    else
      ++i;
  }
  return victims;
}

/// pickOneNodeForPreemption(): the lowest of the highest priorities, then of their sums, then the
/// fewest, then those of the highest priority that started last.
using Rank = std::tuple<std::int64_t, std::int64_t, std::size_t, std::int64_t>;
Rank rank_of(const std::vector<const Pod*>& victims) {
  constexpr std::int64_t kAboveAll = std::int64_t{1} << 31;
  std::int64_t sum = 0;
  Time first = Time::max();
  const std::int32_t highest = victims.front()->priority.value_or(0);
  for (const Pod* victim : victims) {
    sum += victim->priority.value_or(0) + kAboveAll;
    if (victim->priority.value_or(0) == highest) first = std::min(first, start_of(*victim));
  }
  return {highest, sum, victims.size(), -std::int64_t{first.time_since_epoch().count()}};
}

}  // namespace

std::optional<PreemptedRoom> room_by_preemption(const scheduler::Cluster& cluster, const Pod& pod,
                                                const scheduler::Verdict& verdict) {
  if (verdict.fits() || !verdict.unread.empty() || verdict.error) return std::nullopt;
  const scheduler::PreemptionVerdict preemption = preempt(cluster, pod, verdict);
  if (preemption.is_error) return std::nullopt;
  std::optional<PreemptedRoom> best;
  for (std::size_t i = 0; i < std::min(preemption.nodes.size(), kMostNodes); ++i) {
    PreemptedRoom room{preemption.nodes[i], victims_on(cluster, pod, preemption.nodes[i])};
    if (room.victims.empty()) continue;
    if (!best || rank_of(room.victims) < rank_of(best->victims)) best = std::move(room);
  }
  return best;
}

diagnose::Remark may_stop_others() {
  return {
      .text = "it may stop others that cost as little, and spares what PodDisruptionBudgets guard",
      .kind = diagnose::RemarkKind::may_stop_others};
}

std::string names_of(const std::vector<std::string>& pods) {
  constexpr std::size_t kMostNames = 4;
  std::vector<std::string> parts(
      pods.begin(), pods.begin() + static_cast<std::ptrdiff_t>(std::min(pods.size(), kMostNames)));
  if (pods.size() > kMostNames) parts.push_back(fmt::format("{} more", pods.size() - kMostNames));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

void start_by_preemption(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                         const Pod& pod) {
  if (!answer.is_blocked || answer.predicted_message.empty()) return;
  const scheduler::Verdict verdict = judge(cluster, pod);
  const auto room = room_by_preemption(cluster, pod, verdict);
  if (!room) return;
  std::vector<std::string> names;
  for (const Pod* victim : room->victims) {
    const std::int32_t priority = victim->priority.value_or(0);
    names.push_back(fmt::format("{}/{} (priority {})", victim->ns, victim->name, priority));
  }
  answer.is_blocked = false;
  answer.code = diagnose::Code::starting;
  set_headline(
      answer, {.reason = fmt::format("the scheduler makes room on {} by preemption, which stops {}",
                                     cluster.nodes()[room->node].node->name, names_of(names))});
  answer.predicted_message.clear();
  answer.nearest.clear();
  answer.fixes.clear();
  answer.advice.clear();
  answer.remarks = {may_stop_others()};
}

}  // namespace gpu::plan
