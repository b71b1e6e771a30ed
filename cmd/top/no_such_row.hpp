#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cmd {

/// The error for a guessed node that does not exist: which view shows a pod, namespace or model of
/// that name, or the nearest view or node.
Error no_such_row(const std::string& name, const Snapshot& snapshot, std::string_view program);

}  // namespace gpu::cmd
