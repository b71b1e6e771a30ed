#include "kube/config/kubeconfig.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "kube/config/files.hpp"

namespace gpu::kube {
namespace {

/// KUBECONFIG's names in order, each once, empty ones dropped; else ~/.kube/config.
std::vector<std::string> default_paths(const Environment& environment) {
  const std::string list = environment.get_or_empty("KUBECONFIG");
  if (list.empty()) {
    const std::string home = environment.get_or_empty("HOME");
    return {home.empty() ? ".kube/config" : home + "/.kube/config"};
  }
  std::vector<std::string> paths;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    const std::string path = list.substr(start, end - start);
    if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
    start = end + 1;
  }
  return paths;
}

/// A bare command is looked up in PATH.
void resolve_command(std::optional<ExecEntry>& exec, const std::string& folder) {
  if (exec && exec->command.find('/') != std::string::npos)
    exec->command = path_below(folder, exec->command);
}

/// Paths in a kubeconfig count from the folder of the file they stand in.
void resolve_paths(Kubeconfig& config, const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  for (auto& [name, cluster] : config.clusters)
    cluster.certificate_authority = path_below(folder, cluster.certificate_authority);
  for (auto& [name, user] : config.users) {
    user.client_certificate = path_below(folder, user.client_certificate);
    user.client_key = path_below(folder, user.client_key);
    user.token_file = path_below(folder, user.token_file);
    resolve_command(user.exec, folder);
  }
}

Kubeconfig decode_file(const std::string& path, const std::string& text) {
  try {
    Kubeconfig config = decode_kubeconfig(text);
    resolve_paths(config, path);
    return config;
  } catch (const Error& problem) {
    throw Error(ErrorKind::config,
                "error loading config file \"" + path + "\": " + problem.message(), problem.help());
  }
}

/// The first file that defines a name wins, and its whole entry is taken.
void merge(Kubeconfig& into, Kubeconfig&& file) {
  if (into.current_context.empty()) into.current_context = std::move(file.current_context);
  into.clusters.merge(file.clusters);
  into.users.merge(file.users);
  into.contexts.merge(file.contexts);
}

void check_explicit(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 || errno != ENOENT) return;
  throw Error(
      ErrorKind::config, "stat " + path + ": no such file or directory",
      "--kubeconfig names this file; without the flag, KUBECONFIG or ~/.kube/config is used");
}

}  // namespace

Kubeconfig load_kubeconfig(const std::optional<std::string>& explicit_path,
                           const Environment& environment) {
  std::vector<std::string> paths;
  if (explicit_path && !explicit_path->empty()) {
    check_explicit(*explicit_path);
    paths = {*explicit_path};
  } else {
    paths = default_paths(environment);
  }
  Kubeconfig merged;
  for (const std::string& path : paths) {
    const FileContent file = read_file(path);
    if (file.missing) continue;
    if (!file.ok())
      throw Error(ErrorKind::config, "error loading config file \"" + path + "\": " + file.problem,
                  "check that " + path + " is a file that you may read");
    merge(merged, decode_file(path, file.bytes));
  }
  return merged;
}

}  // namespace gpu::kube
