#include "input/files/manifest_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "kube/config/files.hpp"
#include "manifest/read/manifest.hpp"

namespace gpu::input {
namespace {

namespace fs = std::filesystem;

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

void add_file(PlannedObjects& planned, const std::string& path, const std::string& name,
              const std::string& ns) {
  const kube::FileContent file = kube::read_file(path);
  if (!file.ok()) throw Error(ErrorKind::usage, file.problem);
  add_manifest_text(planned, file.bytes, name, ns);
}

std::vector<std::string> manifests_in(const std::string& folder) {
  static constexpr std::array<std::string_view, 3> kEnds = {".yaml", ".yml", ".json"};
  std::vector<std::string> paths;
  std::error_code error;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string extension = at->path().extension().string();
    if (at->is_regular_file(ignored) &&
        std::find(kEnds.begin(), kEnds.end(), extension) != kEnds.end())
      paths.push_back(at->path().string());
  }
  if (error) throw Error(ErrorKind::usage, "cannot read " + folder + ": " + error.message());
  if (paths.empty()) throw Error(ErrorKind::usage, folder + " holds no .yaml, .yml or .json file");
  std::sort(paths.begin(), paths.end());
  return paths;
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

void add_manifests(PlannedObjects& planned, const std::string& path, const std::string& ns) {
  std::error_code ignored;
  if (path == "-")
    add_file(planned, "/dev/stdin", "stdin", ns);
  else if (fs::is_directory(path, ignored))
    for (const std::string& file : manifests_in(path)) add_file(planned, file, file, ns);
  else
    add_file(planned, path, path, ns);
}

}  // namespace gpu::input
