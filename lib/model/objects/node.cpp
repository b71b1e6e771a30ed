#include "model/objects/node.hpp"

#include <algorithm>

namespace gpu {

const Condition* condition_of(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& each) { return each.type == type; });
  return found == conditions.end() ? nullptr : &*found;
}

bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* const condition = condition_of(conditions, type);
  return condition != nullptr && condition->status == "True";
}

bool is_ready(const Node& node) { return is_true(node.conditions, "Ready"); }

}  // namespace gpu
