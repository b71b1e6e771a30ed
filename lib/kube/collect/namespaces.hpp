#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <cstddef>
#include "kube/read/list_batch.hpp"

namespace gpu::kube {

/// The names of all namespaces, read by an empty batch that asks for JSON; nothing when they may
/// not be listed.
std::optional<std::vector<std::string>> namespaces_by(ListBatch batch);

/// How many names of namespaces a sentence has room for.
inline constexpr std::size_t kMostNamed = 3;

}  // namespace gpu::kube
