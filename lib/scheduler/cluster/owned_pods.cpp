#include "scheduler/cluster/owned_pods.hpp"

#include <algorithm>
#include <limits>

namespace gpu::scheduler {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

OwnedPods::OwnedPods(const Cluster& cluster) : snapshot_(cluster.snapshot()) {
  const std::vector<Pod>& pods = snapshot_.pods;
  next_.assign(pods.size(), kNone);
  first_.reserve(pods.size() / 4);
  // From the back, so that they come out in the order of the snapshot.
  for (std::size_t i = pods.size(); i-- > 0;) {
    const OwnerReference* const controller = controller_of(pods[i]);
    if (controller == nullptr || controller->uid.empty() || is_finished(pods[i])) continue;
    const auto at = first_.try_emplace(controller->uid, kNone).first;
    next_[i] = at->second;
    at->second = static_cast<std::uint32_t>(i);
  }
  for (const auto& [made, by] : snapshot_.controllers)
    if (by && !by->uid.empty()) controlled_.emplace(by->uid, made);
}

void OwnedPods::add_made_by(std::string_view uid, std::vector<const Pod*>& pods) const {
  const auto first = first_.find(uid);
  if (first == first_.end()) return;
  for (std::uint32_t i = first->second; i != kNone; i = next_[i])
    pods.push_back(&snapshot_.pods[i]);
}

std::vector<const Pod*> OwnedPods::of(std::string_view uid) const {
  std::vector<const Pod*> pods;
  add_made_by(uid, pods);
  const auto [first, last] = controlled_.equal_range(uid);
  for (auto each = first; each != last; ++each) add_made_by(each->second, pods);
  return pods;
}

}  // namespace gpu::scheduler
