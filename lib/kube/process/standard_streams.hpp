#pragma once

namespace gpu::kube {

/// Opens what is closed of standard input, output and error, before anything else gets their
/// numbers: a pipe or a socket of ours would then be read or written by whoever means these. What
/// is written to an output that was closed fails, as it does without us. Call first of all.
void open_standard_streams();

}  // namespace gpu::kube
