#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpu::kube {

/// What has to be asked about for a kind to be read.
enum class Reason {
  always,
  volumes,  ///< a waiting pod has volumes that matter for its place
  claims,   ///< a waiting pod has claims for devices
  events,   ///< of the namespaces of waiting pods
  leases,   ///< of kube-system
  planned,  ///< it is asked about pods that are not made yet
};

enum class Scope { cluster, namespaced };

/// A kind that only why-pending reads; `versions` are tried in turn, separated by blanks.
struct FactKind {
  std::string_view kind;
  std::string_view group;  ///< empty: core
  std::string_view versions;
  std::string_view plural;
  Scope scope;
  Reason reason;
};

std::span<const FactKind> fact_kinds();

/// Null for a kind that is none of them.
const FactKind* fact_kind(std::string_view kind, std::string_view api_version);

/// "persistentvolumes", "storageclasses.storage.k8s.io".
std::string resource_of(const FactKind& kind);

}  // namespace gpu::kube
