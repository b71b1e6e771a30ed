#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace gpu::input {

/// What a snapshot keeps of an object of this kind: a whitelist (fields_of_kind), so that nothing
/// else can be in it: no environment, no arguments, no probes, no names of Secrets. Nothing for a
/// kind that is not kept. `api_version` and `kind` are written where the object lacks them.
std::optional<nlohmann::json> trimmed(const nlohmann::json& object, std::string_view api_version,
                                      std::string_view kind);

/// Whether a node's or pod's annotation speaks of devices, or tells a scheduler or autoscaler.
bool is_kept_annotation(std::string_view name);

}  // namespace gpu::input
