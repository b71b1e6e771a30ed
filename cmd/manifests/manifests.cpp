#include "cmd/manifests/manifests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/shell/kustomize.hpp"
#include "input/files/manifest_file.hpp"
#include "report/render.hpp"

namespace gpu::cmd {
namespace {

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
std::string names_of(const ManifestFlags& flags) {
  std::vector<std::string> names = flags.files;
  std::replace(names.begin(), names.end(), std::string("-"), std::string("stdin"));
  names.insert(names.end(), flags.kustomize.begin(), flags.kustomize.end());
  return sanitize(joined(names));
}

}  // namespace

void add_manifest_flags(FlagSet& flags, ManifestFlags& to, std::string_view does) {
  flags.list("-f,--filename FILE", to.files)
      .in(FlagGroup::what)
      .file()
      .help(fmt::format("manifest or folder to {}; - is stdin", does));
  flags.list("-k,--kustomize FOLDER", to.kustomize)
      .in(FlagGroup::what)
      .file()
      .help(fmt::format("{} what `kubectl kustomize` prints", does));
  flags.toggle("-R,--recursive", &to.recursive)
      .in(FlagGroup::what)
      .help("with -f FOLDER, also read the folders below it");
}

void check_manifest_flags(const ManifestFlags& flags) {
  if (flags.recursive && flags.files.empty())
    throw Error(ErrorKind::usage, "`-R` is for folders that `-f` names", "leave it out");
}

Manifests read_manifests(const ManifestFlags& flags, const std::string& ns,
                         std::string_view otherwise, const Env& env) {
  Manifests read;
  const input::Recursion recursion = flags.recursive ? input::Recursion::yes : input::Recursion::no;
  for (const std::string& path : flags.files) read_path(path, recursion, ns, read);
  for (const std::string& folder : flags.kustomize)
    keep_error(read.errors, [&] {
      input::add_manifest_text(
          read.planned, kustomized(folder, env.environment, std::string(otherwise)), folder, ns);
    });
  return read;
}

void refuse_without_pods(const ManifestFlags& flags, const Manifests& read) {
  if (read.errors.size() == 1) throw read.errors.front();
  if (!read.errors.empty()) return;
  const std::vector<std::string>& unknown = read.planned.unknown;
  if (unknown.empty())
    throw Error(ErrorKind::usage, names_of(flags) + " creates no pods",
                "give a Pod, or an object that creates pods, such as a Job or a Deployment");
  throw Error(ErrorKind::usage,
              fmt::format("{} does not contain the template of the pods of {}", names_of(flags),
                          sanitize(joined(unknown))),
              "create it, and use its name");
}

void print_faults(const Manifests& read, const GlobalFlags& flags, Env& env) {
  constexpr std::size_t kMostNamed = 3;
  const report::Style style = err_style(flags, env);
  for (const Error& error : read.errors)
    env.err << report::render_error(headline(error), error.help(), style);
  if (!read.unread_folders.empty())
    env.err << report::render_note(
        "not read without -R: " + few_and_rest(read.unread_folders, kMostNamed), style);
}

}  // namespace gpu::cmd
