#include "scheduler/cycle/judge.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cycle/messages.hpp"
#include "scheduler/cycle/prepared_filters.hpp"

namespace gpu::scheduler {
namespace {

/// What the PreFilters left of the nodes.
struct Narrowed {
  std::optional<std::unordered_set<std::size_t>> nodes;  ///< nothing: all
  std::vector<std::string> unknown;                      ///< names that no node has
};

/// Keeps in `narrowed` what `result` has, too.
void narrow(Narrowed& narrowed, const PreFilterResult& result) {
  if (!narrowed.nodes) {
    narrowed = {result.only, result.only_unknown};
    return;
  }
  std::erase_if(*narrowed.nodes, [&](std::size_t node) { return !result.only->contains(node); });
  std::erase_if(narrowed.unknown, [&](const std::string& name) {
    return std::find(result.only_unknown.begin(), result.only_unknown.end(), name) ==
           result.only_unknown.end();
  });
}

/// Takes over what PreFilters say: refusals, the nodes that are left, what is not known.
Narrowed take_before(const PreparedFilters& filters, Verdict& verdict) {
  Narrowed narrowed;
  for (const PreparedFilters::Before& before : filters.before()) {
    const PreFilterResult& result = before.result;
    verdict.not_checked.insert(verdict.not_checked.end(), result.not_checked.begin(),
                               result.not_checked.end());
    for (const std::string& plural : result.unread)
      if (std::find(verdict.unread.begin(), verdict.unread.end(), plural) == verdict.unread.end())
        verdict.unread.push_back(plural);
    if (result.refusal) {
      verdict.rejections.push_back({.filter = before.filter,
                                    .rejection = result.refusal->rejection,
                                    .message = result.refusal->message,
                                    .is_before_queue = result.refusal->is_before_queue});
      continue;
    }
    if (result.skips || !result.only) continue;
    verdict.leaving_out.push_back(before.filter);
    narrow(narrowed, result);
    if (narrowed.nodes->empty() && narrowed.unknown.empty())
      verdict.rejections.push_back(
          {.filter = before.filter, .message = nothing_left_text(verdict.leaving_out)});
  }
  return narrowed;
}

/// What DynamicResources' PostFilter will say, before nodes were looked at.
Verdict::Claims claims_of(const PreparedFilters& filters, const Verdict& verdict) {
  if (const PodRejection* const rejection = decisive_rejection(verdict);
      rejection != nullptr && rejection->rejection == Rejection::unresolvable) {
    return rejection->filter < Filter::dynamic_resources ? Verdict::Claims::not_reached
                                                         : Verdict::Claims::none;
  }
  if (filters.devices().has_made_claim()) return Verdict::Claims::deleted;
  return filters.devices().has_claims() ? Verdict::Claims::pending : Verdict::Claims::none;
}

class SchedulingCycle {
 public:
  SchedulingCycle(const Overlay& overlay, const Pod& pod)
      : overlay_(overlay), filters_(overlay, pod) {
    // What pods that were not read take of nodes is not known.
    if (overlay.cluster().snapshot().pod_coverage != Coverage::whole) verdict_.unread = {"pods"};
    narrowed_ = take_before(filters_, verdict_);
    verdict_.claims = claims_of(filters_, verdict_);
    nominated_ = overlay.cluster().node_named(pod.nominated_node);
  }

  /// As many nodes will be judged.
  void expect(std::size_t nodes) { verdict_.nodes.reserve(nodes); }

  void judge(std::size_t node) {
    const NodeView view = overlay_.view(node);
    filters_.ask(view, Depth::all, findings_);
    NodeVerdict made{.node = static_cast<std::uint32_t>(node), .blockers = list_of_found()};
    made.is_undecided = !made.is_refused() && (findings_.is_open() || !verdict_.unread.empty());
    made.is_left_out = narrowed_.nodes && nominated_ != node && !narrowed_.nodes->contains(node);
    if (!made.is_left_out) take_ending(view, made);
    verdict_.nodes.push_back(made);
  }

  [[nodiscard]] Verdict finish() {
    verdict_.reasons = findings_.take_reasons();
    for (const std::string& what : findings_.not_checked())
      if (std::find(verdict_.not_checked.begin(), verdict_.not_checked.end(), what) ==
          verdict_.not_checked.end())
        verdict_.not_checked.push_back(what);
    if (nominated_fits_) verdict_.error.reset();  // it is tried first, and taken
    return std::move(verdict_);
  }

 private:
  /// The place of what was found in verdict_.blocker_lists: mostly that of the node before.
  std::uint32_t list_of_found() {
    const std::vector<FilterFailure>& found = findings_.found();
    if (found == verdict_.blocker_lists[last_list_]) return last_list_;
    const auto next = static_cast<std::uint32_t>(verdict_.blocker_lists.size());
    const auto [at, is_new] = lists_.try_emplace(found, next);
    if (is_new) verdict_.blocker_lists.push_back(found);
    last_list_ = at->second;
    return last_list_;
  }

  /// An error ends the cycle, a claim that is not available is given up: where the scheduler gets
  /// as far as DynamicResources.
  void take_ending(const NodeView& view, const NodeVerdict& made) {
    if (findings_.error()) {
      if (!verdict_.error) verdict_.error = findings_.error()->message();
      return;
    }
    if (!made.is_refused()) {
      nominated_fits_ = nominated_fits_ || nominated_ == made.node;
    } else if (verdict_.claims == Verdict::Claims::pending &&
               findings_.found().front().filter == Filter::dynamic_resources &&
               filters_.devices().may_deallocate(view)) {
      verdict_.claims = Verdict::Claims::deallocatable;
    }
  }

  const Overlay& overlay_;
  const PreparedFilters filters_;
  Verdict verdict_;
  Narrowed narrowed_;
  std::optional<std::size_t> nominated_;
  bool nominated_fits_ = false;
  Findings findings_;
  std::map<std::vector<FilterFailure>, std::uint32_t> lists_ = {{{}, 0}};
  std::uint32_t last_list_ = 0;
};

}  // namespace

Verdict judge(const Cluster& cluster, const Pod& pod) {
  const Overlay overlay(cluster);
  SchedulingCycle judgement(overlay, pod);
  judgement.expect(cluster.nodes().size());
  for (std::size_t node = 0; node < cluster.nodes().size(); ++node) judgement.judge(node);
  return judgement.finish();
}

Verdict judge(const Cluster& cluster, const Pod& pod, const Change& change,
              std::span<const std::size_t> nodes) {
  const Overlay overlay(cluster, change);
  SchedulingCycle judgement(overlay, change.pod ? *change.pod : pod);
  judgement.expect(nodes.size());
  for (const std::size_t node : nodes) judgement.judge(node);
  return judgement.finish();
}

}  // namespace gpu::scheduler
