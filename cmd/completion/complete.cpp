#include "cmd/completion/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <ostream>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "cmd/shell/aliases.hpp"
#include "cmd/shell/argv.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/output_forms.hpp"
#include "cmd/shell/run_command.hpp"
#include "report/values.hpp"

namespace gpu::cmd {
namespace {

/// A command line, and what its flags bind to.
struct CommandLine {
  CommandInfo info;
  FlagSet flags;
  GlobalFlags global;  ///< of commands that have no others
  BoundCommand command;
  bool asks_for_help = false;
};

/// Before the command stand only flags that many have.
std::unique_ptr<CommandLine> line_before_command() {
  auto line = std::make_unique<CommandLine>();
  add_format_flags(line->flags, line->global);
  add_screen_flags(line->flags, line->global);
  add_connection_flags(line->flags, line->global);
  add_help_flag(line->flags, line->asks_for_help);
  return line;
}

std::unique_ptr<CommandLine> line_of(std::string_view name, Commands all) {
  if (name.empty()) return line_before_command();
  auto line = std::make_unique<CommandLine>();
  const auto command = std::find_if(all.begin(), all.end(),
                                    [&](const Command* each) { return each->info.name == name; });
  if (command != all.end()) {
    line->info = (*command)->info;
    line->command = (*command)->bind(line->flags, all);
  } else {
    add_connection_flags(line->flags, line->global);
  }
  add_help_flag(line->flags, line->asks_for_help);
  return line;
}

/// The command among `typed`; empty where none is typed yet.
std::string command_in(const Words& typed) {
  const std::unique_ptr<CommandLine> line = line_before_command();
  try {
    const std::size_t at = command_position(typed, line->flags.all());
    return at < typed.size() ? typed[at] : "";
  } catch (const Error&) {
    return {};  // a flag whose value is being typed
  }
}

/// `typed` with an alias replaced by the command that it stands for.
Words with_command(const Words& typed) {
  const std::unique_ptr<CommandLine> line = line_before_command();
  try {
    return without_alias(typed, command_position(typed, line->flags.all()));
  } catch (const Error&) {
    return typed;  // as above
  }
}

Candidates flags_of(const FlagSet& flags) {
  Candidates candidates;
  for (const Flag& flag : flags.all())
    if (flag.is_listed()) candidates.push_back({"--" + flag.long_name(), flag.description()});
  return candidates;
}

Candidates command_names(Commands all) {
  Candidates candidates;
  for (const Command* command : all)
    if (command->visibility == Visibility::listed)
      candidates.push_back({std::string(command->info.name), std::string(command->info.summary)});
  return candidates;
}

/// Reads what stands before the word that is being typed into what the flags bind to.
void read_typed(Words typed, CommandLine& line, const Env& env) {
  const std::size_t at = command_position(typed, line.flags.all());
  if (at >= typed.size()) return;
  typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(at));
  line.flags.read(typed, line.info, env.program);
}

/// What may be the value of `flag`, or a word, after the words in `before`.
CandidatesOrFiles values_of(const Flag& flag, const Words& before, CommandLine& line,
                            const Typing& typing) {
  const bool is_computed = std::holds_alternative<Flag::Completer>(flag.values());
  if (is_computed || flag.kind() == Flag::Kind::words) read_typed(before, line, typing.env);
  return std::visit(
      report::Overloaded{
          [](const Flag::NoValues&) -> CandidatesOrFiles { return Candidates{}; },
          [](const Flag::Files&) -> CandidatesOrFiles { return std::nullopt; },
          [](const std::vector<std::string_view>& words) -> CandidatesOrFiles {
            return candidates_of(words);
          },
          [&](const Flag::Completer& completer) -> CandidatesOrFiles { return completer(typing); }},
      flag.values());
}

CandidatesOrFiles candidates_for(const Words& typed_words, const Typing& typing, Commands all) {
  const std::string& current = typing.current;
  Words typed = with_command(typed_words);
  const std::string command = command_in(typed);
  const std::unique_ptr<CommandLine> line = line_of(command, all);
  const Flag* before = typed.empty() ? nullptr : line->flags.named(typed.back());
  if (before != nullptr && before->takes_next_word()) {
    typed.pop_back();
    return values_of(*before, typed, *line, typing);
  }
  if (const std::size_t equals = current.find('=');
      current.starts_with("-") && equals != std::string::npos) {
    const Flag* flag = line->flags.named(current.substr(0, equals));
    return flag == nullptr ? Candidates{} : values_of(*flag, typed, *line, typing);
  }
  if (current.starts_with("-")) return flags_of(line->flags);
  if (command.empty()) {
    read_typed(typed, *line, typing.env);  // behind what cannot be read stands nothing
    return command_names(all);
  }
  const Flag* words = line->flags.of_words();
  return words == nullptr ? Candidates{} : values_of(*words, typed, *line, typing);
}

int complete(const Words& words, Commands all, Env& env) {
  const std::string current = words.empty() ? "" : words.back();
  const Words typed(words.begin(), words.empty() ? words.end() : words.end() - 1);
  CandidatesOrFiles candidates;
  try {
    candidates = candidates_for(typed, {.current = current, .env = env}, all);
  } catch (const std::exception&) {
    candidates.emplace();  // half a command line may not parse: nothing to offer then
  }
  const std::string prefix = current.starts_with("-") && current.find('=') != std::string::npos
                                 ? current.substr(current.find('=') + 1)
                                 : current;
  for (const auto& [word, meaning] : candidates.value_or(Candidates{}))
    if (word.starts_with(prefix))
      env.out << (meaning.empty() ? word : fmt::format("{}\t{}", word, meaning)) << "\n";
  // Cobra's directive: 4 is "no names of files".
  env.out << (candidates ? ":4\n" : ":0\n");
  return 0;
}

BoundCommand bind_complete(FlagSet& flags, Commands all) {
  auto words = std::make_shared<Words>();
  flags.take_all(*words);
  return {.run = [words, all](Env& env) { return complete(*words, all, env); }};
}

}  // namespace

const Command kComplete = {
    .info = {.name = "__complete",
             .usage = "__complete WORDS...",
             .summary = "What may follow WORDS, whose last is being typed (for shells)",
             .examples = "__complete top no"},
    .visibility = Visibility::hidden,
    .bind = bind_complete,
};

}  // namespace gpu::cmd
