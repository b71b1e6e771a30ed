#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/shell/flags.hpp"
#include "manifest/fit/options.hpp"
#include "manifest/kinds/kind.hpp"

namespace gpu::cmd {

/// The flags of `gen`, as typed.
struct GenFlags {
  GlobalFlags global;
  std::vector<std::string> words;    ///< the kind, and the name
  std::vector<std::string> command;  ///< what stands after `--`
  std::vector<std::string> labels, annotations, env, secrets, models, node_selector, tolerations,
      volumes, sets, selector;
  std::optional<std::string> image, script, gpus, nodes, mig, cpu, memory, shm, queue, priority,
      runtime_class, service_account, deadline, retries, ttl, data, results, model, preset,
      replicas, min_replicas, max_replicas, storage, storage_class, hf_secret, runtime, ray_version,
      priority_value, preemption, access_mode, max_unavailable, min_available, node_class, release,
      idle_after, hot;
  bool is_shared = false;
  bool is_cpu_only = false;
  bool uses_dra = false;
  bool uses_spot = false;
  bool is_claimed_once = false;
  bool explain = false;
  bool is_offline = false;
  bool no_check = false;
};

void add_gen_flags(FlagSet& flags, GenFlags& to);

/// What a flag says is taken by kinds with this option alone; nothing: by all.
std::optional<manifest::Option> option_of(std::string_view flag);

/// Refuses a flag that was given and that the kind does not take. Throws Error{usage} that names
/// the kinds that do.
void check_flags_of_kind(const FlagSet& flags, const manifest::GenKind& kind);

/// The words made types. Throws Error{usage} for a value that is none. Reads --script.
manifest::GenOptions options_of(const GenFlags& flags);

/// The command as a person would type it again: without what only says where and how to look.
std::string command_line(const FlagSet& flags, const GenFlags& typed, std::string_view program);

}  // namespace gpu::cmd
