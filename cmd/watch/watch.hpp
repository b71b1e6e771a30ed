#pragma once

#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/watch/watched_view.hpp"

namespace gpu::cmd {

/// Throws Error{usage} for flags that -w does not go with.
void check_watch_flags(const GlobalFlags& flags);

/// Shows the first view until somebody ends it, and again whenever it changes: on a terminal the
/// whole screen, else the rows that are new or changed, or with -o json a document a line. The exit
/// code.
int watch(const WatchedViews& views, const GlobalFlags& flags, Env& env);

}  // namespace gpu::cmd
