#pragma once

#include <optional>
#include <string_view>

#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "kube/read/needs.hpp"

namespace gpu::cmd {

/// For Tab, behind which somebody waits: what is read of the cluster in a few seconds, without a
/// word; nothing where that fails.
std::optional<Snapshot> quick_snapshot(GlobalFlags flags, kube::Needs needs, const Env& env);

/// A name that the API server accepts; anything else would be read as more than one line, or as a
/// directive.
bool is_object_name(std::string_view name);

}  // namespace gpu::cmd
