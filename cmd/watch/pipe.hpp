#pragma once

#include "cmd/watch/watched_view.hpp"
#include "kube/watch/watch.hpp"

namespace gpu::cmd {

/// Prints the view, then what changes, until the reader is gone. `feed` is complete.
void watch_in_pipe(kube::Watch& feed, const WatchedView& view, const GlobalFlags& flags, Env& env);

}  // namespace gpu::cmd
