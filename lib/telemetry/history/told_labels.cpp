#include "telemetry/history/told_labels.hpp"

#include <chrono>
#include <cstdint>

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

std::optional<Time> told_time(const Series& one) {
  constexpr double kLatest = 253402300800.0;  // the year 10000
  if (!(one.value > 0) || one.value >= kLatest) return std::nullopt;
  return Time{std::chrono::seconds(static_cast<std::int64_t>(one.value))};
}

}  // namespace gpu::telemetry
