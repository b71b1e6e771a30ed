#include "manifest/kinds/plain_command.hpp"

#include "manifest/fit/pod.hpp"

namespace gpu::manifest {

std::vector<std::string> plain_command(const GenRequest& request) {
  const GenOptions& options = request.options;
  std::vector<std::string> words = options.command;
  if (options.script) words.insert(words.begin(), script_path(request));
  if (words.empty()) return words;
  if (words.front().ends_with(".py"))
    words.insert(words.begin(), "python");
  else if (options.script)
    words.insert(words.begin(), "bash");
  return words;
}

}  // namespace gpu::manifest
