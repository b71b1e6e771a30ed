#include "scheduler/cluster/pod_events.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace gpu::scheduler {
namespace {

std::string key_of(std::string_view kind, std::string_view ns, std::string_view name) {
  std::string key(kind);
  return key.append(1, '/').append(ns).append(1, '/').append(name);
}

/// For Cluster::shared(): a busy cluster has ten thousand events.
class EventIndex {
 public:
  explicit EventIndex(const Cluster& cluster) {
    for (const Event& event : cluster.snapshot().scheduling.events)
      by_object_[key_of(event.kind, event.ns, event.object)].push_back(&event);
  }
  [[nodiscard]] std::vector<const Event*> of(const std::string& key) const {
    const auto found = by_object_.find(key);
    return found == by_object_.end() ? std::vector<const Event*>{} : found->second;
  }

 private:
  std::unordered_map<std::string, std::vector<const Event*>> by_object_;
};

}  // namespace

std::vector<const Event*> events_of(const Cluster& cluster, std::string_view kind,
                                    std::string_view ns, std::string_view name,
                                    std::string_view uid) {
  std::vector<const Event*> events = cluster.shared<EventIndex>().of(key_of(kind, ns, name));
  std::erase_if(events, [&](const Event* event) {
    return !uid.empty() && !event->object_uid.empty() && event->object_uid != uid;
  });
  std::stable_sort(events.begin(), events.end(), [](const Event* a, const Event* b) {
    return a->last.value_or(Time::min()) > b->last.value_or(Time::min());
  });
  return events;
}

std::vector<const Event*> events_of(const Cluster& cluster, const Pod& pod) {
  return events_of(cluster, "Pod", pod.ns, pod.name, pod.uid);
}

}  // namespace gpu::scheduler
