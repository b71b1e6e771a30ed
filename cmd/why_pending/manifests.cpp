#include "cmd/why_pending/manifests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/phrase.hpp"
#include "cmd/shell/kustomize.hpp"
#include "input/files/manifest_file.hpp"
#include "plan/plan.hpp"

namespace gpu::cmd {
namespace {

/// "manifests/", which a shell completes so.
bool is_typed_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') && std::filesystem::is_directory(path, ignored);
}

/// Calls `read`, and keeps its error beside those of other files.
template <class Read>
void keep_error(std::vector<Error>& errors, Read read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    errors.push_back(error);
  }
}

void read_path(const std::string& path, input::Recursion recursion, const std::string& ns,
               Manifests& to) {
  input::ManifestPaths found;
  keep_error(to.errors, [&] { found = input::manifest_paths(path, recursion); });
  for (const std::string& file : found.files)
    keep_error(to.errors, [&] { input::add_manifest_file(to.planned, file, ns); });
  std::move(found.unread_folders.begin(), found.unread_folders.end(),
            std::back_inserter(to.unread_folders));
}

/// "train.yaml, stdin".
std::string names_of_files(const WhyPendingFlags& flags) {
  std::vector<std::string> names = flags.files;
  std::replace(names.begin(), names.end(), std::string("-"), std::string("stdin"));
  names.insert(names.end(), flags.kustomize.begin(), flags.kustomize.end());
  return joined(names);
}

[[noreturn]] void refuse_without_pods(const WhyPendingFlags& flags, const Manifests& read) {
  const std::string names = names_of_files(flags);
  const std::vector<std::string>& unknown = read.planned.unknown;
  if (unknown.empty())
    throw Error(ErrorKind::usage, names + " creates no pods",
                "give a Pod, or an object that creates pods, such as a Job or a Deployment");
  throw Error(
      ErrorKind::usage,
      fmt::format("{} does not contain the template of the pods of {}", names, joined(unknown)),
      "create it, then explain it by its name");
}

}  // namespace

bool is_existing_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void take_path_words(WhyPendingFlags& flags) {
  const bool has_files = !flags.files.empty();
  const auto is_file = [&](const std::string& word) {
    return is_path_word(word) || is_typed_folder(word) || (has_files && is_existing_path(word));
  };
  const auto names = std::stable_partition(flags.words.begin(), flags.words.end(), is_file);
  std::move(flags.words.begin(), names, std::back_inserter(flags.files));
  flags.words.erase(flags.words.begin(), names);
}

Manifests read_manifests(const WhyPendingFlags& flags, const std::string& ns, const Env& env) {
  Manifests read;
  const input::Recursion recursion = flags.recursive ? input::Recursion::yes : input::Recursion::no;
  for (const std::string& path : flags.files) read_path(path, recursion, ns, read);
  for (const std::string& folder : flags.kustomize)
    keep_error(read.errors, [&] {
      input::add_manifest_text(read.planned,
                               kustomized(folder, env.environment, "kubectl gpu why-pending -f -"),
                               folder, ns);
    });
  plan::take_found(read.planned);
  const bool has_pods = !read.planned.pods.empty();
  if (!has_pods && read.errors.size() == 1) throw read.errors.front();
  if (!has_pods && read.errors.empty()) refuse_without_pods(flags, read);
  return read;
}

}  // namespace gpu::cmd
