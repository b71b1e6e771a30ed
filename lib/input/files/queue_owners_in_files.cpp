#include "input/files/queue_owners_in_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "decode/objects/workload_object.hpp"

namespace gpu::input {
namespace {

/// Kueue's own label: of all that a file holds, few objects have it.
bool is_of_queue(const nlohmann::json& object) {
  static const nlohmann::json::json_pointer kLabel("/metadata/labels/kueue.x-k8s.io~1queue-name");
  return object.is_object() && object.contains(kLabel);
}

}  // namespace

void QueueOwnersInFiles::take(const nlohmann::json& object, std::string_view api_version,
                              std::string_view kind) {
  if (kind == "Pod" || !is_of_queue(object) || !object.contains("status")) return;
  try {
    found_.push_back(decode::workload_object_from_json(object, api_version, kind));
    found_.back().pod.reset();
  } catch (const Error& error) {
    // Without its end a Workload is judged by its pods alone.
    if (error.kind() != ErrorKind::data) throw;
  }
}

void QueueOwnersInFiles::finish(SchedulingFacts& facts) {
  std::set<std::string_view> owners;
  for (const QueuedWorkload& workload : facts.workloads)
    for (const OwnerReference& owner : workload.owners)
      if (!owner.uid.empty()) owners.insert(owner.uid);
  for (WorkloadObject& object : found_)
    if (owners.contains(object.uid)) facts.queue_owners.push_back(std::move(object));
}

}  // namespace gpu::input
