#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "model/objects/field_mistake.hpp"

namespace gpu::manifest {

/// What the API server finds wrong with the name, or generateName, of an object that makes pods.
std::optional<FieldMistake> mistake_in_name(const nlohmann::json& object, std::string_view kind);

}  // namespace gpu::manifest
