#include "scheduler/cluster/node_labels.hpp"

#include <unordered_map>

namespace gpu::scheduler {
namespace {

LabelColumn column_of(const Cluster& cluster, std::string_view key) {
  LabelColumn column{.values = {{}}};
  column.value_of.reserve(cluster.nodes().size());
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (const NodeState& state : cluster.nodes()) {
    const std::string* const value = state.node->labels.find(key);
    std::uint32_t number = 0;
    if (value != nullptr) {
      number = numbers.try_emplace(*value, column.values.size()).first->second;
      if (number == column.values.size()) column.values.emplace_back(*value);
    }
    column.value_of.push_back(number);
  }
  return column;
}

}  // namespace

const LabelColumn& NodeLabels::column(std::string_view key) const {
  if (const auto known = columns_.find(key); known != columns_.end()) return known->second;
  return columns_.emplace(key, column_of(cluster_, key)).first->second;
}

}  // namespace gpu::scheduler
