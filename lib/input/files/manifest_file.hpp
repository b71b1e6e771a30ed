#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot/planned_pod.hpp"

namespace gpu::input {

/// Whether a folder stands for the files of the folders below it, too.
enum class Recursion { no, yes };

/// The files that a path of `-f` stands for, in the order of their names.
struct ManifestPaths {
  std::vector<std::string> files;
  std::vector<std::string> unread_folders;  ///< below a folder, without Recursion::yes
};

/// As kubectl takes `path`: a file, `-`, or a folder with all its files *.yaml, *.yml and *.json.
/// Throws Error{usage} for a folder without such a file.
ManifestPaths manifest_paths(const std::string& path, Recursion recursion = Recursion::no);

/// Adds what the file at `path` would make, read as manifest::read_manifest() does; `-` is standard
/// input. `ns` is where an object without a namespace goes. Throws Error{usage} for what cannot be
/// read.
void add_manifest_file(PlannedObjects& planned, const std::string& path, const std::string& ns);

/// The same of all manifest_paths() of `path`.
void add_manifests(PlannedObjects& planned, const std::string& path, const std::string& ns);

/// The same of a text that is called `name`.
void add_manifest_text(PlannedObjects& planned, std::string_view text, const std::string& name,
                       const std::string& ns);

}  // namespace gpu::input
