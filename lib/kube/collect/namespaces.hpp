#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kube/read/list_batch.hpp"

namespace gpu::kube {

/// The names of all namespaces, read by an empty batch that asks for JSON; nothing when they may
/// not be listed.
std::optional<std::vector<std::string>> namespaces_by(ListBatch batch);

/// "ml, research, web, ...": at most three of them.
std::string some_of(const std::vector<std::string>& names);

}  // namespace gpu::kube
