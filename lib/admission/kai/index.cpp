#include "admission/kai/index.hpp"

#include <algorithm>
#include <tuple>

#include "model/snapshot/gpu_fraction.hpp"

namespace gpu::admission {
namespace {

/// KAI counts a pod from its binding on, and no more once it is deleted; a reservation pod holds
/// its GPU for others, which are counted themselves.
bool is_counted(const Pod& pod) {
  return is_of_kai(pod) && !pod.node_name.empty() && !pod.deleted && !is_finished(pod) &&
         !is_gpu_reservation(pod);
}

}  // namespace

KaiIndex::KaiIndex(const scheduler::Cluster& cluster) {
  for (const KaiQueue& queue : cluster.snapshot().scheduling.kai_queues) {
    queues_.emplace(queue.name, &queue);
    if (!queue.parent.empty()) parents_.insert(queue.parent);
  }
  const std::vector<Pod>& pods = cluster.snapshot().pods;
  for (const Pod& pod : pods) add(cluster, pod);
  // Pods that are planned, and taken to have started.
  for (const scheduler::NodeState& node : cluster.nodes())
    for (const scheduler::BoundPod& bound : node.pods)
      if (bound.pod < pods.data() || bound.pod >= pods.data() + pods.size())
        add(cluster, *bound.pod);
  for (auto& [name, holders] : holders_)
    std::stable_sort(holders.begin(), holders.end(),
                     [](const KaiHolder& a, const KaiHolder& b) { return b.gpus < a.gpus; });
}

void KaiIndex::add(const scheduler::Cluster& cluster, const Pod& pod) {
  const KaiQueue* const own = is_counted(pod) ? queue(kai_queue_of(pod)) : nullptr;
  const auto gpus = own == nullptr ? std::nullopt : kai_amount(cluster, pod, KaiShare::gpus);
  if (!gpus || *gpus == Quantity{}) return;
  for (const KaiQueue* each : chain(*own))
    holders_[each->name].push_back({&pod, *gpus, kai_preemptible(cluster, pod)});
}

const KaiQueue* KaiIndex::queue(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second;
}

bool KaiIndex::has_children(std::string_view name) const { return parents_.contains(name); }

std::vector<const KaiQueue*> KaiIndex::chain(const KaiQueue& queue) const {
  std::vector<const KaiQueue*> chain;
  // Nothing keeps people from making circles.
  for (const KaiQueue* each = &queue;
       each != nullptr && std::find(chain.begin(), chain.end(), each) == chain.end();
       each = this->queue(each->parent))
    chain.push_back(each);
  return chain;
}

const std::vector<KaiHolder>& KaiIndex::holders(std::string_view name) const {
  static const std::vector<KaiHolder> kNone;
  const auto found = holders_.find(name);
  return found == holders_.end() ? kNone : found->second;
}

Quantity gpus_of(const std::vector<KaiHolder>& holders) {
  Quantity sum;
  for (const KaiHolder& each : holders) sum += each.gpus;
  return sum;
}

std::vector<KaiHolder> non_preemptible(const std::vector<KaiHolder>& holders) {
  std::vector<KaiHolder> found;
  std::copy_if(holders.begin(), holders.end(), std::back_inserter(found),
               [](const KaiHolder& each) { return each.preemptible == Preemptible::no; });
  return found;
}

}  // namespace gpu::admission
