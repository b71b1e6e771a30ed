#include "cmd/doctor/machine.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/split.hpp"
#include "kube/process/process.hpp"

namespace gpu::cmd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLead = "kubectl-gpu-";

bool is_executable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const auto may_run = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return !error && fs::is_regular_file(status) &&
         (status.permissions() & may_run) != fs::perms::none;
}

/// The command that a file of this name hides: "top" by kubectl-gpu-top and kubectl-gpu-top-nodes;
/// kubectl makes underscores of the dashes in a word. Source: kubectl's pkg/cmd/plugin.go,
/// HandlePluginCommand. Empty: none.
std::string hidden_by(std::string_view file, Commands commands) {
  if (!file.starts_with(kLead)) return {};
  const std::string_view words = file.substr(kLead.size());
  for (const Command* command : commands) {
    std::string name(command->info.name);
    std::replace(name.begin(), name.end(), '-', '_');
    if (words == name || words.starts_with(name + "-")) return std::string(command->info.name);
  }
  return {};
}

}  // namespace

std::vector<checkup::HidingProgram> hiding_programs(Commands commands,
                                                    const Environment& environment) {
  std::vector<checkup::HidingProgram> found;
  std::set<std::string> seen;
  const std::string path = environment.get_or_empty("PATH");
  for (const std::string_view folder : split(path, ':')) {
    if (folder.empty()) continue;
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator at(fs::path(folder), error), end; !error && at != end;
         at.increment(error))
      names.push_back(at->path().filename().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      std::string command = hidden_by(name, commands);
      const fs::path file = fs::path(folder) / name;
      if (command.empty() || !is_executable(file) || !seen.insert(name).second) continue;
      found.push_back({.path = file.string(), .command = std::move(command)});
    }
  }
  return found;
}

checkup::Surroundings::Completion completion_of(const Environment& environment) {
  using Completion = checkup::Surroundings::Completion;
  if (environment.get_or_empty("PATH").empty()) return Completion::unknown;
  return kube::program_in_path("kubectl_complete-gpu", environment) ? Completion::installed
                                                                    : Completion::missing;
}

}  // namespace gpu::cmd
