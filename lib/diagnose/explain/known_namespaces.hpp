#pragma once

#include <string>
#include <string_view>

#include "model/snapshot/snapshot.hpp"

namespace gpu::diagnose {

/// Where a snapshot is from: what is not in files does not exist, a cluster may hide it.
enum class Origin { cluster, files };

/// Throws Error{usage} with the nearest name for a namespace that does not exist, as far as it is
/// known which do: files without Namespaces have those that their objects are in. `noun` is what
/// the error calls it.
void check_namespace(const std::string& ns, const Snapshot& snapshot, Origin origin,
                     std::string_view noun = "namespace");

}  // namespace gpu::diagnose
