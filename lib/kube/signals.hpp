#pragma once

namespace gpu::kube {

/// True once SIGINT or SIGTERM came after install_signal_handlers().
bool interrupted();

/// Throws Error{interrupted} when interrupted().
void throw_if_interrupted();

/// A descriptor that becomes readable when a signal comes, for poll(); -1 without handlers. Never
/// read from it: it stays readable.
int interrupt_descriptor();

}  // namespace gpu::kube
