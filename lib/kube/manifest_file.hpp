#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/pod.hpp"

namespace gpu::kube {

/// A pod that a manifest would make, once or several times.
struct PlannedPod {
  Pod pod;
  std::int64_t count = 1;
  std::string file;  ///< as it is to be called
};

/// What manifests would make.
struct PlannedPods {
  std::vector<PlannedPod> pods;
  std::vector<std::string> unknown;  ///< "trainjob/x": of what their pods are made is not said
};

/// Adds what the file at `path` would make, read as decode::read_manifest() does; `-` is standard
/// input, and of a folder all its files *.yaml, *.yml and *.json, as kubectl takes them. `ns` is
/// where an object without a namespace goes. Throws Error{usage} for what cannot be read.
void add_manifests(PlannedPods& planned, const std::string& path, const std::string& ns);

}  // namespace gpu::kube
