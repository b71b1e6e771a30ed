#include "diagnose/fix/fixes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "admission/api/admission.hpp"
#include "admission/api/quota.hpp"
#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/fix/candidate_fix.hpp"
#include "diagnose/fix/eviction.hpp"
#include "diagnose/fix/holder_text.hpp"
#include "diagnose/fix/other_pods.hpp"
#include "diagnose/fix/owner_patch.hpp"
#include "diagnose/fix/owner_template.hpp"
#include "diagnose/fix/pod_patch.hpp"
#include "diagnose/fix/pods_in_the_way.hpp"
#include "diagnose/fix/queue_hint.hpp"
#include "diagnose/fix/room_advice.hpp"
#include "diagnose/fix/victims.hpp"
#include "diagnose/nodes/candidates.hpp"
#include "diagnose/nodes/label_typo.hpp"
#include "diagnose/nodes/missing_label.hpp"
#include "diagnose/nodes/node_groups.hpp"
#include "diagnose/nodes/shares.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::size_t kMostFixes = 3;
/// Remedies are tried from the cheapest on; what a hundred do not show, more will not.
constexpr std::size_t kMostTried = 100;
/// Of those, the ones for which pods are sought: each takes many trials.
constexpr std::size_t kMostSought = 6;

/// Of those that have to be tried to see which pods end with a pod.
constexpr std::size_t kMostLookedAt = 400;

/// Keys of the node selector that differ.
std::vector<std::string> edited_labels(const Pod& before, const Pod& after) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : before.node_selector)
    if (!after.node_selector.contains(key)) keys.push_back(key);
  for (const auto& [key, value] : after.node_selector)
    if (const std::string* was = before.node_selector.find(key); was == nullptr || *was != value)
      keys.push_back(key);
  return keys;
}

class Search {
 public:
  Search(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict,
         const NodeReasons& reasons, const ExplainOptions& options)
      : cluster_(cluster),
        pod_(pod),
        verdict_(verdict),
        reasons_(reasons),
        options_(options),
        holders_(cluster, pod, reasons, options),
        owner_(template_owner(pod, cluster.snapshot())) {}

  FixSearch run() {
    FixSearch search;
    const bool is_room_coming = !pod_.nominated_node.empty() || say_who_leaves(search);
    std::vector<CandidateFix> all = remedies();
    if (is_room_coming) std::erase_if(all, evicts_pods);
    std::set<std::string> known;
    for (std::size_t i = 0; i < all.size() && search.fixes.size() < kMostFixes; ++i) {
      if (all[i].seeks_pods) seek_from(all, i, search.fixes.empty());
      if (i >= all.size()) break;
      CandidateFix& remedy = all[i];
      if (!known.insert(key_of(remedy)).second) continue;
      if (!search.fixes.empty() && stops_busy_pods(remedy)) continue;
      if (ends_siblings(remedy)) continue;
      std::vector<std::size_t> fitting = fitting_after(remedy);
      if (fitting.empty()) continue;
      if (keep_rules(remedy)) fitting = fitting_after(remedy);
      search.fixes.push_back(fix_from(remedy, fitting));
      name_patch_file(search.fixes);
    }
    if (search.fixes.empty() && !is_room_coming) {
      auto advice = label_advice(cluster_, pod_);
      auto label = missing_label(cluster_, pod_);
      if (!advice) advice = room_advice(cluster_, pod_, verdict_, reasons_);
      if (advice) search.advice.push_back(*std::move(advice));
      if (label) search.advice.push_back(*std::move(label));
    }
    if (search.fixes.empty() && search.remarks.empty() && search.advice.empty())
      search.remarks.push_back(
          {.text = "no change was found that lets it start on the nodes there are",
           .kind = RemarkKind::no_change_found});
    return search;
  }

 private:
  /// What one owner makes anew at once takes the place again.
  bool is_sibling(const Pod& pod) const {
    if (owner_.kind == "Pod" || pod.ns != pod_.ns) return false;
    const Owner owner = template_owner(pod, cluster_.snapshot());
    return owner.kind == owner_.kind && owner.name == owner_.name;
  }

  bool ends_siblings(const CandidateFix& remedy) const {
    return std::any_of(remedy.change.ended.begin(), remedy.change.ended.end(),
                       [&](const Pod* pod) { return is_sibling(*pod); });
  }

  /// Whether the pod fits once pods have ended that end already: nobody else need be stopped.
  bool say_who_leaves(FixSearch& search) const {
    std::vector<const Pod*> leaving;
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < cluster_.nodes().size(); ++i) {
      const std::size_t before = leaving.size();
      for (const scheduler::BoundPod& bound : cluster_.nodes()[i].pods)
        if (bound.pod->deleted) leaving.push_back(bound.pod);
      if (leaving.size() > before) nodes.push_back(i);
    }
    if (leaving.empty()) return false;
    const scheduler::Verdict after = judge(cluster_, pod_, {.ended = leaving}, nodes);
    if (!after.fits()) return false;
    for (const scheduler::NodeVerdict& node : after.nodes) {
      if (!node.lets_in()) continue;
      for (const scheduler::BoundPod& bound : cluster_.nodes()[node.node].pods)
        if (bound.pod->deleted) {
          search.remarks.push_back(
              {holders_.leaving(*bound.pod) + "; this pod fits there when it has"});
          if (auto advice = holders_.overdue(*bound.pod)) search.advice.push_back(*advice);
        }
      break;
    }
    return !search.remarks.empty();
  }

  /// Finds the pods of all remedies from here on that seek some, and sorts these anew.
  void seek_from(std::vector<CandidateFix>& all, std::size_t from, bool is_first) const {
    std::vector<CandidateFix> rest;
    std::size_t sought = 0;
    for (std::size_t i = from; i < all.size(); ++i)
      if (!all[i].seeks_pods || (sought++ < kMostSought && seek(all[i], is_first)))
        rest.push_back(std::move(all[i]));
    all.resize(from);
    sort(rest);
    for (CandidateFix& remedy : rest) all.push_back(std::move(remedy));
  }

  /// Finds the pods that have to end; false where none help. Busy ones only if `is_first`.
  bool seek(CandidateFix& remedy, bool is_first) const {
    const Endable endable{reasons_, options_.idle_pods, [&](const Pod& pod) {
                            return !is_sibling(pod) &&
                                   (is_first || options_.idle_pods.contains(pod.uid));
                          }};
    auto found = with_pods_ended(cluster_, pod_, remedy.change, remedy.node, endable);
    if (!found) return false;
    remedy.change.ended = std::move(found->ended);
    remedy.seeks_pods = false;
    return true;
  }

  /// Takes back what was asked of spread rules where one of them was enough; whether it did.
  bool keep_rules(CandidateFix& remedy) const {
    if (!remedy.change.pod) return false;
    bool keeps_any = false;
    for (std::size_t i = 0; i < pod_.placement.spread.size(); ++i) {
      const TopologySpread& was = pod_.placement.spread[i];
      if (remedy.change.pod->placement.spread[i] == was) continue;
      CandidateFix strict = remedy;
      strict.change.pod->placement.spread[i] = was;
      if (strict.change.pod->placement == pod_.placement || fitting_after(strict).empty()) continue;
      std::erase(strict.edits, relaxed_text(was));
      remedy = std::move(strict);
      keeps_any = true;
    }
    return keeps_any;
  }

  /// Busy pods are named only where nothing gentler was found.
  bool stops_busy_pods(const CandidateFix& remedy) const {
    return std::any_of(remedy.change.ended.begin(), remedy.change.ended.end(),
                       [&](const Pod* pod) { return !options_.idle_pods.contains(pod->uid); });
  }

  /// Cheapest first; of those with the same essence the one for the nearest node.
  std::vector<CandidateFix> remedies() const {
    std::map<std::string, CandidateFix> by_essence;
    for (const scheduler::NodeVerdict& node : verdict_.nodes) {
      auto remedy = candidate_fix_for(cluster_, pod_, node, reasons_, options_.idle_pods);
      if (!remedy) continue;
      std::string essence = key_of(*remedy);
      const auto known = by_essence.find(essence);
      if (known == by_essence.end())
        by_essence.emplace(std::move(essence), *std::move(remedy));
      else if (free_gpus_on(remedy->node, reasons_) > free_gpus_on(known->second.node, reasons_))
        known->second = *std::move(remedy);
    }
    std::vector<CandidateFix> sorted;
    for (auto& [essence, remedy] : by_essence) sorted.push_back(std::move(remedy));
    sort(sorted);
    // Who ends with a pod is asked of the likely ones only.
    std::vector<CandidateFix> likely;
    for (std::size_t i = 0; i < std::min(sorted.size(), kMostLookedAt); ++i)
      if (likely.size() < kMostTried && add_evictions(cluster_, pod_, sorted[i]))
        likely.push_back(std::move(sorted[i]));
    sort(likely);
    return likely;
  }

  /// What stops nothing is best, then what starts the pod's own workload anew.
  int harm_of(const CandidateFix& remedy) const {
    if (evicts_pods(remedy)) return 2;
    return remedy.change.pod && !restarted().empty() ? 1 : 0;
  }

  /// Pods that run, and that a change of the owner ends.
  const std::vector<const Pod*>& restarted() const {
    if (!restarted_)
      restarted_ = options_.manifest.empty() ? restarted_pods(cluster_, owner_, pod_)
                                             : std::vector<const Pod*>{};
    return *restarted_;
  }

  EvictionCost toll_of(const CandidateFix& remedy) const {
    if (remedy.seeks_pods) return {.pods = 1, .priority = std::numeric_limits<std::int32_t>::max()};
    std::vector<const Pod*> pods = remedy.change.ended;
    for (const scheduler::BoundPod* bound : remedy.victims) pods.push_back(bound->pod);
    if (pods.empty()) return {};
    return eviction_cost_of(cluster_, pods, reasons_, options_.idle_pods);
  }

  void sort(std::vector<CandidateFix>& remedies) const {
    using Rank = std::tuple<int, std::size_t, int, EvictionCost, std::int64_t>;
    std::vector<std::pair<Rank, std::size_t>> ranks;
    for (const CandidateFix& each : remedies) {
      const EvictionCost toll = toll_of(each);
      ranks.emplace_back(
          Rank{harm_of(each), toll.pods, each.cost, toll, -free_gpus_on(each.node, reasons_)},
          ranks.size());
    }
    std::sort(ranks.begin(), ranks.end());
    std::vector<CandidateFix> sorted;
    sorted.reserve(remedies.size());
    for (const auto& [rank, at] : ranks) sorted.push_back(std::move(remedies[at]));
    remedies = std::move(sorted);
  }

  /// The nodes on which the pod fits once the change is made: tried, not guessed. An edit of the
  /// pod may open more nodes than the one it was made for.
  std::vector<std::size_t> fitting_after(const CandidateFix& remedy) const {
    std::vector<std::size_t> nodes = {remedy.node};
    const bool is_edit_alone = remedy.change.ended.empty() && remedy.change.uncordoned.empty();
    if (is_edit_alone) {
      nodes.resize(cluster_.nodes().size());
      for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
    }
    const scheduler::Verdict after = judge(cluster_, pod_, remedy.change, nodes);
    std::vector<std::size_t> fitting;
    if (!after.fits()) return fitting;
    for (const scheduler::NodeVerdict& node : after.nodes)
      if (node.lets_in()) fitting.push_back(node.node);
    return fitting;
  }

  Fix fix_from(const CandidateFix& remedy, const std::vector<std::size_t>& fitting) const {
    Fix fix;
    std::vector<std::string> titles;
    std::vector<std::string> commands;
    // Pods are ended first: once the rest is done, the scheduler may preempt them by itself.
    const auto endings = evictions_for(cluster_, remedy.change.ended, pod_);
    for (const Eviction& ending : *endings) {
      titles.push_back(ending.title.empty() ? "delete " + holders_.brief(*ending.pods.front())
                                            : ending.title);
      commands.push_back(ending.command);
      // Once others are gone, the scheduler may preempt this one by itself.
      if (commands.size() > 1 && ending.title.empty() &&
          ending.pods.front()->priority.value_or(0) < pod_.priority.value_or(0))
        commands.back() += " --ignore-not-found";
      if (ending.is_whole)
        fix.stops.push_back(ending.target);
      else
        for (const Pod* pod : ending.pods) fix.stops.push_back("pod/" + pod->ns + "/" + pod->name);
      if (fix.note.empty()) fix.note = ending.note;
    }
    for (const std::string& node : remedy.change.uncordoned) {
      titles.push_back("uncordon " + node);
      commands.push_back("kubectl uncordon " + shell_quoted(node));
    }
    if (remedy.change.pod) add_edit(remedy, fix, titles, commands);
    fix.summary =
        fmt::format("{}: tested, {}", fmt::join(titles, ", and "), outcome_text(remedy, fitting));
    if (titles.size() == 1 && endings->size() == 1 && endings->front().title.empty()) {
      const Pod& ended = *remedy.change.ended.front();
      fix.summary = fmt::format("delete pod {}/{}: {}; tested, the pod then fits there", ended.ns,
                                ended.name, holders_.held(ended));
    } else {
      fix.summary += stopped_text(remedy);
    }
    if (remedy.change.pod && !restarted().empty()) add_restart(fix);
    if (const std::string ask = holders_.ask_first(remedy.change.ended); !ask.empty())
      fix.note = ask + (fix.note.empty() ? "" : "; " + fix.note);
    if (const std::string others = others_of(remedy, fitting); !others.empty())
      fix.note += (fix.note.empty() ? "" : "; ") + others;
    fix.command = fmt::format("{}", fmt::join(commands, "\n"));
    if (is_woken_late(remedy))
      fix.summary += "; the scheduler may come back to the pod only after 5 minutes";
    return fix;
  }

  std::string others_of(const CandidateFix& remedy, const std::vector<std::size_t>& fitting) const {
    const std::int64_t waiting =
        options_.manifest.empty() ? waiting_pods(cluster_, pod_, owner_) : options_.planned_pods;
    return others_text(cluster_, waiting, owner_, reasons_, remedy, fitting);
  }

  /// A Job made anew has lost what its pods had done.
  void add_restart(Fix& fix) const {
    const OwnerReference* const controller = scheduler::controller_of(pod_);
    const bool is_job = controller != nullptr && controller->kind == "Job";
    const std::string owner =
        is_job ? "job/" + controller->name : lower_case(owner_.kind) + "/" + owner_.name;
    fix.summary += fmt::format("; this {} {}", is_job ? "ends" : "restarts",
                               holders_.running(restarted(), owner));
    if (!is_job) return;
    for (const Pod* pod : restarted()) fix.stops.push_back("pod/" + pod->ns + "/" + pod->name);
  }

  /// Each patch has a file of its own.
  static void name_patch_file(std::vector<Fix>& fixes) {
    Fix& last = fixes.back();
    const auto is_taken = [&](const Fix& each) { return each.patch_file == last.patch_file; };
    if (!last.patch_file.empty() && std::count_if(fixes.begin(), fixes.end(), is_taken) > 1)
      number_patch_file(last.patch_file, last.command, fixes.size());
  }

  std::string stopped_text(const CandidateFix& remedy) const {
    const std::vector<const Pod*>& ended = remedy.change.ended;
    if (ended.empty()) return {};
    if (ended.size() == 1)
      return fmt::format("; this stops {}: {}", ended.front()->name, holders_.held(*ended.front()));
    return "; this stops them" + holders_.most_priority(ended);
  }

  /// A change of a node or of the pod is always news.
  bool is_woken_late(const CandidateFix& remedy) const {
    const scheduler::Change& change = remedy.change;
    return !change.pod && change.uncordoned.empty() &&
           may_be_overlooked(cluster_, pod_, change.ended);
  }

  void add_edit(const CandidateFix& remedy, Fix& fix, std::vector<std::string>& titles,
                std::vector<std::string>& commands) const {
    fix.edited_labels = edited_labels(pod_, *remedy.change.pod);
    if (!options_.manifest.empty()) {
      titles.push_back(fmt::format("change the pods to {}", fmt::join(remedy.edits, ", and ")));
      const SchedulingFacts& facts = cluster_.snapshot().scheduling;
      fix.patch =
          pod_patch(admission::as_written(pod_, facts),
                    admission::as_written(*remedy.change.pod, facts), PatchedSpec::of_template, 0);
      fix.patch_file = options_.manifest;
      const std::string& place = options_.template_at;
      fix.patch_into = "the pods' spec" + (place.empty() ? "" : " of " + place);
      return;
    }
    OwnerPatch patch =
        owner_patch(owner_, pod_, *remedy.change.pod, admission::full_quota(cluster_, pod_));
    titles.push_back(
        fmt::format("change {} to {}", patch.target, fmt::join(remedy.edits, ", and ")));
    if (!patch.command.empty()) commands.push_back(patch.command);
    fix.patch = std::move(patch.patch);
    fix.patch_file = std::move(patch.patch_file);
    if (!fix.note.empty() && !patch.note.empty()) fix.note += "; ";
    fix.note += patch.note;
    if (owner_.kind == "Deployment" || owner_.kind == "StatefulSet") fix.note += count_text();
    fix.stops.insert(fix.stops.end(), patch.stops.begin(), patch.stops.end());
  }

  /// How many pods a change of the owner restarts.
  std::string count_text() const {
    const auto pods = cluster_.shared<scheduler::OwnedPods>().of(owner_.uid);
    const auto count =
        std::count_if(pods.begin(), pods.end(), [&](const Pod* pod) { return pod->ns == pod_.ns; });
    return count == 1 ? "; it has 1, and it is this one" : fmt::format("; it has {}", count);
  }

  std::string places_of(const std::vector<std::size_t>& nodes) const {
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(nodes.size(), kMostNames); ++i)
      names.push_back(cluster_.nodes()[nodes[i]].node->name);
    return nodes_text(nodes.size(), names);
  }

  std::string outcome_text(const CandidateFix& remedy,
                           const std::vector<std::size_t>& fitting) const {
    if (fitting.size() > 1) return "the pod then fits on " + places_of(fitting);
    const std::size_t node = fitting.front();
    if (remedy.change.uncordoned.empty() || reasons_.gpus().empty())
      return fmt::format("the pod then fits on {}", cluster_.nodes()[node].node->name);
    std::int64_t wanted = 0;
    for (const scheduler::Amount& gpu : reasons_.gpus()) {
      const std::int64_t asked = asked_after(cluster_, remedy, gpu);
      if (asked <= 0) return "the pod then fits";  // under another name
      wanted = capped_sum(wanted, asked);
    }
    const std::int64_t spare = free_gpus_on(node, reasons_) - wanted;
    if (spare <= 0 || !remedy.change.ended.empty()) return "the pod then fits";
    return fmt::format("the pod then fits, with {} {} to spare", spare,
                       gpu_word(cluster_, reasons_, spare));
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const scheduler::Verdict& verdict_;
  const NodeReasons& reasons_;
  const ExplainOptions& options_;
  HolderText holders_;
  Owner owner_;
  mutable std::optional<std::vector<const Pod*>> restarted_;
};

}  // namespace

FixSearch fixes_for(const scheduler::Cluster& cluster, const Pod& pod,
                    const scheduler::Verdict& verdict, const NodeReasons& reasons,
                    const ExplainOptions& options) {
  // What a PreFilter refuses, no change of a node mends.
  if (!verdict.rejections.empty() || verdict.error) return {};
  return Search(cluster, pod, verdict, reasons, options).run();
}

}  // namespace gpu::diagnose
