#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ostream>
#include <set>
#include <string_view>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "cmd/shell/app.hpp"
#include "cmd/shell/argv.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/snapshot/snapshot.hpp"
#include "cmd/top/names.hpp"
#include "cmd/top/question.hpp"
#include "cmd/top/sort.hpp"
#include "cmd/top/top.hpp"
#include "cmd/why_pending/why_pending.hpp"
#include "diagnose/answer/code.hpp"
#include "kube/http/signals.hpp"
#include "model/holding.hpp"
#include "model/pools.hpp"
#include "usage/gpu_usage.hpp"
#include "usage/inventory.hpp"

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
/// Nothing: names of files, which the shell knows.
using CandidatesOrFiles = std::optional<Candidates>;

/// A command line, and what its flags bind to.
struct CommandLine {
  CLI::App app;
  TopFlags top;  ///< its global flags are those of commands that have no others
  SnapshotFlags snapshot;
  WhyPendingFlags pending;
};

void add_flags_of(std::string_view command, CommandLine& line) {
  if (command == kTop.name) return add_top_flags(line.app, line.top);
  if (command == kSnapshot.name) return add_snapshot_flags(line.app, line.snapshot);
  if (command == kWhyPending.name) return add_why_pending_flags(line.app, line.pending);
  // Before the command stand only flags that many have.
  if (command.empty()) add_output_flags(line.app, line.top.global);
  add_connection_flags(line.app, line.top.global);
}

/// The command among `typed`; empty where none is typed yet.
std::string command_in(const Words& typed) {
  CommandLine line;
  add_flags_of("", line);
  try {
    const std::size_t at = command_position(typed, line.app);
    return at < typed.size() ? typed[at] : "";
  } catch (const Error&) {
    return {};  // a flag whose value is being typed
  }
}

Candidates plain(std::initializer_list<std::string_view> words) {
  Candidates candidates;
  for (const std::string_view word : words) candidates.push_back({std::string(word), ""});
  return candidates;
}

Candidates code_names() {
  Candidates candidates;
  for (const diagnose::Code code : diagnose::codes())
    candidates.push_back({std::string(diagnose::name_of(code)), ""});
  return candidates;
}

CandidatesOrFiles values_of(std::string_view flag, std::string_view command) {
  static constexpr std::array<std::string_view, 8> kFiles = {"--from",
                                                             "--kubeconfig",
                                                             "--certificate-authority",
                                                             "--client-certificate",
                                                             "--client-key",
                                                             "--prometheus-token-file",
                                                             "--filename",
                                                             "-f"};
  if (std::find(kFiles.begin(), kFiles.end(), flag) != kFiles.end()) return std::nullopt;
  if (flag == "--output" || flag == "-o") {
    Candidates forms = plain({"wide", "json", "yaml", "csv", "name"});
    if (command == kWhyPending.name) forms.push_back({"patch", ""});
    return forms;
  }
  if (flag == "--explain") return code_names();
  if (flag == "--color") return plain({"auto", "always", "never"});
  if (flag == "--metrics") return plain({"auto", "exporter", "prometheus", "custom", "none"});
  if (flag == "--since" || flag == "--idle") return plain({"1h", "6h", "1d", "7d"});
  return Candidates{};
}

Candidates sort_columns(const TopFlags& flags) {
  Candidates candidates;
  const auto view = flags.words.empty() ? View::nodes : view_named(flags.words.front());
  if (!view) return candidates;
  for (const std::string_view word : sort_words(*view))
    candidates.push_back({std::string(word), ""});
  return candidates;
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
bool is_object_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '.';
  });
}

/// A shell waits for us: a cluster that does not answer soon gives nothing.
std::optional<Snapshot> quick_snapshot(GlobalFlags& flags, kube::Needs needs, const Env& env) {
  if (flags.from == "-") return std::nullopt;
  constexpr std::chrono::seconds kPatience{4};  // also with a credential plugin that asks
  kube::be_quick_and_silent(kPatience);
  if (!flags.connection.request_timeout) flags.connection.request_timeout = "2s";
  try {
    return read_snapshot(flags, std::move(needs), env);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The cluster's GPU nodes.
Candidates node_names(TopFlags& flags, const Env& env) {
  Candidates candidates;
  const auto snapshot = quick_snapshot(flags.global, {.pod_lists = kube::PodLists::none}, env);
  if (!snapshot) return candidates;
  for (const Node& node : snapshot->nodes)
    if (is_gpu_node(node) && is_object_name(node.name)) candidates.push_back({node.name, ""});
  return candidates;
}

std::set<std::string> models_in(const Snapshot& snapshot) {
  std::set<std::string> models;
  for (const Pool& pool : pools_of(snapshot))
    if (is_object_name(pool.model)) models.insert(pool.model);
  return models;
}

Candidates model_names(TopFlags& flags, const Env& env) {
  Candidates candidates;
  if (const auto snapshot = quick_snapshot(flags.global, {.pod_lists = kube::PodLists::none}, env))
    for (const std::string& model : models_in(*snapshot)) candidates.push_back({model, ""});
  return candidates;
}

/// Pods that hold GPUs as NAMESPACE/POD, of one namespace as POD; or their namespaces.
Candidates holder_names(TopFlags& flags, View view, const Env& env) {
  const std::string ns = flags.all_namespaces ? "" : flags.global.connection.ns.value_or("");
  const auto snapshot =
      quick_snapshot(flags.global, {.only_namespace = ns, .keep = is_gpu_pod}, env);
  std::set<std::string> names;
  if (!snapshot) return {};
  for (const Pod& pod : snapshot->pods) {
    if (pod.node_name.empty() || !is_object_name(pod.ns) || !is_object_name(pod.name)) continue;
    if (!ns.empty() && pod.ns != ns) continue;
    const std::string name = ns.empty() ? pod.ns + "/" + pod.name : pod.name;
    names.insert(view == View::namespaces ? pod.ns : name);
  }
  Candidates candidates;
  for (const std::string& name : names) candidates.push_back({name, ""});
  return candidates;
}

/// Pods that wait as NAMESPACE/POD, of one namespace as POD.
Candidates waiting_names(WhyPendingFlags& flags, const Env& env) {
  const std::string ns = flags.global.connection.ns.value_or("");
  kube::Needs needs{.only_namespace = ns, .may_lack_nodes = true, .waiting_pods = true};
  needs.keep = [](const Pod& pod) { return pod.node_name.empty() && !is_finished(pod); };
  const auto snapshot = quick_snapshot(flags.global, std::move(needs), env);
  Candidates candidates;
  if (!snapshot) return candidates;
  for (const Pod& pod : snapshot->pods)
    if (is_object_name(pod.ns) && is_object_name(pod.name))
      candidates.push_back({ns.empty() ? pod.ns + "/" + pod.name : pod.name, ""});
  return candidates;
}

/// NODE/INDEX for the devices of a node whose name is typed: live use tells which there are.
Candidates device_names(TopFlags& flags, const std::string& node, const Env& env) {
  Candidates candidates;
  if (!is_object_name(node)) return candidates;
  kube::Needs needs{.node_names = {node}, .keep = is_gpu_pod};
  needs.metrics.choice = kube::MetricsChoice::exporter;
  const auto snapshot = quick_snapshot(flags.global, std::move(needs), env);
  if (!snapshot) return candidates;
  const usage::Inventory inventory(*snapshot, snapshot->taken_at);
  for (const usage::GpuUsage& row : usage::gpu_usage(inventory)) {
    const std::string name = gpu_name(row);
    const std::size_t slash = name.find('/');
    const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("-./:_").find(c) != std::string::npos;
    });
    if (is_plain && name.substr(0, slash) == node) candidates.push_back({name, ""});
  }
  return candidates;
}

Candidates row_names(TopFlags& flags, const std::string& current, const Env& env) {
  const auto view = view_named(flags.words.front());
  if (!view) return {};
  switch (*view) {
    case View::gpus:
      if (const std::size_t slash = current.find('/'); slash != std::string::npos)
        return device_names(flags, current.substr(0, slash), env);
      return node_names(flags, env);
    case View::nodes:
      return node_names(flags, env);
    case View::pods:
    case View::namespaces:
      return holder_names(flags, *view, env);
    case View::models:
      return model_names(flags, env);
  }
  return {};
}

CandidatesOrFiles positionals(std::string_view command, CommandLine& line,
                              const std::string& current, const Env& env) {
  if (command == kCompletion.name) return plain({"bash", "zsh", "fish", "kubectl"});
  if (command == kSnapshot.name && line.snapshot.file.empty()) return std::nullopt;
  if (command == kWhyPending.name && line.pending.words.empty() && line.pending.files.empty())
    return waiting_names(line.pending, env);
  if (command != kTop.name) return Candidates{};
  if (!line.top.words.empty()) return row_names(line.top, current, env);
  Candidates candidates;
  for (const std::string_view view : kViews) candidates.push_back({std::string(view), ""});
  return candidates;
}

bool takes_value(const CLI::App& app, const std::string& word) {
  if (word.size() < 2 || word.front() != '-' || word.find('=') != std::string::npos) return false;
  for (const CLI::Option* option : app.get_options())
    if (option->check_name(word)) return option->get_items_expected_max() > 0;
  return false;
}

/// Reads what stands before the word that is being typed into the flags of `line`.
void read_typed(Words typed, CommandLine& line) {
  const std::size_t at = command_position(typed, line.app);
  if (at >= typed.size()) return;
  typed.erase(typed.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<std::string> clean = normalized(typed, line.app);
  std::reverse(clean.begin(), clean.end());
  line.app.parse(clean);
}

/// What may follow `flag`, after the words in `before`.
CandidatesOrFiles values_after(std::string_view flag, const Words& before, CommandLine& line,
                               const Env& env) {
  if (flag != "--sort-by" && flag != "--node" && flag != "--model")
    return values_of(flag, command_in(before));
  read_typed(before, line);
  if (flag == "--sort-by") return sort_columns(line.top);
  return flag == "--node" ? node_names(line.top, env) : model_names(line.top, env);
}

CandidatesOrFiles candidates_for(Words typed, const std::string& current, const Env& env) {
  const std::string command = command_in(typed);
  CommandLine line;
  add_flags_of(command, line);
  if (!typed.empty() && takes_value(line.app, typed.back())) {
    const std::string flag = typed.back();
    typed.pop_back();
    return values_after(flag, typed, line, env);
  }
  if (const std::size_t equals = current.find('=');
      current.starts_with("-") && equals != std::string::npos)
    return values_after(current.substr(0, equals), typed, line, env);
  if (current.starts_with("-")) return flags_of(line.app);
  read_typed(typed, line);
  return command.empty() ? command_names() : positionals(command, line, current, env);
}

}  // namespace

int run_complete(const Words& words, Env& env) {
  const std::string current = words.empty() ? "" : words.back();
  const Words typed(words.begin(), words.empty() ? words.end() : words.end() - 1);
  CandidatesOrFiles candidates;
  try {
    candidates = candidates_for(typed, current, env);
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

}  // namespace gpu::cmd
