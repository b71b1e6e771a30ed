#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/workload.hpp"
#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// The pods on nodes by who owns them: at the top, and the Job of a CronJob. For
/// Cluster::shared().
class OwnedPods {
 public:
  explicit OwnedPods(const Cluster& cluster);

  /// Those of an owner: "Deployment" by name. Pods that nobody owns are not here.
  [[nodiscard]] const std::vector<const Pod*>& of(std::string_view ns, std::string_view kind,
                                                  std::string_view name) const;

 private:
  std::unordered_map<std::string, std::vector<const Pod*>> by_owner_;
};

/// The ownerReference of who makes the pod anew; null where nobody does.
const OwnerReference* controller_of(const Pod& pod);

}  // namespace gpu::schedule
