#include "diagnose/explain/waiting_pods.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "diagnose/lifecycle/container_trouble.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::diagnose {
namespace {

bool failed_at_start(const Pod& pod) {
  return pod.phase == "Failed" && (is_refused_by_kubelet(pod) || has_container_trouble(pod));
}

/// A container that cannot start makes its pod Running, see container_trouble().
bool may_wait(const Pod& pod) {
  if (pod.deleted) return false;
  if (pod.phase == "Failed") return failed_at_start(pod);
  if (pod.phase == "Running") return is_gpu_pod(pod) && has_container_trouble(pod);
  return pod.phase.empty() || pod.phase == "Pending";
}

std::string_view controller_of(const Pod& pod) {
  for (const OwnerReference& owner : pod.owners)
    if (owner.controller) return owner.uid;
  return {};
}

/// Which failed pod of each controller stands for the others.
class FailedPods {
 public:
  explicit FailedPods(const Snapshot& snapshot) {
    for (const Pod& pod : snapshot.pods) add(pod);
  }

  [[nodiscard]] bool is_stood_for(const Pod& pod) const {
    const auto found = by_controller_.find(controller_of(pod));
    return found != by_controller_.end() &&
           (found->second.has_live || found->second.newest != &pod);
  }

 private:
  struct Controlled {
    bool has_live = false;
    const Pod* newest = nullptr;
  };

  void add(const Pod& pod) {
    const std::string_view controller = controller_of(pod);
    if (controller.empty()) return;
    const bool is_live = !is_finished(pod) && !pod.deleted;
    if (!is_live && !failed_at_start(pod)) return;
    Controlled& all = by_controller_[controller];
    all.has_live = all.has_live || is_live;
    if (is_live) return;
    if (all.newest == nullptr || all.newest->created <= pod.created) all.newest = &pod;
  }

  std::map<std::string_view, Controlled> by_controller_;
};

}  // namespace

std::vector<const Pod*> waiting_pods(const Snapshot& snapshot, std::string_view ns) {
  const FailedPods failed(snapshot);
  std::vector<const Pod*> waiting;
  for (const Pod& pod : snapshot.pods) {
    if (!may_wait(pod) || (!ns.empty() && pod.ns != ns)) continue;
    if (pod.phase == "Failed" && failed.is_stood_for(pod)) continue;
    waiting.push_back(&pod);
  }
  std::stable_sort(waiting.begin(), waiting.end(), [](const Pod* a, const Pod* b) {
    const auto rank = [](const Pod* pod) {
      return std::tuple(std::string_view(pod->ns), pod->created.value_or(Time::max()));
    };
    return rank(a) < rank(b);
  });
  return waiting;
}

}  // namespace gpu::diagnose
