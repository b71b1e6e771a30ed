#include "cmd/top/use_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "base/time.hpp"

namespace gpu::cmd {
namespace {

using std::chrono::seconds;

/// The ages of all that is measured and not taken for stale.
std::vector<seconds> ages_in(const usage::Inventory& inventory) {
  std::vector<seconds> ages;
  std::string_view node;
  for (const Pool& pool : inventory.pools) {
    if (pool.node == node) continue;  // pools of a node stand together
    node = pool.node;
    for (const usage::DeviceUse& device : inventory.live.devices_on(node))
      if (device.age && !device.is_stale) ages.push_back(*device.age);
  }
  return ages;
}

void judge_ages(TopAnswer& answer) {
  const std::vector<seconds> ages = ages_in(answer.inventory);
  if (ages.empty()) return;
  const auto [youngest, oldest] = std::minmax_element(ages.begin(), ages.end());
  if (*oldest <= kFreshFor) return;
  answer.ages = *youngest > kFreshFor ? Ages::all_old : Ages::some_old;
  if (answer.ages == Ages::all_old)
    answer.gaps.push_back(
        {.what = fmt::format("live use is {} old", human_duration(*youngest)),
         .why = "nothing newer was told: UTIL, MEMORY, TEMP and POWER are of that time",
         .help = ""});
}

/// Nodes that tell nothing while others do, where no gap says why.
void judge_silence(TopAnswer& answer) {
  const usage::Inventory& inventory = answer.inventory;
  if (inventory.snapshot.use_coverage != Coverage::partial) return;
  std::set<std::string, std::less<>> silent;
  for (const Pool& pool : inventory.pools)
    if (inventory.live.devices_on(pool.node).empty()) silent.insert(pool.node);
  for (const Gap& gap : answer.gaps) {
    if (!gap.what.starts_with("no metrics from ")) continue;
    if (gap.nodes.empty()) return;  // it does not say of which nodes
    for (const std::string& node : gap.nodes) silent.erase(node);
  }
  if (silent.empty()) return;
  const std::string& first = *silent.begin();
  std::string whose = first;
  if (silent.size() > 1) whose += fmt::format(" and {} more nodes", silent.size() - 1);
  answer.gaps.push_back(
      {.what = "no metrics from " + whose,
       .why = "no exporter on it told of a GPU, or what it told was not read",
       .help = "kubectl get pods -A --field-selector=spec.nodeName=" + shell_quoted(first),
       .nodes = {silent.begin(), silent.end()}});
}

}  // namespace

void judge_use(TopAnswer& answer) {
  for (const Gap& gap : answer.inventory.live.gaps())
    if (std::find(answer.gaps.begin(), answer.gaps.end(), gap) == answer.gaps.end())
      answer.gaps.push_back(gap);
  judge_silence(answer);
  judge_ages(answer);
  const bool has_window = answer.inventory.snapshot.sample_window.has_value();
  if (has_window || answer.question.metrics.since) answer.window = Window::some;
}

void find_idle_units(TopAnswer& answer) {
  if (answer.question.reader != Reader::people || answer.inventory.live.empty()) return;
  for (const usage::GpuUsage& row : usage::gpu_usage(answer.inventory)) {
    const bool is_idle = usage::is_idle(row.use) == true;
    if (row.state == usage::DeviceState::held && is_idle)
      answer.idle_units[pool_key(*row.pool)] += row.units;
  }
}

}  // namespace gpu::cmd
