#pragma once

#include <functional>

#include "cmd/watch/watched_view.hpp"
#include "kube/watch/watch.hpp"

namespace gpu::cmd {

/// Shows a view on the whole terminal until q is pressed, and others by their numbers. `feed` is
/// complete; while the terminal is ours, `before_plugin` gives it back.
void watch_on_screen(kube::Watch& feed, const WatchedViews& views, const GlobalFlags& flags,
                     Env& env, std::function<void()>& before_plugin);

}  // namespace gpu::cmd
