#include "cmd/completion/completion.hpp"

#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cmd/completion/completion_scripts.hpp"
#include "cmd/shell/flags.hpp"

namespace gpu::cmd {
namespace {

struct CompletionFlags {
  GlobalFlags global;
  std::string shell;
};

struct Script {
  std::string_view shell;
  const std::string_view& text;
};
constexpr std::array<Script, 4> kScripts = {{{"bash", kBashCompletion},
                                             {"zsh", kZshCompletion},
                                             {"fish", kFishCompletion},
                                             {"kubectl", kKubectlCompletion}}};

std::vector<std::string_view> shells() {
  std::vector<std::string_view> names;
  for (const Script& script : kScripts) names.push_back(script.shell);
  return names;
}

void add_completion_flags(FlagSet& flags, CompletionFlags& to) {
  add_unused_connection_flags(flags, to.global);
  flags.words(&to.shell).completes(
      [&to](const Typing&) { return to.shell.empty() ? candidates_of(shells()) : Candidates{}; });
}

int run_completion(CompletionFlags& flags, Env& env) {
  for (const auto& [shell, text] : kScripts) {
    if (shell != flags.shell) continue;
    env.out << text;
    return 0;
  }
  const auto nearest = nearest_name(flags.shell, shells());
  throw Error(ErrorKind::usage,
              flags.shell.empty() ? "`completion` needs the name of a shell"
                                  : "there is no completion for `" + flags.shell + "`",
              (nearest ? "a similar one is `" + std::string(*nearest) + "`; " : std::string()) +
                  "there are " + listed(shells(), "and"));
}

}  // namespace

const Command kCompletion = {
    .info = {.name = "completion",
             .usage = "completion bash|zsh|fish|kubectl",
             .summary = "Print a script for completion in a shell",
             .examples = "completion kubectl > ~/.local/bin/kubectl_complete-gpu  # for `kubectl "
                         "gpu`; then chmod +x\n"
                         "completion bash  # for kubectl-gpu itself"},
    .bind = bound<CompletionFlags, add_completion_flags, run_completion>,
};

}  // namespace gpu::cmd
