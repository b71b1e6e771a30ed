#include "input/snapshot/write_target.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/ascii.hpp"

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

/// N of DIRECTORY/N where that is a process's folder of descriptors, and the process is us.
std::optional<int> descriptor_in(const fs::path& folder, const std::string& name) {
  const bool is_ours = folder == "/dev/fd" || folder == "/proc/self/fd" ||
                       folder == "/proc/" + std::to_string(::getpid()) + "/fd";
  const auto number = whole_number(name);
  return is_ours && number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

/// Where systems have no /dev/fd behind these, or had none.
std::optional<int> standard_stream(const fs::path& path) {
  if (path == "/dev/stdin") return STDIN_FILENO;
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  return std::nullopt;
}

}  // namespace

WriteTarget write_target(const std::string& path) {
  constexpr int kMostLinks = 40;  // as Linux follows
  fs::path at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    std::error_code error;
    const fs::path named = at.has_parent_path() ? at.parent_path() : fs::path(".");
    std::optional<int> descriptor = standard_stream(at);
    if (!descriptor) descriptor = descriptor_in(named, at.filename().string());
    if (descriptor) return {.path = path, .descriptor = descriptor};
    const fs::path folder = fs::canonical(named, error);
    if (error) return {.path = path, .error = error.value()};
    descriptor = descriptor_in(folder, at.filename().string());
    if (descriptor) return {.path = path, .descriptor = descriptor};
    at = folder / at.filename();
    // Links in /proc are no paths: they are opened.
    const bool is_link = !at.string().starts_with("/proc/") && fs::is_symlink(at, error);
    if (!is_link) return {.path = at.string()};
    const fs::path next = fs::read_symlink(at, error);
    if (error) return {.path = path, .error = error.value()};
    at = folder / next;  // of an absolute path, that alone
  }
  return {.path = path, .error = ELOOP};
}

}  // namespace gpu::input
