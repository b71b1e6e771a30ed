#include "diagnose/explain/waiting_pods.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "diagnose/lifecycle/container_trouble.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::diagnose {
namespace {

/// A container that cannot start makes its pod Running, see container_trouble().
bool may_wait(const Pod& pod) {
  if (pod.deleted) return false;
  if (pod.phase == "Failed") return failed_before_start(pod);
  if (pod.phase == "Running") return is_gpu_pod(pod) && has_container_trouble(pod);
  return pod.phase.empty() || pod.phase == "Pending";
}

/// Which failed pods stand for those that their controllers lack.
class FailedPods {
 public:
  explicit FailedPods(const Snapshot& snapshot) {
    for (const Pod& pod : snapshot.pods) add(pod);
    for (auto& [uid, pods] : by_controller_) choose(snapshot, uid, pods);
  }

  [[nodiscard]] bool is_stood_for(const Pod& pod) const {
    return controller_of(pod) != nullptr && !chosen_.contains(&pod);
  }

 private:
  struct Controlled {
    std::int64_t live = 0;
    std::vector<const Pod*> failed;
  };

  void add(const Pod& pod) {
    const OwnerReference* const controller = controller_of(pod);
    if (controller == nullptr || pod.deleted) return;
    if (failed_before_start(pod))
      by_controller_[controller->uid].failed.push_back(&pod);
    else if (!is_finished(pod))
      ++by_controller_[controller->uid].live;
  }

  /// The newest, as many as are missing.
  void choose(const Snapshot& snapshot, std::string_view uid, Controlled& pods) {
    const auto known = snapshot.controlled.find(uid);
    const std::int64_t missing =
        pods_to_replace(pods.live, std::ssize(pods.failed),
                        known == snapshot.controlled.end() ? std::nullopt : known->second.wanted);
    std::stable_sort(pods.failed.begin(), pods.failed.end(),
                     [](const Pod* a, const Pod* b) { return a->created > b->created; });
    chosen_.insert(pods.failed.begin(), pods.failed.begin() + missing);
  }

  std::map<std::string_view, Controlled> by_controller_;
  std::set<const Pod*> chosen_;
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
