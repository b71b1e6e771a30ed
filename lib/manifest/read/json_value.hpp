#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "manifest/read/mistake.hpp"

namespace gpu::manifest {

/// The member of an object; null where there is none, and for `null`.
const nlohmann::json* member_of(const nlohmann::json& object, std::string_view key);

/// What stands there; null where there is nothing.
const nlohmann::json* value_of_path(const nlohmann::json& object,
                                    const nlohmann::json::json_pointer& at);

/// The text of a member; empty where there is none, and for what is no text.
std::string text_in(const nlohmann::json& object, std::string_view key);

/// Whether the kind is of that API group: "batch" of "batch/v1", "" of "v1".
bool has_group(const KindName& name, std::string_view group);

}  // namespace gpu::manifest
