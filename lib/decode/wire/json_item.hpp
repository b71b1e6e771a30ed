#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace gpu::decode {

/// The annotation that holds a copy of the whole object, secrets included: never read.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/// The JSON text of one item, without what no answer needs and what may hold secrets: arrays named
/// managedFields, env, command, args, images, and volumeMounts, and the last-applied annotation are
/// never built; of env, command and args stays how often an exporter measures, if they say it.
/// Throws Error{data} with the byte position in `text` for what is not JSON.
nlohmann::json json_item(std::string_view text);

}  // namespace gpu::decode
