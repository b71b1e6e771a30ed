#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gpu::decode {

/// The first document of a YAML text as JSON, read as kubectl reads a kubeconfig
/// (sigs.k8s.io/yaml): YAML 1.1 typing (bare yes/no/on/off/y/n are booleans, bare numbers are
/// numbers, quoted text is text), merge keys, the last of duplicate keys, `!!binary`, anchors with
/// a bound on expansion, BOM and CRLF. Null for an empty text. Throws Error{data}, message starting
/// with `line N: `, for text that is not YAML, is deeper than 100 levels, or is over 4 MB.
nlohmann::json yaml_to_json(std::string_view text);

/// The line, from 1, on which the value at `pointer` stands in a text that yaml_to_json reads; the
/// line of the nearest value around it where it came through an alias. Reads the text again.
std::size_t yaml_line(std::string_view text, const nlohmann::json::json_pointer& pointer);

}  // namespace gpu::decode
