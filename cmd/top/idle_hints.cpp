#include "cmd/top/idle_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using usage::NodeUsage;
using usage::Unit;

/// Idle units of one node, all of one kind.
struct IdleNode {
  std::string node;
  std::int64_t units = 0;
};

std::string_view word_for(usage::Unit unit, std::int64_t amount) {
  if (unit == usage::Unit::mig) return amount == 1 ? "MIG slice" : "MIG slices";
  return amount == 1 ? "GPU" : "GPUs";
}

/// The nodes whose units of `unit` are held and idle, most first.
std::vector<IdleNode> idle_nodes(const TopAnswer& answer, usage::Unit unit) {
  std::map<std::string, std::int64_t> sums;
  for (const usage::NodeUsage& row : answer.nodes) {
    const auto idle = answer.idle_units.find(pool_key(row.pool));
    const bool counts = usage::unit_of(row.pool) == unit && !row.pool.is_second_view;
    if (counts && idle != answer.idle_units.end()) sums[row.pool.node] += idle->second;
  }
  std::vector<IdleNode> nodes;
  for (const auto& [node, units] : sums) nodes.push_back({node, units});
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const IdleNode& a, const IdleNode& b) { return a.units > b.units; });
  return nodes;
}

}  // namespace

void find_idle_units(TopAnswer& answer) {
  if (answer.question.reader != Reader::people || answer.inventory.live.empty()) return;
  for (const usage::GpuUsage& row : usage::gpu_usage(answer.inventory)) {
    const bool is_idle = usage::is_idle(row.use) == true;
    if (row.state == usage::DeviceState::held && is_idle)
      answer.idle_units[pool_key(*row.pool)] += row.units;
  }
}

void add_idle_hints(report::Report& report, const TopAnswer& answer) {
  for (const usage::Unit unit : {usage::Unit::gpu, usage::Unit::mig}) {
    const std::vector<IdleNode> nodes = idle_nodes(answer, unit);
    if (nodes.empty()) continue;
    const IdleNode& most = nodes.front();
    const std::string_view verb = most.units == 1 ? "is" : "are";
    report.hints.insert(report.hints.begin(),
                        {fmt::format("{} allocated {} on {} {} idle now", most.units,
                                     word_for(unit, most.units), most.node, verb),
                         "kubectl gpu top pods --node " + shell_quoted(most.node)});
    if (nodes.size() == 1) return;
    std::int64_t others = 0;
    for (const IdleNode& node : nodes) others += node.units;
    others -= most.units;
    report.hints.push_back(
        {fmt::format("{} more {} idle on {} other node{}", others, others == 1 ? "is" : "are",
                     nodes.size() - 1, nodes.size() == 2 ? "" : "s"),
         "kubectl gpu top pods --sort-by idle"});
    return;
  }
}

}  // namespace gpu::cmd
