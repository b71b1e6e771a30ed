#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "model/objects/scheduling_facts.hpp"

namespace gpu::decode {

/// Whether an object was of a kind that was looked for.
enum class Taken { no, yes };

/// Adds an object of a kind that only why-pending reads (by its apiVersion and kind) to `facts`,
/// unsorted. Of Event, old and new API; of Kueue v1beta1 and v1beta2. Throws Error{data} that names
/// the object and the field for one that is not what it should be.
Taken take_scheduling_object(const nlohmann::json& object, SchedulingFacts& facts);

/// The same for an object that leaves what it is to the list it stands in.
Taken take_scheduling_object(const nlohmann::json& object, std::string_view api_version,
                             std::string_view kind, SchedulingFacts& facts);

/// Sorts every kind of `facts` as it promises.
void sort_facts(SchedulingFacts& facts);

}  // namespace gpu::decode
