#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/time.hpp"

namespace gpu::input {

/// What --from names: of a folder, the files that are ours to read.
struct InputFiles {
  std::vector<std::filesystem::path> objects;  ///< JSON
  std::vector<std::filesystem::path> texts;    ///< of exporters
};

/// Throws Error{usage} for a path that is not there or holds no file of ours.
InputFiles input_files_at(const std::string& path);

/// A folder may say when it was filled, in a file named `now`: `kubectl get -o json` does not.
std::optional<Time> time_in_folder(const std::string& path);

/// For a path that cannot be read.
Error unreadable_input(const std::string& path, const std::string& why);

/// Help that says how such files are made.
std::string how_to_make_files();

}  // namespace gpu::input
