#include "diagnose/fix/queue_hint.hpp"

#include <algorithm>

#include "scheduler/filters/affinity_term.hpp"

namespace gpu::diagnose {
namespace {

/// How one pod is in the way of another by one filter, and whether its end is news to it.
enum class Hint { not_in_the_way, overlooked, seen };

bool share_disk(const Pod& a, const Pod& b) {
  return std::any_of(a.volumes.begin(), a.volumes.end(), [&](const PodVolume& mine) {
    return mine.disk &&
           std::any_of(b.volumes.begin(), b.volumes.end(), [&](const PodVolume& other) {
             return other.disk && other.disk->kind == mine.disk->kind &&
                    other.disk->id == mine.disk->id;
           });
  });
}

Hint disk_hint(const Pod& asked, const Pod& ended) {
  if (!share_disk(asked, ended)) return Hint::not_in_the_way;
  return asked.ns == ended.ns ? Hint::seen : Hint::overlooked;
}

/// The hint looks at terms as if namespaces had no labels, and wants all of them to be about the
/// pod.
bool is_seen(const std::vector<PodAffinityTerm>& terms, const Pod& owner, const Pod& other) {
  return std::all_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
    return scheduler::is_about(term, owner.ns, other, StringMap{});
  });
}

Hint rules_hint(const scheduler::Cluster& cluster, const Pod& asked, const Pod& ended) {
  const auto& mine = asked.placement.pod_anti_affinity;
  const auto& theirs = ended.placement.pod_anti_affinity;
  const StringMap* const labels = cluster.namespace_labels(asked.ns);
  const bool is_unwanted = std::any_of(mine.begin(), mine.end(), [&](const PodAffinityTerm& term) {
    return scheduler::OwnTerm(cluster, term, asked.ns).is_about(ended);
  });
  const bool minds = std::any_of(theirs.begin(), theirs.end(), [&](const PodAffinityTerm& term) {
    return scheduler::is_about(term, ended.ns, asked, labels == nullptr ? StringMap{} : *labels);
  });
  if (!is_unwanted && !minds) return Hint::not_in_the_way;
  const bool is_news =
      (is_unwanted && is_seen(mine, asked, ended)) || (minds && is_seen(theirs, ended, asked));
  return is_news ? Hint::seen : Hint::overlooked;
}

template <class HintOf>
bool is_overlooked(const std::vector<const Pod*>& ended, HintOf hint_of) {
  Hint best = Hint::not_in_the_way;
  for (const Pod* pod : ended) best = std::max(best, hint_of(*pod));
  return best == Hint::overlooked;
}

}  // namespace

bool may_be_overlooked(const scheduler::Cluster& cluster, const Pod& asked,
                       const std::vector<const Pod*>& ended) {
  return is_overlooked(ended, [&](const Pod& pod) { return disk_hint(asked, pod); }) ||
         is_overlooked(ended, [&](const Pod& pod) { return rules_hint(cluster, asked, pod); });
}

}  // namespace gpu::diagnose
