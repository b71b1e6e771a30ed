#pragma once

#include <optional>
#include <string>

namespace gpu::input {

/// What a path to write to means, links followed to their end, which need not be there yet.
struct WriteTarget {
  std::string path;
  /// The path is a name for a descriptor that is open already (/dev/stdout, /proc/self/fd/5): what
  /// stands behind it is written on, and never replaced.
  std::optional<int> descriptor = {};
  int error = 0;  ///< errno where links lead nowhere: around in a circle, through a file
};

WriteTarget write_target(const std::string& path);

}  // namespace gpu::input
