#pragma once

#include <chrono>

namespace gpu::kube {

/// True once SIGINT or SIGTERM came after install_signal_handlers().
bool interrupted();

/// Throws Error{interrupted} when interrupted().
void throw_if_interrupted();

/// For a shell that waits while someone types: nothing more reaches stderr, of programs that we run
/// neither, and after `limit` the process ends.
void be_quick_and_silent(std::chrono::seconds limit);

/// A descriptor that becomes readable when a signal comes, for poll(); -1 without handlers. Never
/// read from it: it stays readable.
int interrupt_descriptor();

}  // namespace gpu::kube
