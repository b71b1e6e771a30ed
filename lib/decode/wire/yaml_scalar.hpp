#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace gpu::decode {

/// The value of a YAML scalar by the rules of go-yaml v2 (YAML 1.1, without base 60 and without
/// dates): `tag` is "?" for a plain scalar, "!" for a quoted one, else the tag that was written.
/// Nothing for text that cannot be what its tag says, and for .nan and .inf, which JSON lacks.
std::optional<nlohmann::json> yaml_scalar(std::string_view tag, std::string_view text);

/// A scalar as the key of a JSON object (`1: x` is "1", `yes: x` is "true"). Nothing for null,
/// lists and maps.
std::optional<std::string> yaml_key(const nlohmann::json& value);

}  // namespace gpu::decode
