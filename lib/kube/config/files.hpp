#pragma once

#include <string>

namespace gpu::kube {

/// What reading a whole file gave.
struct FileContent {
  std::string bytes;
  std::string problem;   ///< as Go says it: "open P: no such file or directory"; empty: none
  bool missing = false;  ///< there is no such file
  [[nodiscard]] bool ok() const { return problem.empty(); }
};

/// The bytes of a file (or pipe), at most 4 MB and one byte more. Throws nothing; a signal that
/// came while it waited is its problem.
FileContent read_file(const std::string& path);

/// The system's text for an errno, in Go's lower case.
std::string system_problem(int error);

/// `path` if it is absolute or empty, otherwise `path` below `folder`, without `.` and `..`.
std::string path_below(const std::string& folder, const std::string& path);

}  // namespace gpu::kube
