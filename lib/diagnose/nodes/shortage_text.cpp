#include "diagnose/nodes/shortage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/objects/quantity_text.hpp"

namespace gpu::diagnose {
namespace {

/// An amount short enough to read: bytes with one digit behind the point, never more than there is.
std::string readable(std::string_view resource, std::int64_t amount) {
  const bool is_bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  if (!is_bytes || amount < 1024) return amount_text(resource, amount);
  static constexpr std::array<std::string_view, 5> kUnits = {"Ki", "Mi", "Gi", "Ti", "Pi"};
  std::size_t unit = 0;
  std::int64_t size = 1024;
  for (; amount / size >= 1024 && unit + 1 < kUnits.size(); ++unit) size *= 1024;
  const std::int64_t tenths = amount / size * 10 + amount % size * 10 / size;
  return tenths % 10 == 0 ? fmt::format("{}{}", tenths / 10, kUnits[unit])
                          : fmt::format("{}.{}{}", tenths / 10, tenths % 10, kUnits[unit]);
}

std::string pods_text(std::int64_t pods) {
  return fmt::format("{} {}", pods, pods == 1 ? "pod" : "pods");
}

/// Of which resource a node is short.
struct Shortage {
  std::string resource;
  std::int64_t free = 0;
  std::int64_t allocatable = 0;
  std::int64_t asked = 0;
};

std::string_view name_of(const NodeReasons& reasons, const scheduler::NodeVerdict& node,
                         BlockerKind kind) {
  const std::string_view fixed = fixed_resource(kind);
  return kind == BlockerKind::few_resources ? reasons.resource_of(node, kind) : fixed;
}

std::optional<Shortage> shortage_of(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                                    const scheduler::NodeVerdict& node, BlockerKind kind) {
  const std::string_view name = name_of(reasons, node, kind);
  const auto resource = name.empty() ? std::nullopt : cluster.resource(name);
  if (!resource) return std::nullopt;
  Shortage shortage{.resource = std::string(name),
                    .free = reasons.free_of(node.node, *resource),
                    .allocatable = cluster.nodes()[node.node].allocatable[*resource]};
  for (const scheduler::Amount& asked : reasons.requests())
    if (asked.resource == *resource) shortage.asked = asked.value;
  return shortage;
}

}  // namespace

std::string text_of(const Lack& lack) {
  return (lack.verb == Lack::Verb::has ? "has " : "runs ") + lack.what;
}

std::optional<Lack> lack_of(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                            const scheduler::NodeVerdict& node, BlockerKind kind) {
  if (kind == BlockerKind::too_many_pods)
    return Lack{Lack::Verb::runs, fmt::format("{} already, the most that it may",
                                              pods_text(cluster.nodes()[node.node].allowed_pods))};
  const auto shortage = shortage_of(cluster, reasons, node, kind);
  if (!shortage) return std::nullopt;
  const std::string& resource = shortage->resource;
  if (shortage->allocatable == 0) return Lack{Lack::Verb::has, "no " + resource};
  if (shortage->asked > shortage->allocatable)
    return Lack{Lack::Verb::has,
                fmt::format("no more than {} of the {} {} that the pod requests, even when empty",
                            readable(resource, shortage->allocatable),
                            readable(resource, shortage->asked), resource)};
  if (shortage->free == 0) return Lack{Lack::Verb::has, fmt::format("no {} left", resource)};
  return Lack{Lack::Verb::has, fmt::format("only {} of the {} {} that the pod requests",
                                           readable(resource, shortage->free),
                                           readable(resource, shortage->asked), resource)};
}

std::string shortage_detail(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                            const scheduler::NodeVerdict& node, BlockerKind kind) {
  if (kind == BlockerKind::too_many_pods) return pods_text(cluster.nodes()[node.node].allowed_pods);
  const auto shortage = shortage_of(cluster, reasons, node, kind);
  if (!shortage) return {};
  return fmt::format("{} of {} {} free", readable(shortage->resource, shortage->free),
                     readable(shortage->resource, shortage->allocatable), shortage->resource);
}

}  // namespace gpu::diagnose
