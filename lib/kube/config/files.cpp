#include "kube/config/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace gpu::kube {
namespace {

constexpr std::size_t kMaxBytes = (std::size_t{4} << 20) + 1;

FileContent failed(const char* action, const std::string& path, int error) {
  return {.bytes = {},
          .problem = std::string(action) + " " + path + ": " + system_problem(error),
          .missing = error == ENOENT};
}

}  // namespace

std::string system_problem(int error) {
  std::string text = std::strerror(error);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

FileContent read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failed("open", path, errno);
  FileContent content;
  std::array<char, 65536> buffer{};
  while (content.bytes.size() < kMaxBytes) {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    if (count < 0) content = failed("read", path, errno);
    if (count <= 0) break;
    content.bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(file);
  return content;
}

std::string path_below(const std::string& folder, const std::string& path) {
  if (path.empty() || path.starts_with('/')) return path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

}  // namespace gpu::kube
