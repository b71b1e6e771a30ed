#include "plan/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "admission/api/quota.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "plan/api_refusal.hpp"
#include "plan/explain_planned.hpp"
#include "plan/preemption.hpp"
#include "plan/volumes.hpp"

namespace gpu::plan {
namespace {

using diagnose::Explanation;

/// Each costs a judgement on all nodes.
constexpr std::int64_t kMostTried = 512;

/// What is said of one pod is said of `who`.
void speak_of(diagnose::Explanation& answer, const std::string& who) {
  constexpr std::string_view kIt = "it would start";
  constexpr std::string_view kFits = ": it fits";
  if (answer.summary.starts_with(kIt)) answer.summary.replace(0, 2, who);
  if (const std::size_t at = answer.summary.find(kFits); at != std::string::npos)
    answer.summary.replace(at, kFits.size(), ": the first fits");
}

/// Of pods that start by preemption, where not all do.
void say_whom_they_stop(diagnose::Explanation& answer, const std::vector<std::string>& victims) {
  if (!victims.empty())
    answer.remarks.push_back(
        {fmt::format("the scheduler makes room for those that start by "
                     "preemption, which stops {}",
                     names_of(victims))});
}

void say_what_stands_there(diagnose::Explanation& answer) {
  answer.remarks.push_back(
      {"the pods before it are taken to have started, each on the node with the fewest free GPUs "
       "on which it fits"});
}

}  // namespace

std::string ordinal(std::int64_t number) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "first", "second",  "third",  "fourth", "fifth",
      "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (number >= 1 && number <= static_cast<std::int64_t>(kWords.size()))
    return fmt::format("the {}", kWords[static_cast<std::size_t>(number - 1)]);
  return fmt::format("pod {}", number);
}

void doubt(diagnose::Explanation& answer) {
  constexpr std::string_view kSure = " would start: ";
  const std::size_t at = answer.summary.find(kSure);
  if (!answer.is_blocked && at != std::string::npos)
    answer.summary.replace(at, kSure.size(), " would start, as far as could be checked: ");
}

void create_volume_claims(PlannedPod& planned, Snapshot& snapshot) {
  const VolumeClaimTemplates templates{planned.volume_claims, planned.first_ordinal};
  for (std::string& each :
       make_volume_claims(planned.pod, templates, std::min(planned.count, kMostPlaced), snapshot))
    planned.not_checked.push_back(std::move(each));
  use_volume_claims(planned.pod, templates, 0, snapshot);
}

PodPlacement::PodPlacement(const scheduler::Cluster& cluster, diagnose::ExplainOptions options)
    : snapshot_(cluster.snapshot()), options_(std::move(options)) {
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
}

PodPlacement::PodPlacement(const PodPlacement& other)
    : snapshot_(other.snapshot_),
      options_(other.options_),
      placed_(other.placed_),
      tried_(other.tried_),
      is_all_placed_(other.is_all_placed_) {
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
}

diagnose::Explanation PodPlacement::answer(const PlannedPod& planned) {
  const bool stand_all_there = is_all_placed_;
  diagnose::Explanation answer = answer_each(planned);
  if (stand_all_there || answer.is_blocked) return answer;
  answer.not_checked.emplace_back(
      "what pods before it take that were not tried, or whose devices or volumes are not known");
  doubt(answer);
  return answer;
}

diagnose::Explanation PodPlacement::answer_each(const PlannedPod& planned) {
  options_.manifest = planned.file;
  options_.template_at = planned.template_at;
  const std::int64_t before = placed_;
  started_ = 0;
  diagnose::Explanation first = explain_planned(*cluster_, planned.pod, options_);
  if (first.is_blocked) {
    if (planned.count > 1 && !first.predicted_message.empty())
      first.summary = fmt::format("none of {} pods would start: {}", planned.count, first.summary);
    if (before > 0) say_what_stands_there(first);
    return first;
  }
  const VolumeClaimTemplates templates{planned.volume_claims, planned.first_ordinal};
  std::vector<std::string> victims;
  for (std::int64_t started = 0; started < planned.count; ++started) {
    if (started == kMostPlaced || tried_ == kMostTried)
      return unfinished(std::move(first), planned, started, Rest::too_many);
    ++tried_;
    Pod pod = planned.pod;
    use_volume_claims(pod, templates, started, snapshot_);
    scheduler::Verdict verdict = scheduler::judge(*cluster_, pod);
    const bool is_accepted = is_let_in(*cluster_, pod);
    if (!verdict.fits() && is_accepted && make_room(pod, verdict, victims))
      verdict = scheduler::judge(*cluster_, pod);
    if (!verdict.fits() || !is_accepted) {
      diagnose::Explanation answer = stopped(planned, pod, started);
      say_whom_they_stop(answer, victims);
      return answer;
    }
    const std::optional<std::size_t> node =
        takes_unknown(pod, templates) ? std::nullopt : node_for(pod, verdict);
    std::optional<std::vector<TakenDevices>> devices;
    if (node) devices = devices_on(*cluster_, pod, *node);
    if (!node || !devices) return unfinished(std::move(first), planned, started, Rest::unknown);
    place(pod, *node, *std::move(devices));
    ++started_;
  }
  if (planned.count > 1) {
    const std::string who =
        planned.count == 2 ? "both pods" : fmt::format("all {} pods", planned.count);
    speak_of(first, who);
    if (!victims.empty()) {
      first.summary =
          fmt::format("{} would start: the scheduler makes room by preemption, which stops {}", who,
                      names_of(victims));
      std::erase_if(first.remarks,
                    [](const diagnose::Remark& each) { return each.text == kMayStopOthers; });
      first.remarks.push_back({std::string(kMayStopOthers)});
    }
  }
  return first;
}

/// Takes away what the scheduler would stop for the pod; whether it would.
bool PodPlacement::make_room(const Pod& pod, const scheduler::Verdict& verdict,
                             std::vector<std::string>& victims) {
  const auto room = room_by_preemption(*cluster_, pod, verdict);
  if (!room) return false;
  std::set<std::pair<std::string, std::string>> names;
  for (const Pod* victim : room->victims) {
    names.emplace(victim->ns, victim->name);
    victims.push_back(victim->ns + "/" + victim->name);
  }
  cluster_.reset();
  std::erase_if(snapshot_.pods, [&](const Pod& each) {
    return names.contains({each.ns, each.name});
  });
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
  return true;
}

/// Those that started leave no room for the next.
diagnose::Explanation PodPlacement::stopped(const PlannedPod& planned, const Pod& next,
                                            std::int64_t started) {
  diagnose::Explanation answer = explain_planned(*cluster_, next, options_);
  answer.summary = fmt::format("{} of {} pods would start; {}: {}", started, planned.count,
                               ordinal(started + 1), answer.summary);
  say_what_stands_there(answer);
  return answer;
}

diagnose::Explanation PodPlacement::unfinished(diagnose::Explanation first,
                                               const PlannedPod& planned, std::int64_t started,
                                               Rest rest) {
  is_all_placed_ = false;
  const std::int64_t known = std::max<std::int64_t>(started, 1);
  started_ = known;
  if (known >= planned.count) return first;
  const std::string who = known == 1 ? "the first" : fmt::format("the first {}", known);
  const std::int64_t others = planned.count - known;
  first.summary = fmt::format("{} of {} pods would start; whether the {} is not checked", who,
                              planned.count, others == 1 ? "other does" : "others do");
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

/// Volumes are found or made only once a pod has a node.
bool PodPlacement::takes_unknown(const Pod& pod, const VolumeClaimTemplates& templates) const {
  const auto is_its_own = [&](const PodVolume& volume) {
    return std::any_of(templates.claims.begin(), templates.claims.end(),
                       [&](const auto& each) { return each.name == volume.name; });
  };
  return std::any_of(pod.volumes.begin(), pod.volumes.end(), [&](const PodVolume& each) {
    if (each.claim.empty()) return false;
    const PersistentVolumeClaim* const claim = cluster_->volume_claim(pod.ns, each.claim);
    return claim == nullptr ||
           (!claim->is_bound &&
            !(is_its_own(each) && is_made_on_demand(*claim, snapshot_.scheduling)));
  });
}

/// Nothing where the node's count of what it holds would not show it.
std::optional<std::size_t> PodPlacement::node_for(const Pod& pod,
                                                  const scheduler::Verdict& verdict) const {
  const diagnose::NodeReasons reasons(*cluster_, pod, verdict);
  std::optional<std::size_t> best;
  std::int64_t least = 0;
  for (const scheduler::NodeVerdict& each : verdict.nodes) {
    if (!each.lets_in()) continue;
    std::int64_t free = 0;
    bool is_counted = true;
    for (const scheduler::Amount& asked : reasons.gpus()) {
      const std::int64_t left = reasons.free_of(each.node, asked.resource);
      is_counted = is_counted && left >= asked.value;
      free += left;
    }
    if (!is_counted || (best && free >= least)) continue;
    best = each.node;
    least = free;
  }
  return best;
}

void PodPlacement::place(const Pod& planned, std::size_t node,
                         std::vector<TakenDevices>&& devices) {
  Pod pod = planned;
  pod.node_name = cluster_->nodes()[node].node->name;
  pod.name += fmt::format("-{}", ++placed_);
  pod.uid += "-" + pod.name;
  pod.phase = "Running";
  // No fix ends a pod that would start.
  pod.owners = {
      {.kind = "Node", .name = pod.node_name, .uid = {}, .api_version = "v1", .controller = true}};
  cluster_.reset();
  admission::count_in_quotas(snapshot_.scheduling, pod);
  take_devices(snapshot_, pod, std::move(devices));
  const auto at = std::upper_bound(
      snapshot_.pods.begin(), snapshot_.pods.end(), pod,
      [](const Pod& a, const Pod& b) { return std::tie(a.ns, a.name) < std::tie(b.ns, b.name); });
  snapshot_.pods.insert(at, std::move(pod));
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
}

}  // namespace gpu::plan
