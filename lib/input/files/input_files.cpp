#include "input/files/input_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTextsNeedNodes =
    "exporters' texts name no nodes and no pods: put these beside them\n"
    "      kubectl get nodes,pods -A -o json > cluster.json";

/// Whether a file is called so, packed or not.
bool is_called(const fs::path& path, std::string_view end) {
  const std::string name = path.filename().string();
  return !name.starts_with('.') &&
         (name.ends_with(end) || name.ends_with(std::string(end) + ".gz"));
}

}  // namespace

InputFiles input_files_at(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw unreadable_input(path, std::strerror(ENOENT));
  if (error) throw unreadable_input(path, error.message());
  if (!fs::is_directory(status)) {
    if (is_called(path, ".prom"))
      throw Error(ErrorKind::usage, path + " holds no nodes", std::string(kTextsNeedNodes));
    return {.objects = {path}, .texts = {}};
  }
  InputFiles files;
  std::error_code ignored;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    // A pipe or a folder of that name is not ours to read.
    if (!at->is_regular_file(ignored)) continue;
    if (is_called(at->path(), ".json")) files.objects.push_back(at->path());
    if (is_called(at->path(), ".prom")) files.texts.push_back(at->path());
  }
  if (error) throw unreadable_input(path, error.message());
  if (files.objects.empty())
    throw Error(ErrorKind::usage, path + " holds no .json file",
                files.texts.empty() ? how_to_make_files() : std::string(kTextsNeedNodes));
  std::sort(files.objects.begin(), files.objects.end());
  return files;
}

std::optional<Time> time_in_folder(const std::string& path) {
  // Another file of that name is none of ours: a pipe would be waited for, a device never ends.
  constexpr std::uintmax_t kMostBytes = 64;
  const fs::path now = fs::path(path) / "now";
  std::error_code error;
  if (!fs::is_regular_file(now, error) || fs::file_size(now, error) > kMostBytes)
    return std::nullopt;
  std::ifstream in(now);
  std::string text;
  return in >> text ? parse_time(text) : std::nullopt;
}

Error unreadable_input(const std::string& path, const std::string& why) {
  return {ErrorKind::usage, "cannot read " + path + ": " + why, how_to_make_files()};
}

std::string how_to_make_files() {
  return "make one with\n      kubectl get nodes,pods -A -o json > cluster.json";
}

}  // namespace gpu::input
