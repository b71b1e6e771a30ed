#include "cmd/shell/parse.hpp"

#include <algorithm>
#include <ostream>

#include "base/error.hpp"
#include "cmd/shell/argv.hpp"

namespace gpu::cmd {

void read_words(CLI::App& app, const std::vector<std::string>& words, const CommandInfo& info,
                const Env& env) {
  std::vector<std::string> clean = normalized(words, app);
  std::reverse(clean.begin(), clean.end());  // CLI11 takes them from the back
  try {
    app.parse(clean);
  } catch (const CLI::ExtrasError&) {
    throw Error(ErrorKind::usage, "`" + std::string(info.name) + "` takes no more words",
                "usage is\n      " + env.program + " " + std::string(info.usage));
  } catch (const CLI::ParseError& error) {
    // "Could not convert: --v = abc": the part that a reader needs stands after the colon.
    const std::string text = error.what();
    const std::size_t colon = text.find(": ");
    throw Error(ErrorKind::usage,
                "a flag's value cannot be read: " +
                    (colon == std::string::npos ? text : text.substr(colon + 2)),
                "see all flags\n      " + env.program + " " + std::string(info.name) + " --help");
  }
}

Parsed parse(CLI::App& app, const std::vector<std::string>& words, const CommandInfo& info,
             const bool& help_flag, Env& env) {
  read_words(app, words, info, env);
  if (!help_flag) return Parsed::run;
  env.out << help_text(info, app, env.program);
  return Parsed::help_shown;
}

}  // namespace gpu::cmd
