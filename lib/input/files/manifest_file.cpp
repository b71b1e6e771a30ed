#include "input/files/manifest_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "kube/config/files.hpp"
#include "manifest/read/manifest.hpp"

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

bool is_manifest_name(const fs::path& path) {
  static constexpr std::array<std::string_view, 3> kEnds = {".yaml", ".yml", ".json"};
  const std::string extension = path.extension().string();
  return std::find(kEnds.begin(), kEnds.end(), extension) != kEnds.end();
}

/// Adds the files of `folder`, and below it. Links to folders are not followed: as with kubectl.
void add_folder(const fs::path& folder, Recursion recursion, ManifestPaths& to) {
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const bool is_folder = at->is_directory(ignored) && !at->is_symlink(ignored);
    if (is_folder && recursion == Recursion::yes)
      add_folder(at->path(), recursion, to);
    else if (is_folder && !at->path().filename().string().starts_with('.'))
      to.unread_folders.push_back(at->path().string());
    else if (at->is_regular_file(ignored) && is_manifest_name(at->path()))
      to.files.push_back(at->path().string());
  }
  if (error)
    throw Error(ErrorKind::usage, "cannot read " + folder.string() + ": " + error.message());
}

std::string help_without_files(const ManifestPaths& found) {
  constexpr std::size_t kMostFolders = 3;
  if (found.unread_folders.empty()) return {};
  return "-R also reads the folders below it: " + few_and_rest(found.unread_folders, kMostFolders);
}

}  // namespace

void add_manifest_text(PlannedObjects& planned, std::string_view text, const std::string& name,
                       const std::string& ns) {
  PlannedObjects read = manifest::read_manifest(text, name, ns);
  append(planned.pods, std::move(read.pods));
  append(planned.unknown, std::move(read.unknown));
  append(planned.holders, std::move(read.holders));
  append(planned.outlines, std::move(read.outlines));
  append(planned.found, std::move(read.found));
  append(planned.claims, std::move(read.claims));
  append(planned.claim_templates, std::move(read.claim_templates));
  append(planned.volume_claims, std::move(read.volume_claims));
  append(planned.priority_classes, std::move(read.priority_classes));
  append(planned.namespaces, std::move(read.namespaces));
  append(planned.autoscalers, std::move(read.autoscalers));
  append(planned.beside, std::move(read.beside));
}

ManifestPaths manifest_paths(const std::string& path, Recursion recursion) {
  std::error_code ignored;
  ManifestPaths found;
  if (path == "-" || !fs::is_directory(path, ignored)) {
    found.files.push_back(path);
    return found;
  }
  add_folder(path, recursion, found);
  std::sort(found.files.begin(), found.files.end());
  std::sort(found.unread_folders.begin(), found.unread_folders.end());
  if (found.files.empty())
    throw Error(ErrorKind::usage, path + " holds no .yaml, .yml or .json file",
                help_without_files(found));
  return found;
}

void add_manifest_file(PlannedObjects& planned, const std::string& path, const std::string& ns) {
  const bool is_stdin = path == "-";
  const kube::FileContent file = kube::read_file(is_stdin ? "/dev/stdin" : path);
  if (!file.ok()) throw Error(ErrorKind::usage, file.problem);
  add_manifest_text(planned, file.bytes, is_stdin ? "stdin" : path, ns);
}

void add_manifests(PlannedObjects& planned, const std::string& path, const std::string& ns) {
  for (const std::string& file : manifest_paths(path).files) add_manifest_file(planned, file, ns);
}

}  // namespace gpu::input
