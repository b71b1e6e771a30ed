#include "schedule/pods_in_the_way.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "schedule/affinity_term.hpp"
#include "schedule/ending.hpp"
#include "schedule/judge.hpp"
#include "schedule/volume_claims.hpp"

namespace gpu::schedule {
namespace {

constexpr std::size_t kMostEndings = 8;
/// Each is judged alone and once more: what a node has more of is not looked at.
constexpr std::size_t kMostTried = 64;

class Search {
 public:
  Search(const Cluster& cluster, const Pod& pod, const Change& change, std::size_t node,
         const Endable& endable)
      : cluster_(cluster),
        pod_(pod),
        asked_(change.pod ? *change.pod : pod),
        change_(change),
        node_(node),
        endable_(endable) {
    change_.ended.clear();
    const StringMap* const labels = cluster.namespace_labels(pod.ns);
    if (labels != nullptr) namespace_labels_ = *labels;
  }

  std::optional<Change> run() {
    gather();
    if (endings_.empty() || endings_.size() > kMostTried || !fits(endings_)) return std::nullopt;
    std::stable_sort(endings_.begin(), endings_.end(),
                     [&](const Ending& a, const Ending& b) { return rank(a) < rank(b); });
    for (const Ending& ending : endings_)
      if (fits({ending})) return with({ending});
    std::vector<Ending> kept = endings_;
    for (std::size_t i = kept.size(); i-- > 0;) {
      std::vector<Ending> rest = kept;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (fits(rest)) kept = std::move(rest);
    }
    if (kept.size() > kMostEndings) return std::nullopt;
    return with(kept);
  }

 private:
  void gather() {
    for (const BoundPod& bound : cluster_.nodes()[node_].pods) add(*bound.pod);
    for (std::size_t i = 0; i < cluster_.nodes().size(); ++i) {
      if (i == node_) continue;
      for (const BoundPod& bound : cluster_.nodes()[i].pods)
        if (shares_claim(*bound.pod) || are_apart(*bound.pod, i)) add(*bound.pod);
    }
  }

  void add(const Pod& pod) {
    if (!may_be_ended(pod) || !endable_.may_end(pod)) return;
    auto ending = ending_of(cluster_, pod, pod_);
    if (!ending) return;
    const bool is_new = std::none_of(endings_.begin(), endings_.end(), [&](const Ending& each) {
      return each.target == ending->target;
    });
    if (is_new) endings_.push_back(*std::move(ending));
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

  /// Whether a rule of one of them keeps the other one out of the domain of the node.
  [[nodiscard]] bool are_apart(const Pod& other, std::size_t on) const {
    const auto is_here = [&](const PodAffinityTerm& term) {
      const std::string* const here = label(node_, term.topology_key);
      const std::string* const there = label(on, term.topology_key);
      return here != nullptr && there != nullptr && *here == *there;
    };
    const auto& mine = asked_.placement.pod_anti_affinity;
    const auto& theirs = other.placement.pod_anti_affinity;
    return std::any_of(mine.begin(), mine.end(),
                       [&](const PodAffinityTerm& term) {
                         return is_here(term) && OwnTerm(cluster_, term, asked_.ns).is_about(other);
                       }) ||
           std::any_of(theirs.begin(), theirs.end(), [&](const PodAffinityTerm& term) {
             return is_here(term) && is_about(term, other.ns, asked_, namespace_labels_);
           });
  }

  [[nodiscard]] const std::string* label(std::size_t node, const std::string& key) const {
    return cluster_.nodes()[node].node->labels.find(key);
  }

  /// Idle ones first, then those of low priority, then few.
  [[nodiscard]] std::tuple<bool, std::int32_t, std::size_t> rank(const Ending& ending) const {
    bool is_idle = true;
    std::int32_t priority = 0;
    bool is_first = true;
    for (const Pod* pod : ending.pods) {
      is_idle = is_idle && endable_.idle_pods.contains(pod->uid);
      priority =
          is_first ? pod->priority.value_or(0) : std::max(priority, pod->priority.value_or(0));
      is_first = false;
    }
    return {!is_idle, priority, ending.pods.size()};
  }

  [[nodiscard]] Change with(const std::vector<Ending>& endings) const {
    Change change = change_;
    for (const Ending& ending : endings)
      for (const Pod* pod : ending.pods)
        if (std::find(change.ended.begin(), change.ended.end(), pod) == change.ended.end())
          change.ended.push_back(pod);
    return change;
  }

  [[nodiscard]] bool fits(const std::vector<Ending>& endings) const {
    return judge(cluster_, pod_, with(endings), std::array{node_}).fits();
  }

  const Cluster& cluster_;
  const Pod& pod_;
  const Pod& asked_;
  Change change_;
  std::size_t node_;
  const Endable& endable_;
  StringMap namespace_labels_;
  std::vector<Ending> endings_;
};

}  // namespace

std::optional<Change> with_pods_ended(const Cluster& cluster, const Pod& pod, const Change& change,
                                      std::size_t node, const Endable& endable) {
  return Search(cluster, pod, change, node, endable).run();
}

}  // namespace gpu::schedule
