#include "schedule/fixes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "model/workload.hpp"
#include "schedule/candidates.hpp"
#include "schedule/ending.hpp"
#include "schedule/judge.hpp"
#include "schedule/node_groups.hpp"
#include "schedule/owner_patch.hpp"
#include "schedule/pod_patch.hpp"
#include "schedule/pods_in_the_way.hpp"
#include "schedule/queue_hint.hpp"
#include "schedule/quota_room.hpp"
#include "schedule/remedy.hpp"

namespace gpu::schedule {
namespace {

constexpr std::size_t kMostFixes = 3;
/// Remedies are tried from the cheapest on; what a hundred do not show, more will not.
constexpr std::size_t kMostTried = 100;
/// Of those, the ones for which pods are sought: each takes many trials.
constexpr std::size_t kMostSought = 6;

bool stops_nothing(const Remedy& remedy) {
  return remedy.change.ended.empty() && remedy.to_end.empty() && !remedy.seeks_pods;
}

/// What a remedy comes down to, whichever node it is for: the same edit is one fix.
std::string essence_of(const Remedy& remedy) {
  std::string essence;
  for (const std::string& edit : remedy.edits) essence += edit + '\n';
  for (const std::string& node : remedy.change.uncordoned) essence += "uncordon " + node + '\n';
  for (const NodeLabel& label : remedy.labels) essence += "label " + label.key + '\n';
  for (const BoundPod* bound : remedy.to_end)
    essence += "end " + bound->pod->ns + "/" + bound->pod->name + '\n';
  for (const Pod* pod : remedy.change.ended) essence += "end " + pod->ns + "/" + pod->name + '\n';
  if (remedy.seeks_pods) essence += fmt::format("on {}\n", remedy.node);
  return essence;
}

/// The change as it is tried.
Change trial_of(const Remedy& remedy, const Pod& pod) {
  Change change = remedy.change;
  if (remedy.labels.empty()) return change;
  if (!change.pod) change.pod = pod;
  StringMap& selector = change.pod->node_selector;
  StringMap rest;
  for (const auto& [key, value] : selector) {
    const bool is_given = std::any_of(remedy.labels.begin(), remedy.labels.end(),
                                      [&](const NodeLabel& label) { return label.key == key; });
    if (!is_given) rest.set(key, value);
  }
  selector = std::move(rest);
  return change;
}

class Search {
 public:
  Search(const Cluster& cluster, const Pod& pod, const Verdict& verdict, const NodeReasons& reasons,
         const ExplainOptions& options)
      : cluster_(cluster),
        pod_(pod),
        verdict_(verdict),
        reasons_(reasons),
        options_(options),
        owner_(top_owner(pod, cluster.snapshot())) {}

  FixSearch run() {
    FixSearch search;
    std::size_t sought = 0;
    std::set<std::string> known;
    for (Remedy& remedy : remedies()) {
      if (search.fixes.size() == kMostFixes) break;
      if (remedy.seeks_pods) {
        if (sought++ >= kMostSought || !seek(remedy, search.fixes.empty())) continue;
      }
      if (!known.insert(essence_of(remedy)).second) continue;
      if (!search.fixes.empty() && stops_busy_pods(remedy)) continue;
      if (ends_siblings(remedy)) continue;
      std::vector<std::size_t> fitting = fitting_after(remedy);
      if (fitting.empty()) continue;
      if (keep_rules(remedy)) fitting = fitting_after(remedy);
      search.fixes.push_back(fix_from(remedy, fitting));
    }
    if (search.fixes.empty())
      search.remarks.push_back({"no change was found that lets it start on the nodes there are"});
    return search;
  }

 private:
  /// What one owner makes anew at once takes the place again.
  bool is_sibling(const Pod& pod) const {
    if (owner_.kind == "Pod" || pod.ns != pod_.ns) return false;
    const Owner owner = top_owner(pod, cluster_.snapshot());
    return owner.kind == owner_.kind && owner.name == owner_.name;
  }

  bool ends_siblings(const Remedy& remedy) const {
    return std::any_of(remedy.change.ended.begin(), remedy.change.ended.end(),
                       [&](const Pod* pod) { return is_sibling(*pod); });
  }

  /// Finds the pods that have to end; false where none help. Busy ones only if `is_first`.
  bool seek(Remedy& remedy, bool is_first) const {
    const Endable endable{options_.idle_pods, [&](const Pod& pod) {
                            return !is_sibling(pod) &&
                                   (is_first || options_.idle_pods.contains(pod.uid));
                          }};
    auto found = with_pods_ended(cluster_, pod_, trial_of(remedy, pod_), remedy.node, endable);
    if (!found) return false;
    remedy.change.ended = std::move(found->ended);
    remedy.seeks_pods = false;
    return true;
  }

  /// Takes back what was asked of spread rules where one of them was enough; whether it did.
  bool keep_rules(Remedy& remedy) const {
    if (!remedy.change.pod) return false;
    bool keeps_any = false;
    for (std::size_t i = 0; i < pod_.placement.spread.size(); ++i) {
      const TopologySpread& was = pod_.placement.spread[i];
      if (remedy.change.pod->placement.spread[i] == was) continue;
      Remedy strict = remedy;
      strict.change.pod->placement.spread[i] = was;
      if (strict.change.pod->placement == pod_.placement || fitting_after(strict).empty()) continue;
      std::erase(strict.edits, relaxed_text(was));
      remedy = std::move(strict);
      keeps_any = true;
    }
    return keeps_any;
  }

  /// Busy pods are named only where nothing gentler was found.
  bool stops_busy_pods(const Remedy& remedy) const {
    return std::any_of(remedy.change.ended.begin(), remedy.change.ended.end(),
                       [&](const Pod* pod) { return !options_.idle_pods.contains(pod->uid); });
  }

  /// Cheapest first; of those with the same essence the one for the nearest node.
  std::vector<Remedy> remedies() const {
    std::map<std::string, Remedy> by_essence;
    for (const NodeVerdict& node : verdict_.nodes) {
      auto remedy = remedy_for(cluster_, pod_, node, reasons_, options_.idle_pods);
      if (!remedy) continue;
      std::string essence = essence_of(*remedy);
      const auto known = by_essence.find(essence);
      if (known == by_essence.end())
        by_essence.emplace(std::move(essence), *std::move(remedy));
      else if (free_gpus_on(remedy->node, reasons_) > free_gpus_on(known->second.node, reasons_))
        known->second = *std::move(remedy);
    }
    std::vector<Remedy> sorted;
    for (auto& [essence, remedy] : by_essence) sorted.push_back(std::move(remedy));
    sort(sorted);
    // How many pods an owner has is asked of the likely ones only.
    if (sorted.size() > kMostTried) sorted.resize(kMostTried);
    std::erase_if(sorted, [&](Remedy& remedy) {
      return !end_pods(cluster_, pod_, options_.idle_pods, remedy);
    });
    sort(sorted);
    return sorted;
  }

  void sort(std::vector<Remedy>& remedies) const {
    std::stable_sort(remedies.begin(), remedies.end(), [&](const Remedy& a, const Remedy& b) {
      const auto rank = [&](const Remedy& each) {
        return std::tuple(!stops_nothing(each), each.cost, -free_gpus_on(each.node, reasons_));
      };
      return rank(a) < rank(b);
    });
  }

  /// The nodes on which the pod fits once the change is made: tried, not guessed. An edit of the
  /// pod may open more nodes than the one it was made for.
  std::vector<std::size_t> fitting_after(const Remedy& remedy) const {
    std::vector<std::size_t> nodes = {remedy.node};
    const bool is_edit_alone =
        remedy.change.ended.empty() && remedy.change.uncordoned.empty() && remedy.labels.empty();
    if (is_edit_alone) {
      nodes.resize(cluster_.nodes().size());
      for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
    }
    const Verdict after = judge(cluster_, pod_, trial_of(remedy, pod_), nodes);
    std::vector<std::size_t> fitting;
    if (!after.fits()) return fitting;
    for (const NodeVerdict& node : after.nodes)
      if (node.blockers.empty() && !node.is_left_out) fitting.push_back(node.node);
    return fitting;
  }

  Fix fix_from(const Remedy& remedy, const std::vector<std::size_t>& fitting) const {
    Fix fix;
    std::vector<std::string> titles;
    std::vector<std::string> commands;
    // Pods are ended first: once the rest is done, the scheduler may preempt them by itself.
    std::vector<const Pod*> left = remedy.change.ended;
    while (!left.empty()) {
      const auto ending = ending_of(cluster_, *left.front(), pod_);
      titles.push_back(ending_title(*ending));
      commands.push_back(ending->command);
      // Once others are gone, the scheduler may preempt this one by itself.
      if (commands.size() > 1 && ending->target.starts_with("pod/") &&
          left.front()->priority.value_or(0) < pod_.priority.value_or(0))
        commands.back() += " --ignore-not-found";
      fix.stops.push_back(ending->target);
      const Pod* const first = left.front();
      std::erase_if(left, [&](const Pod* each) {
        return each == first ||
               std::find(ending->pods.begin(), ending->pods.end(), each) != ending->pods.end();
      });
    }
    const std::size_t endings = titles.size();
    for (const std::string& node : remedy.change.uncordoned) {
      titles.push_back("uncordon " + node);
      commands.push_back("kubectl uncordon " + shell_quoted(node));
    }
    for (const NodeLabel& label : remedy.labels) {
      const std::string& node = cluster_.nodes()[remedy.node].node->name;
      titles.push_back(fmt::format("label {} {}={}", node, label.key, label.value));
      commands.push_back(fmt::format("kubectl label node {} {}", shell_quoted(node),
                                     shell_quoted(label.key + "=" + label.value)));
    }
    if (remedy.change.pod) add_edit(remedy, fix, titles, commands);
    fix.summary =
        fmt::format("{}: tested, {}", fmt::join(titles, ", and "), outcome_text(remedy, fitting));
    if (titles.size() == 1 && remedy.change.ended.size() == 1 &&
        fix.stops.front().starts_with("pod/"))
      fix.summary = fmt::format("end {}; tested, and it stops that pod",
                                held_text(*remedy.change.ended.front()));
    else if (endings > 0)
      fix.summary += remedy.change.ended.size() == 1 ? "; this stops it" : "; this stops them";
    fix.command = fmt::format("{}", fmt::join(commands, "\n"));
    if (is_woken_late(remedy))
      fix.summary += "; the scheduler may come back to the pod only after 5 minutes";
    return fix;
  }

  /// A change of a node or of the pod is always news.
  bool is_woken_late(const Remedy& remedy) const {
    const Change& change = remedy.change;
    return !change.pod && change.uncordoned.empty() && remedy.labels.empty() &&
           may_be_overlooked(cluster_, pod_, change.ended);
  }

  void add_edit(const Remedy& remedy, Fix& fix, std::vector<std::string>& titles,
                std::vector<std::string>& commands) const {
    if (!options_.manifest.empty()) {
      titles.push_back(fmt::format("let the pods {}", fmt::join(remedy.edits, ", and ")));
      fix.patch = pod_patch(pod_, *remedy.change.pod, PatchedSpec::of_template, 0);
      fix.patch_file = options_.manifest;
      fix.note = fmt::format("write this into the pods' spec in {}", options_.manifest);
      return;
    }
    OwnerPatch patch = owner_patch(owner_, pod_, *remedy.change.pod, full_quota(cluster_, pod_));
    titles.push_back(fmt::format("let {} {}", patch.target, fmt::join(remedy.edits, ", and ")));
    if (!patch.command.empty()) commands.push_back(patch.command);
    fix.patch = std::move(patch.patch);
    fix.patch_file = std::move(patch.patch_file);
    fix.note = std::move(patch.note);
    if (owner_.kind == "Deployment" || owner_.kind == "StatefulSet") fix.note += count_text();
    fix.stops.insert(fix.stops.end(), patch.stops.begin(), patch.stops.end());
  }

  /// "end research/notebook-jo (4 GPUs, idle)", "end deployment/holder in research (2 pods)".
  std::string ending_title(const Ending& ending) const {
    if (ending.target.starts_with("pod/")) return "end " + end_text(*ending.pods.front());
    const std::string_view target = ending.target;
    const std::string_view kind = target.substr(0, target.find('/'));
    return fmt::format("{} {}/{} in {} ({} {})", kind == "job" ? "delete" : "scale down", kind,
                       target.substr(target.rfind('/') + 1), ending.pods.front()->ns,
                       ending.pods.size(), ending.pods.size() == 1 ? "pod" : "pods");
  }

  /// How many pods a change of the owner restarts.
  std::string count_text() const {
    std::int64_t pods = 0;
    for (const Pod& pod : cluster_.snapshot().pods) {
      if (pod.ns != pod_.ns || is_finished(pod)) continue;
      const Owner owner = top_owner(pod, cluster_.snapshot());
      pods += owner.kind == owner_.kind && owner.name == owner_.name ? 1 : 0;
    }
    return pods == 1 ? "; it has 1, and it is this one" : fmt::format("; it has {}", pods);
  }

  std::int64_t gpus_held_by(const Pod& ended) const {
    std::int64_t gpus = 0;
    for (const NodeState& node : cluster_.nodes())
      for (const BoundPod& bound : node.pods)
        if (bound.pod == &ended)
          for (const Amount& held : bound.requests)
            for (const Amount& asked : reasons_.gpus())
              if (asked.resource == held.resource) gpus = capped_sum(gpus, held.value);
    return gpus;
  }

  /// "research/notebook-jo: it holds 4 GPUs on gpu-a3 and is idle".
  std::string held_text(const Pod& ended) const {
    const std::int64_t gpus = gpus_held_by(ended);
    std::string text = fmt::format("{}/{}: ", ended.ns, ended.name);
    text += gpus > 0 ? fmt::format("it holds {} {} on {}", gpus, gpus == 1 ? "GPU" : "GPUs",
                                   ended.node_name)
                     : "it runs on " + ended.node_name;
    if (options_.idle_pods.contains(ended.uid)) text += " and is idle";
    return text;
  }

  /// "research/notebook-jo (4 GPUs, idle)": one of several.
  std::string end_text(const Pod& ended) const {
    const std::int64_t gpus = gpus_held_by(ended);
    const bool is_idle = options_.idle_pods.contains(ended.uid);
    std::string text = ended.ns + "/" + ended.name;
    if (gpus > 0)
      text += fmt::format(" ({} {}{})", gpus, gpus == 1 ? "GPU" : "GPUs", is_idle ? ", idle" : "");
    return text;
  }

  std::string outcome_text(const Remedy& remedy, const std::vector<std::size_t>& fitting) const {
    if (fitting.size() > 1) return fmt::format("{} nodes then fit", fitting.size());
    const std::size_t node = fitting.front();
    if (remedy.change.uncordoned.empty() || reasons_.gpus().empty())
      return fmt::format("the pod then fits on {}", cluster_.nodes()[node].node->name);
    std::int64_t wanted = 0;
    for (const Amount& gpu : reasons_.gpus()) wanted = capped_sum(wanted, gpu.value);
    const std::int64_t spare = free_gpus_on(node, reasons_) - wanted;
    if (spare <= 0 || !remedy.change.ended.empty()) return "the pod then fits";
    return fmt::format("the pod then fits, with {} {} to spare", spare,
                       spare == 1 ? "GPU" : "GPUs");
  }

  const Cluster& cluster_;
  const Pod& pod_;
  const Verdict& verdict_;
  const NodeReasons& reasons_;
  const ExplainOptions& options_;
  Owner owner_;
};

}  // namespace

FixSearch fixes_for(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
                    const NodeReasons& reasons, const ExplainOptions& options) {
  // What a PreFilter refuses, no change of a node mends.
  if (!verdict.rejections.empty() || verdict.error) return {};
  return Search(cluster, pod, verdict, reasons, options).run();
}

}  // namespace gpu::schedule
