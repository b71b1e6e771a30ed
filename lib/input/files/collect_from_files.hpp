#pragma once

#include <string>

#include "kube/read/needs.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::input {

/// Reads `path` in place of a cluster: a `kubectl get -o json` List, a single list or object, or a
/// folder of such files (*.json) and of exporters' texts (NODE.prom, NODE--EXPORTER POD.prom; .gz
/// too). Throws Error{usage} or Error{data} with the file's name and the place.
Snapshot collect_from_files(const std::string& path, const kube::Needs& needs);

}  // namespace gpu::input
