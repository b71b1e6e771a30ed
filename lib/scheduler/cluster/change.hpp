#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/objects/pod.hpp"

namespace gpu::scheduler {

/// A taint taken from a node.
struct TaintRemoval {
  std::string node;
  Taint taint;
};

/// What a fix would change. It is applied as an overlay, without a copy of the cluster.
struct Change {
  std::optional<Pod> pod;  ///< replaces the pod that is judged
  std::vector<std::string> uncordoned;
  std::vector<TaintRemoval> untainted;
  std::vector<const Pod*> ended;  ///< pods of the snapshot that are gone
};

}  // namespace gpu::scheduler
