#include "usage/devices/device_users.hpp"

#include <algorithm>

#include "model/holdings/holding.hpp"
#include "usage/devices/listed.hpp"
#include "usage/devices/use.hpp"

namespace gpu::usage {
namespace {

constexpr std::int64_t kMuchMemory = std::int64_t{1} << 30;

/// The exporter could not find out which processes are whose, and says 0 of every pod while the
/// device is busy: that is no measure.
void drop_unmapped(DeviceUse& device) {
  const auto all_zero = [&](auto field) {
    return !device.users.empty() &&
           std::all_of(device.users.begin(), device.users.end(),
                       [&](const DeviceUser& user) { return user.own.*field == 0; });
  };
  const Measures& whole = device.sample.measures;
  const bool is_busy = whole.utilization >= kIdleBelow;
  const bool is_full = whole.memory_used_bytes >= kMuchMemory;
  const bool has_no_use = is_busy && all_zero(&Measures::utilization);
  const bool has_no_memory = is_full && all_zero(&Measures::memory_used_bytes);
  for (DeviceUser& user : device.users) {
    // One mapping serves both.
    if (has_no_use || has_no_memory) user.own.utilization.reset();
    if (has_no_memory) user.own.memory_used_bytes.reset();
  }
}

}  // namespace

DeviceUsers::DeviceUsers(const Snapshot& snapshot) : snapshot_(snapshot) {
  for (const Pod& pod : snapshot.pods)
    pods_.emplace(std::pair{std::string_view(pod.ns), std::string_view(pod.name)}, &pod);
}

const Pod* DeviceUsers::user_of(const DeviceUse& device, const SampleOwner& owner) {
  const std::string key = owner.ns + "/" + owner.pod;
  // With honorLabels and no pod of its own, a series has the labels of who wrote it.
  if (key == device.sample.exporter) return nullptr;
  const auto at = pods_.find({owner.ns, owner.pod});
  if (at == pods_.end()) {
    // Pods that ask for no GPU are mostly not kept.
    if (snapshot_.pod_coverage == Coverage::whole)
      without_.insert(key + (owner.ns.empty() ? " has no namespace" : " is gone or requests none"));
    return nullptr;
  }
  const Pod& pod = *at->second;
  if (is_finished(pod)) gone_.insert(key);
  if (is_finished(pod)) return nullptr;
  if (!is_gpu_pod(pod)) without_.insert(key + " requests none");
  if (!is_gpu_pod(pod)) return nullptr;
  // A pod of that name that came later, perhaps elsewhere.
  const bool is_other = !owner.pod_uid.empty() && !pod.uid.empty() && owner.pod_uid != pod.uid;
  if (is_other) gone_.insert(key);
  return is_other || pod.node_name != device.node ? nullptr : &pod;
}

void DeviceUsers::find(DeviceUse& device) {
  if (pods_.empty()) return;
  for (const SampleOwner& owner : device.sample.owners)
    if (const Pod* pod = user_of(device, owner))
      device.users.push_back({pod, owner.container, owner.share, owner.own});
  drop_unmapped(device);
}

void DeviceUsers::add_gaps(std::vector<Gap>& gaps) const {
  if (!gone_.empty())
    gaps.push_back({.what = "metrics still name " +
                            counted(gone_.size(), "pod that is", "pods that are") +
                            " finished or gone",
                    .why = listed({gone_.begin(), gone_.end()}),
                    .help = ""});
  if (!without_.empty())
    gaps.push_back({.what = "metrics name " +
                            counted(without_.size(), "pod that holds", "pods that hold") +
                            " no GPU",
                    .why = listed({without_.begin(), without_.end()}),
                    .help = ""});
}

}  // namespace gpu::usage
