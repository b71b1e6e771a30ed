#pragma once

#include <string>
#include <string_view>

#include "model/snapshot/planned_pod.hpp"

namespace gpu::input {

/// Adds what the file at `path` would make, read as manifest::read_manifest() does; `-` is standard
/// input, and of a folder all its files *.yaml, *.yml and *.json, as kubectl takes them. `ns` is
/// where an object without a namespace goes. Throws Error{usage} for what cannot be read.
void add_manifests(PlannedObjects& planned, const std::string& path, const std::string& ns);

/// The same of a text that is called `name`.
void add_manifest_text(PlannedObjects& planned, std::string_view text, const std::string& name,
                       const std::string& ns);

}  // namespace gpu::input
