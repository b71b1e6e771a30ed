#include "plan/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "admission/api/quota.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "plan/answer_headline.hpp"
#include "plan/api_refusal.hpp"
#include "plan/explain_planned.hpp"
#include "plan/preemption.hpp"
#include "plan/volumes.hpp"

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
  say_start(first, std::move(all));
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
      "the pods before it are taken to have started, each on the node with the fewest free GPUs "
      "on which it fits{}",
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
  doubt_start(answer);
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
      first.summary = diagnose::headline_text({.outcome = Outcome::blocked,
                                               .pods = planned.count,
                                               .starting = 0,
                                               .reason = first.summary});
    if (before > 0) say_what_stands_there(first, *cluster_, planned.pod);
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
    std::optional<scheduler::TakenParts> parts;
    if (node) parts = gpu_parts_on(*cluster_, pod, *node);
    if (!devices || !parts) return unfinished(std::move(first), planned, started, Rest::unknown);
    place(pod, *node, *std::move(devices), *parts);
    ++started_;
  }
  if (planned.count > 1 && first.headline) say_all_start(first, planned.count, victims);
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
  answer.headline.reset();
  answer.summary = diagnose::headline_text({.outcome = Outcome::fits_some,
                                            .pods = planned.count,
                                            .starting = started,
                                            .reason = answer.summary});
  say_what_stands_there(answer, *cluster_, next);
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
  const bool is_by_fraction = gpu_fraction(pod).has_value();
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
    if (is_by_fraction) free += free_gpus_for_fractions(*cluster_, pod, each.node);
    if (!is_counted || (best && free >= least)) continue;
    best = each.node;
    least = free;
  }
  return best;
}

void PodPlacement::place(const Pod& planned, std::size_t node, std::vector<TakenDevices>&& devices,
                         const scheduler::TakenParts& parts) {
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
  take_gpu_parts(snapshot_, pod, parts);
  const auto at = std::upper_bound(
      snapshot_.pods.begin(), snapshot_.pods.end(), pod,
      [](const Pod& a, const Pod& b) { return std::tie(a.ns, a.name) < std::tie(b.ns, b.name); });
  snapshot_.pods.insert(at, std::move(pod));
  cluster_ = std::make_unique<scheduler::Cluster>(snapshot_);
}

}  // namespace gpu::plan
