#include "manifest/kinds/torchrun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "manifest/fit/pod.hpp"

namespace gpu::manifest {
namespace {

using Words = std::vector<std::string>;

bool is_python(std::string_view word) { return word.ends_with(".py"); }

/// Flags of torchrun for these ranks.
Words rank_flags(const Ranks& ranks) {
  if (ranks.rendezvous == Rendezvous::of_controller) return {};
  const std::string processes = fmt::format("--nproc-per-node={}", ranks.processes);
  if (ranks.nodes == 1) return {"--standalone", "--nnodes=1", processes};
  // Not c10d: its host matching fails on Kubernetes (meta-pytorch/torchx#541).
  return {fmt::format("--nnodes={}", ranks.nodes), processes, "--node-rank=$(JOB_COMPLETION_INDEX)",
          "--master-addr=" + ranks.master, fmt::format("--master-port={}", kRendezvousPort)};
}

bool is_given(const Words& words, std::string_view flag) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    std::string name = word.substr(0, word.find('='));
    std::replace(name.begin(), name.end(), '_', '-');
    return name == flag;
  });
}

/// The command, with the flags of torchrun that it does not give itself.
Words completed(const Words& command, const Ranks& ranks) {
  Words words = {command.front()};
  for (const std::string& flag : rank_flags(ranks))
    if (!is_given(command, flag.substr(0, flag.find('=')))) words.push_back(flag);
  words.insert(words.end(), command.begin() + 1, command.end());
  return words;
}

Words torchrun(const Ranks& ranks, Words program) {
  Words words = {"torchrun"};
  for (std::string& flag : rank_flags(ranks)) words.push_back(std::move(flag));
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

/// Whether torchrun tells the ranks, by its flags, what others read from the environment.
bool runs_under_torchrun(const GenOptions& options) {
  if (options.script) return is_python(options.script->name);
  if (options.command.empty()) return false;
  return is_python(options.command.front()) || options.command.front() == "torchrun";
}

}  // namespace

Words training_command(const GenRequest& request, const Ranks& ranks) {
  const GenOptions& options = request.options;
  const bool is_one = ranks.nodes == 1 && ranks.processes == 1;
  Words program = options.command;
  if (options.script) program.insert(program.begin(), script_path(request));
  if (program.empty()) {
    if (ranks.nodes > 1 && ranks.rendezvous == Rendezvous::ours)
      throw Error(ErrorKind::usage, "--nodes needs a command that starts the ranks",
                  "give a script: -- train.py --epochs 3, or --script train.py");
    return {};
  }
  if (is_python(program.front())) {
    if (!is_one) return torchrun(ranks, std::move(program));
    program.insert(program.begin(), "python");
    return program;
  }
  if (options.script) {
    program.insert(program.begin(), "bash");
    return program;
  }
  return program.front() == "torchrun" ? completed(program, ranks) : program;
}

std::int64_t nodes_of(const GenOptions& options) { return options.nodes.value_or(1); }

std::int64_t processes_of(const GenOptions& options) {
  return options.is_cpu_only ? 1 : options.gpus.value_or(1);
}

Tree stay_annotations() {
  return Tree::map({{"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"},
                    {"karpenter.sh/do-not-disrupt", "true"}});
}

Tree nccl_env(std::int64_t nodes) {
  Tree env = Tree::list();
  if (nodes == 1) return env;
  return env.push(Tree::map({{"name", "NCCL_DEBUG"}, {"value", "WARN"}}),
                  {"",
                   "NCCL finds its network interface itself: NCCL_SOCKET_IFNAME is not set, since "
                   "a wrong name ends in \"no socket interface found\".",
                   "NVIDIA/nccl#286, marin-community/marin#6940"});
}

Tree training_env(const GenRequest& request, const Ranks& ranks) {
  Tree env = Tree::list({Tree::map({{"name", "PYTHONUNBUFFERED"}, {"value", "1"}})});
  const Tree nccl = nccl_env(ranks.nodes);
  for (const Tree::Item& each : std::get<Tree::List>(nccl.value())) env.push(each.value, each.why);
  if (ranks.nodes == 1 || ranks.rendezvous == Rendezvous::of_controller) return env;
  if (runs_under_torchrun(request.options)) return env;
  for (const auto& [name, value] :
       {std::pair<std::string, std::string>{"MASTER_ADDR", ranks.master},
        {"MASTER_PORT", std::to_string(kRendezvousPort)},
        {"NNODES", std::to_string(ranks.nodes)}})
    env.push(Tree::map({{"name", name}, {"value", value}}));
  return env;
}

void check_rank_name(const std::string& name, std::int64_t nodes) {
  constexpr std::size_t kMostOfLabel = 63;
  const std::string last = fmt::format("{}-{}", name, nodes - 1);
  if (is_digit(name.front()))
    throw Error(ErrorKind::usage,
                fmt::format("`{}` cannot be the name of a Job with --nodes: the Service of its "
                            "ranks has to begin with a letter",
                            name),
                fmt::format("for example `gpu-{}`", name));
  // The Service is called NAME-nodes.
  const std::size_t longest = std::max(last.size(), name.size() + 6);
  if (longest > kMostOfLabel)
    throw Error(
        ErrorKind::usage,
        fmt::format("`{}` is too long for a Job with --nodes: its pods are called {}, and "
                    "its Service {}-nodes, of at most 63 characters",
                    name, last, name),
        fmt::format("for example `{}`", name.substr(0, kMostOfLabel - (longest - name.size()))));
}

}  // namespace gpu::manifest
