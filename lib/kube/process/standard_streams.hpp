#pragma once

namespace gpu::kube {

/// Opens those of standard input, output and error that are closed, before a file gets their
/// numbers: others would then read or write that pipe or socket as a standard stream. Writing to an
/// output that was closed still fails. Call it first of all.
void open_standard_streams();

}  // namespace gpu::kube
