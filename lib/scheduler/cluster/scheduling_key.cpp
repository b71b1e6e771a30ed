#include "scheduler/cluster/scheduling_key.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace gpu::scheduler {
namespace {

bool same_containers(const std::vector<Container>& a, const std::vector<Container>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const Container& one, const Container& other) {
        return one.requests == other.requests && one.limits == other.limits &&
               one.restarts_always == other.restarts_always && one.ports == other.ports;
      });
}

class Hash {
 public:
  void add(std::string_view text) { mix(std::hash<std::string_view>{}(text)); }
  void add(std::int64_t number) { mix(std::hash<std::int64_t>{}(number)); }
  void add(const StringMap& map) {
    for (const auto& [key, value] : map) {
      add(key);
      add(value);
    }
  }
  void add(const ResourceList& list) {
    for (const auto& [name, amount] : list) {
      add(name);
      add(amount.milli_value());
    }
  }
  [[nodiscard]] std::size_t sum() const { return sum_; }

 private:
  void mix(std::size_t value) { sum_ = (sum_ ^ value) * 0x100000001b3U + (sum_ >> 29U); }
  std::size_t sum_ = 0xcbf29ce484222325U;
};

}  // namespace

bool same_scheduling_key(const Pod& a, const Pod& b) {
  return a.ns == b.ns && a.labels == b.labels && a.annotations == b.annotations &&
         a.node_name == b.node_name && a.scheduler_name == b.scheduler_name &&
         a.priority.value_or(0) == b.priority.value_or(0) &&
         a.preemption_policy == b.preemption_policy && a.nominated_node == b.nominated_node &&
         a.node_selector == b.node_selector && a.tolerations == b.tolerations &&
         a.placement == b.placement && a.volumes == b.volumes &&
         same_containers(a.containers, b.containers) &&
         same_containers(a.init_containers, b.init_containers) && a.overhead == b.overhead &&
         a.pod_requests == b.pod_requests && a.pod_limits == b.pod_limits &&
         a.claim_slots == b.claim_slots && a.extended_claim == b.extended_claim &&
         a.extended_resources == b.extended_resources && a.scheduling_gates == b.scheduling_gates &&
         a.pod_group == b.pod_group;
}

std::size_t scheduling_key_hash(const Pod& pod) {
  Hash hash;
  hash.add(pod.ns);
  hash.add(pod.labels);
  hash.add(pod.priority.value_or(0));
  hash.add(pod.node_selector);
  hash.add(pod.nominated_node);
  for (const PodVolume& volume : pod.volumes) hash.add(volume.claim);
  for (const ClaimReference& slot : pod.claim_slots) hash.add(slot.claim);
  for (const auto* containers : {&pod.containers, &pod.init_containers}) {
    for (const Container& container : *containers) {
      hash.add(container.requests);
      hash.add(container.limits);
    }
  }
  return hash.sum();
}

}  // namespace gpu::scheduler
