#pragma once

#include <cstdint>
#include <string_view>

#include "base/quantity.hpp"
#include "base/resource_list.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// The numbers of the resources that every cluster has, in the order in which NodeResourcesFit
/// compares them.
inline constexpr ResourceId kCpu = 0;
inline constexpr ResourceId kMemory = 1;
inline constexpr ResourceId kEphemeralStorage = 2;

/// Whether kube-scheduler compares a resource at all: cpu, memory, ephemeral-storage, and what its
/// IsScalarResourceName names: extended resources, huge pages, attachable volumes. `pods` is
/// compared as a count.
bool is_compared(std::string_view resource);

/// An amount as kube-scheduler compares it: cpu in thousandths, all else in whole units.
std::int64_t compared_amount(std::string_view resource, Quantity amount);

}  // namespace gpu::scheduler
