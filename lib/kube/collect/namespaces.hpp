#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/read/list_batch.hpp"

namespace gpu::kube {

/// The names in a list of namespaces, and the status of the reply.
struct NamespaceList {
  std::vector<std::string> names;
  Reply reply;
};

/// Read by an empty batch that requests JSON.
NamespaceList list_namespaces(ListBatch batch);

/// The names of all namespaces, read in the same way; nothing when they may not be listed.
std::optional<std::vector<std::string>> namespaces_by(ListBatch batch);

/// How many names of namespaces a sentence has at most.
inline constexpr std::size_t kMostNamed = 3;

/// Whether these can be all namespaces of a cluster: each has kube-system and default, which cannot
/// be deleted. A proxy that shows users only their own namespaces leaves these two out.
bool may_be_all(const std::vector<std::string>& namespaces);

/// The reason of a Gap about pods if the list of namespaces is incomplete.
inline constexpr std::string_view kFilteredNamespaces =
    "the list of namespaces lacks kube-system or default, which every cluster has: only a part of "
    "it is shown to you";

/// Help for it.
inline constexpr std::string_view kReadAllPods =
    "read as someone who may list the pods of all namespaces\nkubectl auth can-i list pods -A";

}  // namespace gpu::kube
