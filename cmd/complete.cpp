#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>
#include <string_view>

#include "base/ascii.hpp"
#include "cmd/app.hpp"
#include "cmd/argv.hpp"
#include "cmd/flags.hpp"
#include "cmd/top.hpp"
#include "kube/signals.hpp"
#include "model/pool.hpp"

namespace gpu::cmd {

const CommandInfo kComplete = {
    .name = "__complete",
    .usage = "__complete WORDS...",
    .summary = "What may follow WORDS, whose last is being typed (for shells)",
    .examples = "__complete top no",
};

namespace {

/// What may follow, each with what it means.
struct Candidate {
  std::string word;
  std::string meaning;
};
using Candidates = std::vector<Candidate>;

Candidates plain(std::initializer_list<std::string_view> words) {
  Candidates candidates;
  for (const std::string_view word : words) candidates.push_back({std::string(word), ""});
  return candidates;
}

Candidates values_of(std::string_view flag) {
  if (flag == "--output" || flag == "-o") return plain({"wide", "json", "yaml", "csv", "name"});
  if (flag == "--color") return plain({"auto", "always", "never"});
  if (flag == "--sort-by")
    return plain({"name", "model", "capacity", "allocatable", "allocated", "free", "unavailable",
                  "state", "instanceType", "zone"});
  return {};
}

Candidates flags_of(const CLI::App& app) {
  Candidates candidates;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty() && !option->get_lnames().empty())
      candidates.push_back({"--" + option->get_lnames().front(), option->get_description()});
  return candidates;
}

Candidates command_names() {
  Candidates candidates;
  for (const Command& command : commands())
    if (!command.hidden)
      candidates.push_back({std::string(command.info.name), std::string(command.info.summary)});
  return candidates;
}

/// A name that the API server accepts; anything else would be read as more than one line, or as a
/// directive.
bool is_node_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.';
  });
}

/// The cluster's GPU nodes; a shell waits for us, so a cluster that does not answer gives none.
Candidates node_names(TopFlags& flags, const Env& env) {
  if (flags.global.from == "-") return {};
  constexpr std::chrono::seconds kPatience{4};  // also with a credential plugin that asks
  kube::be_quick_and_silent(kPatience);
  if (!flags.global.connection.request_timeout) flags.global.connection.request_timeout = "2s";
  Candidates candidates;
  try {
    for (const Node& node :
         read_snapshot(flags.global, {.pod_lists = kube::PodLists::none}, env).nodes)
      if (is_gpu_node(node) && is_node_name(node.name)) candidates.push_back({node.name, ""});
  } catch (const std::exception&) {
    return {};
  }
  return candidates;
}

Candidates positionals(std::string_view command, TopFlags& flags, const Env& env) {
  if (command == kCompletion.name) return plain({"bash", "zsh", "fish", "kubectl"});
  if (command != kTop.name) return {};
  if (flags.words.empty()) return plain({"nodes"});
  return node_names(flags, env);
}

bool takes_value(const CLI::App& app, const std::string& word) {
  if (word.size() < 2 || word.front() != '-' || word.find('=') != std::string::npos) return false;
  for (const CLI::Option* option : app.get_options())
    if (option->check_name(word)) return option->get_items_expected_max() > 0;
  return false;
}

Candidates candidates_for(Words typed, const std::string& current, const Env& env) {
  CLI::App app;
  TopFlags flags;
  add_top_flags(app, flags);
  if (!typed.empty() && takes_value(app, typed.back())) return values_of(typed.back());
  if (const std::size_t equals = current.find('=');
      current.starts_with("-") && equals != std::string::npos)
    return values_of(current.substr(0, equals));
  const std::size_t at = command_position(typed, app);
  if (current.starts_with("-")) return flags_of(app);
  if (at >= typed.size()) return command_names();
  const std::string command = typed[at];
  typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<std::string> clean = normalized(typed, app);
  std::reverse(clean.begin(), clean.end());
  app.parse(clean);
  return positionals(command, flags, env);
}

}  // namespace

int run_complete(const Words& words, Env& env) {
  const std::string current = words.empty() ? "" : words.back();
  const Words typed(words.begin(), words.empty() ? words.end() : words.end() - 1);
  Candidates candidates;
  try {
    candidates = candidates_for(typed, current, env);
  } catch (const std::exception&) {
    candidates.clear();  // half a command line may not parse: nothing to offer then
  }
  const std::string prefix = current.starts_with("-") && current.find('=') != std::string::npos
                                 ? current.substr(current.find('=') + 1)
                                 : current;
  for (const auto& [word, meaning] : candidates)
    if (word.starts_with(prefix))
      env.out << (meaning.empty() ? word : fmt::format("{}\t{}", word, meaning)) << "\n";
  env.out << ":4\n";  // Cobra's directive: no file names
  return 0;
}

}  // namespace gpu::cmd
