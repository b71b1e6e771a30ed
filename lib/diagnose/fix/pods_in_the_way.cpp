#include "diagnose/fix/pods_in_the_way.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "diagnose/fix/eviction.hpp"
#include "diagnose/fix/victims.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/cycle/judge.hpp"
#include "scheduler/filters/affinity_term.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::size_t kMostEndings = 8;
/// Each is judged alone and once more: what a node has more of is not looked at.
constexpr std::size_t kMostTried = 64;

class Search {
 public:
  Search(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Change& change,
         std::size_t node, const Endable& endable)
      : cluster_(cluster),
        pod_(pod),
        asked_(change.pod ? *change.pod : pod),
        change_(change),
        node_(node),
        endable_(endable) {
    change_.ended.clear();
    const StringMap* const labels = cluster.namespace_labels(pod.ns);
    if (labels != nullptr) namespace_labels_ = *labels;
    for (const PodAffinityTerm& term : asked_.placement.pod_anti_affinity)
      terms_.emplace_back(cluster, term, asked_.ns);
  }

  std::optional<scheduler::Change> run() {
    gather();
    if (endings_.empty() || endings_.size() > kMostTried || !fits(endings_)) return std::nullopt;
    std::stable_sort(endings_.begin(), endings_.end(),
                     [&](const Eviction& a, const Eviction& b) { return rank(a) < rank(b); });
    for (const Eviction& ending : endings_)
      if (fits({ending})) return with({ending});
    std::vector<Eviction> kept = endings_;
    for (std::size_t i = kept.size(); i-- > 0;) {
      std::vector<Eviction> rest = kept;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (fits(rest)) kept = std::move(rest);
    }
    if (kept.size() > kMostEndings) return std::nullopt;
    scheduler::Change all = with(kept);
    // Together they may end more: where more than one of an owner goes, it may be all.
    const auto together = evictions_for(cluster_, all.ended, pod_);
    return together ? std::optional(with(*together)) : std::nullopt;
  }

 private:
  void gather() {
    for (const scheduler::BoundPod& bound : cluster_.nodes()[node_].pods) add(*bound.pod);
    for (std::size_t i = 0; i < cluster_.nodes().size(); ++i) {
      if (i == node_) continue;
      std::vector<const scheduler::OwnTerm*> here;
      for (const scheduler::OwnTerm& term : terms_)
        if (is_one_domain(i, term.topology_key())) here.push_back(&term);
      for (const scheduler::BoundPod& bound : cluster_.nodes()[i].pods)
        if (shares_claim(*bound.pod) || is_in_the_way(*bound.pod, here) || minds(*bound.pod, i))
          add(*bound.pod);
    }
  }

  void add(const Pod& pod) {
    if (!is_evictable_for(cluster_, pod, pod_) || !endable_.may_end(pod)) return;
    const auto found = evictions_for(cluster_, {&pod}, pod_);
    if (!found) return;
    const Eviction& ending = found->front();
    const bool is_new = std::none_of(endings_.begin(), endings_.end(), [&](const Eviction& each) {
      return each.pods == ending.pods;
    });
    if (is_new) endings_.push_back(ending);
  }

  /// A claim that one pod has for itself is taken wherever that pod runs.
  [[nodiscard]] bool shares_claim(const Pod& other) const {
    if (other.ns != asked_.ns) return false;
    return std::any_of(asked_.volumes.begin(), asked_.volumes.end(), [&](const PodVolume& mine) {
      return !mine.claim.empty() && !mine.is_ephemeral &&
             std::any_of(other.volumes.begin(), other.volumes.end(),
                         [&](const PodVolume& theirs) { return theirs.claim == mine.claim; });
    });
  }

  static bool is_in_the_way(const Pod& other, const std::vector<const scheduler::OwnTerm*>& terms) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const scheduler::OwnTerm* term) { return term->is_about(other); });
  }

  /// Whether a rule of a pod on another node keeps the asked one out of the domain of the node.
  [[nodiscard]] bool minds(const Pod& other, std::size_t on) const {
    const auto& theirs = other.placement.pod_anti_affinity;
    return std::any_of(theirs.begin(), theirs.end(), [&](const PodAffinityTerm& term) {
      return is_one_domain(on, term.topology_key) &&
             scheduler::is_about(term, other.ns, asked_, namespace_labels_);
    });
  }

  [[nodiscard]] bool is_one_domain(std::size_t other, const std::string& key) const {
    const std::string* const here = cluster_.nodes()[node_].node->labels.find(key);
    const std::string* const there = cluster_.nodes()[other].node->labels.find(key);
    return here != nullptr && there != nullptr && *here == *there;
  }

  /// Few first, then those of low priority, then idle ones.
  [[nodiscard]] EvictionCost rank(const Eviction& ending) const {
    return eviction_cost_of(cluster_, ending.pods, endable_.reasons, endable_.idle_pods);
  }

  [[nodiscard]] scheduler::Change with(const std::vector<Eviction>& endings) const {
    scheduler::Change change = change_;
    for (const Eviction& ending : endings)
      for (const Pod* pod : ending.pods)
        if (std::find(change.ended.begin(), change.ended.end(), pod) == change.ended.end())
          change.ended.push_back(pod);
    return change;
  }

  [[nodiscard]] bool fits(const std::vector<Eviction>& endings) const {
    return judge(cluster_, pod_, with(endings), std::array{node_}).fits();
  }

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  const Pod& asked_;
  scheduler::Change change_;
  std::size_t node_;
  const Endable& endable_;
  StringMap namespace_labels_;
  std::vector<scheduler::OwnTerm> terms_;  ///< of the asked pod's anti-affinity
  std::vector<Eviction> endings_;
};

}  // namespace

std::optional<scheduler::Change> with_pods_ended(const scheduler::Cluster& cluster, const Pod& pod,
                                                 const scheduler::Change& change, std::size_t node,
                                                 const Endable& endable) {
  return Search(cluster, pod, change, node, endable).run();
}

}  // namespace gpu::diagnose
