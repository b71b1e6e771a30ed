#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "model/objects/workload_object.hpp"

namespace gpu::decode {

/// Reads an object of a kind of workload_kinds(). Where a kind tells of its end by a phase, that
/// becomes a condition of this type: "Succeeded". Throws Error{data} that names the object and the
/// field.
WorkloadObject workload_object_from_json(const nlohmann::json& object, std::string_view api_version,
                                         std::string_view kind);

}  // namespace gpu::decode
