#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "kube/read/needs.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::kube {

/// The key in SchedulingFacts::coverages that says whether all owners of refused pods were read.
inline constexpr std::string_view kRefusedOwners = "refusedowners";

/// Whether a command counts pods that could not be created.
bool wants_refused_owners(const Needs& needs);

/// Of each object whose newest event about creating pods is a refusal, that event.
std::vector<const Event*> newest_refusals(const SchedulingFacts& facts);

/// The kind of the object that an event is about, of those whose controllers are Kubernetes' own;
/// null for others.
const WorkloadKind* kind_refused(const Event& event);

/// The object that an event is about, before it has been read.
RefusedOwner refused_owner_of(const Event& event);

/// Fills in how many pods the object wants. An object with another uid than that of the event is a
/// new one: the owner of the event is gone.
void take_refused_owner(RefusedOwner& owner, const nlohmann::json& object,
                        std::string_view api_version);

/// Reads the objects whose pods are refused into SchedulingFacts::refused_owners, by 64 requests at
/// most. One that may not be read is not put there.
void read_refused_owners(CollectContext& reading);

}  // namespace gpu::kube
