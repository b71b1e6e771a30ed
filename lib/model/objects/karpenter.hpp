#pragma once

#include <string>
#include <vector>

#include "base/flat_map.hpp"
#include "model/objects/node.hpp"
#include "model/objects/selector.hpp"

namespace gpu {

/// What we keep of a karpenter.sh NodePool: which nodes Karpenter may create for it.
struct KarpenterNodePool {
  std::string name;
  std::string class_group;  ///< of its nodeClassRef: "karpenter.k8s.aws"; of v1beta1 often empty
  StringMap labels;         ///< of its nodes
  std::vector<Requirement> requirements;  ///< on labels of its nodes
  std::vector<Taint> taints;
  friend bool operator==(const KarpenterNodePool&, const KarpenterNodePool&) = default;
};

}  // namespace gpu
