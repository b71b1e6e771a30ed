#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kube/read/needs.hpp"

namespace gpu::input {

/// Finds what Kueue's Workloads stand for in files, where such objects stand there whole, and puts
/// them into SchedulingFacts::queue_owners: how they have ended.
class QueueOwnersInFiles {
 public:
  /// Looks at each object that is read.
  void take(const nlohmann::json& object, std::string_view api_version, std::string_view kind);
  /// Once all are read.
  void finish(SchedulingFacts& facts);

 private:
  std::vector<WorkloadObject> found_;
};

}  // namespace gpu::input
