#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace gpu::test {

/// A folder of its own for one test, removed afterwards.
class Folder {
 public:
  Folder() {
    std::string path = (std::filesystem::temp_directory_path() / "kubectl-gpu-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = path;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Writes a file, its folders included, and gives its path.
  std::string write(const std::string& name, const std::string& content) const {
    const std::filesystem::path path = at(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }

  std::string write_program(const std::string& name, const std::string& content) const {
    std::string path = write(name, content);
    ::chmod(path.c_str(), 0755);
    return path;
  }

 private:
  std::string path_;
};

}  // namespace gpu::test
