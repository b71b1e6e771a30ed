#include "telemetry/history/told_labels.hpp"

namespace gpu::telemetry {

std::string_view told(const Series& one, std::string_view label) {
  const std::string_view moved = value_of(one.labels, std::string("exported_").append(label));
  return moved.empty() ? value_of(one.labels, label) : moved;
}

bool is_renamed(const Series& one) { return one.labels.contains("exported_pod"); }

std::string_view told_node(const Series& one) {
  // A pod that is not bound has no node: none is moved away then, and the scraped one's stays.
  const std::string_view moved = value_of(one.labels, "exported_node");
  return moved.empty() && !is_renamed(one) ? value_of(one.labels, "node") : moved;
}

std::string_view told_or_none(const Series& one, std::string_view label) {
  const std::string_view value = told(one, label);
  return value == "<none>" ? std::string_view() : value;
}

}  // namespace gpu::telemetry
