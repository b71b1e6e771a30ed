#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cmd/shell/flags.hpp"
#include "cmd/shell/metrics_flags.hpp"

namespace gpu::cmd {

/// The flags of `snapshot`, as typed.
struct SnapshotFlags {
  GlobalFlags global;
  MetricsFlags metrics;
  std::string file;
  bool redact = false;
};

/// All flags and the word of `snapshot`, bound to `flags`.
void add_snapshot_flags(CLI::App& app, SnapshotFlags& flags);

}  // namespace gpu::cmd
