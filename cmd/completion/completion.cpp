#include <array>
#include <ostream>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cmd/completion/completion_scripts.hpp"
#include "cmd/shell/app.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/parse.hpp"

namespace gpu::cmd {

const CommandInfo kCompletion = {
    .name = "completion",
    .usage = "completion bash|zsh|fish|kubectl",
    .summary = "Print a script that completes our words in a shell",
    .examples =
        "completion kubectl > ~/.local/bin/kubectl_complete-gpu  # for `kubectl gpu`; then "
        "chmod +x\n"
        "completion bash  # for kubectl-gpu itself",
};

int run_completion(const Words& words, Env& env) {
  CLI::App app;
  GlobalFlags flags;
  add_connection_flags(app, flags);
  std::string shell;
  app.add_option("shell", shell);
  if (parse(app, words, kCompletion, flags.help, env) == Parsed::help_shown) return 0;
  struct Script {
    std::string_view shell;
    std::string_view text;
  };
  const std::array<Script, 4> scripts = {{{"bash", kBashCompletion},
                                          {"zsh", kZshCompletion},
                                          {"fish", kFishCompletion},
                                          {"kubectl", kKubectlCompletion}}};
  std::vector<std::string_view> names;
  for (const auto& [name, text] : scripts) {
    names.push_back(name);
    if (name != shell) continue;
    env.out << text;
    return 0;
  }
  const auto nearest = nearest_name(shell, names);
  throw Error(ErrorKind::usage,
              shell.empty() ? "`completion` needs the name of a shell"
                            : "there is no completion for `" + shell + "`",
              (nearest ? "a similar one is `" + std::string(*nearest) + "`; " : std::string()) +
                  "there are bash, zsh, fish, and kubectl");
}

}  // namespace gpu::cmd
