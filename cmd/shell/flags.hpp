#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/terminal.hpp"
#include "base/time.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/shell/flag_set.hpp"
#include "kube/config/connection.hpp"
#include "kube/http/client.hpp"
#include "kube/read/needs.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// Flags that every command has: whom to ask, and how to show the answer.
struct GlobalFlags {
  kube::ConnectionFlags connection;
  int verbosity = 0;

  std::string output;  ///< as typed; format_of() reads it
  std::string color = "auto";
  bool no_color = false;
  bool no_headers = false;
  bool ascii = false;
  bool plain = false;
  std::string terminal;  ///< behave as on a terminal of this size; "auto": of a likely one
  std::string now;       ///< hidden: RFC 3339; what ages are counted to

  std::optional<std::string> from;
  std::string wire = "protobuf";        ///< hidden
  std::string pod_lists = "automatic";  ///< hidden
};

/// kubectl's connection flags, and -v.
void add_connection_flags(FlagSet& flags, GlobalFlags& global);
/// The same for a command that reads no cluster: it accepts them, and help does not name them.
void add_unused_connection_flags(FlagSet& flags, GlobalFlags& global);
/// What a terminal is taken to show, and --from.
void add_screen_flags(FlagSet& flags, GlobalFlags& to);

/// What stdout and stderr can show.
report::Style out_style(const GlobalFlags& flags, const Env& env);
report::Style err_style(const GlobalFlags& flags, const Env& env);

/// What ages are counted to: --now, else the clock; with --from, when the file was made (a
/// folder says it in a file named `now`), and nothing where it does not say. Throws Error{usage}
/// for a --now that is no time.
std::optional<Time> clock_of(const GlobalFlags& flags, const std::optional<Time>& taken_at,
                             const Env& env);

/// The hidden --wire and --pod-lists. Throws Error{usage}.
void apply_reading_flags(const GlobalFlags& flags, kube::Needs& needs);

class Progress;

/// Who we say we are, and -v; what the client says goes past the line of `progress`.
kube::ClientOptions client_options(const GlobalFlags& flags, Progress& progress);

/// What a person calls the cluster: the context, or the server where there is none.
std::string place_of(const kube::Connection& connection);

/// The cluster at this moment: from the API server, or from --from.
Snapshot read_snapshot(const GlobalFlags& flags, kube::Needs needs, const Env& env);

}  // namespace gpu::cmd
