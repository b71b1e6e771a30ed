#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// What we keep of a scheduling.volcano.sh Queue, by which Volcano shares out a cluster.
struct VolcanoQueue {
  std::string name;
  std::string parent;       ///< empty: it stands below "root"
  std::string state;        ///< status.state: Open, Closed, Closing, Unknown
  ResourceList capability;  ///< pods get no more than that; what is not listed is not limited
  ResourceList deserved;    ///< what others may take back beyond
  ResourceList guarantee;   ///< kept free for it: guarantee.resource
  /// status.allocated; nothing: its status says nothing.
  std::optional<ResourceList> allocated;
  std::optional<std::int64_t> pending;  ///< PodGroups of that phase, as its status counts them
  std::optional<std::int64_t> inqueue;
  std::optional<std::int64_t> running;
  friend bool operator==(const VolcanoQueue&, const VolcanoQueue&) = default;
};

/// What we keep of a scheduling.volcano.sh PodGroup: pods that start together.
struct VolcanoPodGroup {
  std::string ns;
  std::string name;
  std::optional<Time> created;
  std::vector<OwnerReference> owners;
  std::string queue;  ///< empty: "default"
  std::string phase;  ///< Pending, Inqueue, Running, Unknown, Completed
  std::int64_t min_member = 0;
  ResourceList min_resources;  ///< of its minMember pods together
  std::vector<Condition> conditions;
  friend bool operator==(const VolcanoPodGroup&, const VolcanoPodGroup&) = default;
};

}  // namespace gpu
