#include "admission/volcano/index.hpp"

#include <algorithm>
#include <array>

#include "model/snapshot/requests.hpp"

namespace gpu::admission {
namespace {

constexpr std::string_view kRoot = "root";
constexpr std::string_view kDefault = "default";

}  // namespace

bool is_of_volcano(const Pod& pod) { return pod.scheduler_name == "volcano"; }

VolcanoIndex::VolcanoIndex(const scheduler::Cluster& cluster) {
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  for (const VolcanoQueue& each : facts.volcano_queues) queues_.emplace(each.name, &each);
  for (const VolcanoPodGroup& each : facts.volcano_pod_groups)
    groups_.emplace(std::pair(std::string_view(each.ns), std::string_view(each.name)), &each);
  if (queues_.empty()) return;
  knows_pods_ = coverage_of(facts, "podgroups.scheduling.volcano.sh") == Coverage::whole &&
                cluster.snapshot().pod_coverage == Coverage::whole;
  add_groups(cluster);
}

void VolcanoIndex::add_groups(const scheduler::Cluster& cluster) {
  std::map<const VolcanoPodGroup*, ResourceList> bound;
  for (const Pod& pod : cluster.snapshot().pods) {
    if (!is_of_volcano(pod) || pod.node_name.empty() || is_finished(pod)) continue;
    const ResourceList requests = effective_requests(pod);
    if (const VolcanoPodGroup* const group = group_of(pod)) add_to(bound[group], requests);
    if (const VolcanoQueue* const own = queue(queue_of(pod)))
      for (const VolcanoQueue* each : chain(*own)) add_to(held_[each->name], requests);
  }
  for (const auto& [key, group] : groups_) {
    const VolcanoQueue* const own = queue(group->queue.empty() ? kDefault : group->queue);
    if (own == nullptr || group->phase != "Inqueue") continue;
    ResourceList rest;
    for (const auto& [name, amount] : group->min_resources)
      rest.set(name, std::max(Quantity{}, amount - amount_of(bound[group], name)));
    for (const VolcanoQueue* each : chain(*own)) add_to(expected_[each->name], rest);
  }
}

const VolcanoQueue* VolcanoIndex::queue(std::string_view name) const {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second;
}

std::vector<const VolcanoQueue*> VolcanoIndex::chain(const VolcanoQueue& own) const {
  std::vector<const VolcanoQueue*> chain;
  // Nothing keeps people from making circles.
  for (const VolcanoQueue* each = &own;
       each != nullptr && std::find(chain.begin(), chain.end(), each) == chain.end();
       each = queue(each->parent.empty() && each->name != kRoot ? kRoot
                                                                : std::string_view(each->parent)))
    chain.push_back(each);
  return chain;
}

const VolcanoPodGroup* VolcanoIndex::group_of(const Pod& pod) const {
  const std::string_view name = value_of(pod.annotations, "scheduling.k8s.io/group-name");
  if (name.empty()) return nullptr;
  const auto found = groups_.find({pod.ns, name});
  return found == groups_.end() ? nullptr : found->second;
}

std::string_view VolcanoIndex::queue_of(const Pod& pod) const {
  if (const VolcanoPodGroup* const group = group_of(pod))
    return group->queue.empty() ? kDefault : std::string_view(group->queue);
  for (const std::string_view key : {"scheduling.volcano.sh/queue-name", "volcano.sh/queue-name"})
    if (const std::string_view name = value_of(pod.annotations, key); !name.empty()) return name;
  return kDefault;
}

std::optional<ResourceList> VolcanoIndex::allocated(const VolcanoQueue& queue) const {
  if (!queue.allocated && !knows_pods_) return std::nullopt;
  ResourceList sum = queue.allocated.value_or(ResourceList{});
  if (const auto held = held_.find(queue.name); held != held_.end()) raise_to(sum, held->second);
  return sum;
}

std::optional<ResourceList> VolcanoIndex::taken(const VolcanoQueue& queue) const {
  std::optional<ResourceList> sum = allocated(queue);
  if (const auto found = expected_.find(queue.name); sum && found != expected_.end())
    add_to(*sum, found->second);
  return sum;
}

}  // namespace gpu::admission
