#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/scheduling_facts.hpp"

namespace gpu::decode {

/// Whether an object was of a kind that was looked for.
enum class Taken { no, yes };

/// Adds an object of a kind that only why-pending reads (by its apiVersion and kind) to `facts`,
/// unsorted. Of Event, old and new API; of Kueue v1beta1 and v1beta2. Throws Error{data} that names
/// the object and the field for one that is not what it should be.
Taken take_scheduling_object(const nlohmann::json& object, SchedulingFacts& facts);

/// Sorts every kind of `facts` as it promises.
void sort_facts(SchedulingFacts& facts);

}  // namespace gpu::decode
