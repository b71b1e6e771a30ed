#include "model/objects/node.hpp"

#include <algorithm>

namespace gpu {

bool is_ready(const Node& node) {
  return std::any_of(node.conditions.begin(), node.conditions.end(),
                     [](const Condition& it) { return it.type == "Ready" && it.status == "True"; });
}

}  // namespace gpu
