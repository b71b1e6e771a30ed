#pragma once

#include <optional>
#include <string>

#include "cmd/gen/sight.hpp"
#include "cmd/shell/env.hpp"
#include "manifest/fit/request.hpp"

namespace gpu::cmd {

/// What the pods of `manifest` cost an hour, and what bounds that, by the nodes that were seen;
/// nothing where it requests no GPU, or where no price is known.
std::optional<manifest::GenNote> price_note(const GenSight& sight, const std::string& manifest,
                                            const Env& env);

}  // namespace gpu::cmd
