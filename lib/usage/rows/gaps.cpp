#include "usage/rows/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

namespace gpu::usage {
namespace {

using std::chrono::seconds;

constexpr std::string_view kNoSamples = "no samples of all their GPUs cover that time";

std::vector<seconds> measured_ages(const Inventory& inventory) {
  std::vector<seconds> ages;
  std::string_view node;
  for (const Pool& pool : inventory.pools) {
    if (pool.node == node) continue;  // pools of a node stand together
    node = pool.node;
    for (const DeviceUse& device : inventory.live.devices_on(node))
      if (device.age && !device.is_stale) ages.push_back(*device.age);
  }
  return ages;
}

void add_once(std::vector<Gap>& gaps, const std::vector<Gap>& more) {
  for (const Gap& gap : more)
    if (std::find(gaps.begin(), gaps.end(), gap) == gaps.end()) gaps.push_back(gap);
}

/// Nodes without live use of which no gap says why; none where one does not say of which it is.
std::set<std::string, std::less<>> silent_nodes(const Inventory& inventory,
                                                const std::vector<Gap>& known) {
  std::set<std::string, std::less<>> silent;
  for (const Pool& pool : inventory.pools)
    if (inventory.live.devices_on(pool.node).empty()) silent.insert(pool.node);
  for (const Gap& gap : known) {
    if (gap.missing != Missing::metrics) continue;
    if (gap.nodes.empty()) return {};
    for (const std::string& node : gap.nodes) silent.erase(node);
  }
  return silent;
}

/// Nodes that report no live use while others do.
std::optional<Gap> gap_of_silence(const Inventory& inventory, const std::vector<Gap>& known) {
  if (inventory.snapshot.use_coverage != Coverage::partial) return std::nullopt;
  const auto silent = silent_nodes(inventory, known);
  if (silent.empty()) return std::nullopt;
  const std::string& first = *silent.begin();
  std::string whose = first;
  if (silent.size() > 1) whose += fmt::format(" and {} more nodes", silent.size() - 1);
  return Gap{.what = "no metrics from " + whose,
             .why = "no exporter on it reported a GPU, or what it reported was not read",
             .help = "kubectl get pods -A --field-selector=spec.nodeName=" + shell_quoted(first),
             .missing = Missing::metrics,
             .help_form = HelpForm::command,
             .nodes = {silent.begin(), silent.end()}};
}

std::optional<Gap> gap_of_age(const Inventory& inventory) {
  if (ages_of(inventory) != Ages::all_old) return std::nullopt;
  const std::vector<seconds> ages = measured_ages(inventory);
  const seconds youngest = *std::min_element(ages.begin(), ages.end());
  return Gap{.what = fmt::format("live use is {} old", human_duration(youngest)),
             .why = "nothing newer was reported: UTIL, MEMORY, TEMP and POWER are of that time",
             .help = ""};
}

/// Devices of DRA are found by their nodes.
std::vector<Gap> gaps_of_claims(const std::vector<Pod>& pods) {
  const bool has_claims = std::any_of(pods.begin(), pods.end(), [](const Pod& pod) {
    const bool names_claims = pod.claim_references > 0 || !pod.extended_claim.empty();
    return names_claims && !pod.node_name.empty();
  });
  if (!has_claims) return {};
  return {{.what = "which GPUs pods hold by ResourceClaims is unknown",
           .why = "devices are counted by their nodes, which were not read",
           .help = ""}};
}

}  // namespace

Ages ages_of(const Inventory& inventory) {
  const std::vector<seconds> ages = measured_ages(inventory);
  if (ages.empty()) return Ages::fresh;
  const auto [youngest, oldest] = std::minmax_element(ages.begin(), ages.end());
  if (*oldest <= kFreshFor) return Ages::fresh;
  return *youngest > kFreshFor ? Ages::all_old : Ages::some_old;
}

std::vector<Gap> gaps_of(const Inventory& inventory) {
  std::vector<Gap> gaps;
  add_once(gaps, inventory.snapshot.gaps);
  add_once(gaps, inventory.dra.gaps());
  add_once(gaps, inventory.live.gaps());
  if (auto silence = gap_of_silence(inventory, gaps)) gaps.push_back(std::move(*silence));
  if (auto age = gap_of_age(inventory)) gaps.push_back(std::move(*age));
  return gaps;
}

std::vector<Gap> gaps_of_values(const Inventory& inventory) {
  std::vector<Gap> gaps = gaps_of(inventory);
  add_once(gaps, inventory.silent_values);
  return gaps;
}

std::vector<Gap> gaps_of_nodes(const Inventory& inventory, const std::vector<std::string>& asked) {
  if (inventory.snapshot.node_coverage == Coverage::none)
    return gaps_of_claims(inventory.snapshot.pods);
  std::vector<Gap> gaps;
  if (inventory.pools.empty()) return gaps;  // then no node has one, which is said as such
  for (const std::string& name : asked) {
    const bool has_pool = std::any_of(inventory.pools.begin(), inventory.pools.end(),
                                      [&](const Pool& pool) { return pool.node == name; });
    if (!has_pool)
      gaps.push_back({.what = fmt::format("node {} has no GPU", name),
                      .why = "it advertises no GPU resource and no label promises one",
                      .help = ""});
  }
  return gaps;
}

void drop_gaps_of_others(std::vector<Gap>& gaps, const Inventory& inventory,
                         const std::set<std::string_view>& shown) {
  if (inventory.snapshot.node_coverage == Coverage::none) return;
  std::erase_if(gaps, [&](const Gap& gap) {
    return !gap.nodes.empty() &&
           std::none_of(gap.nodes.begin(), gap.nodes.end(),
                        [&](const std::string& node) { return shown.contains(node); });
  });
}

Gap take_idle_gap(std::vector<Gap>& gaps, seconds wanted) {
  Gap idle{.what = fmt::format("which pods are idle for {} is not known", typed_duration(wanted)),
           .why = std::string(kNoSamples),
           .help = ""};
  if (const Gap* const window = gap_of(gaps, Missing::window)) {
    idle.why = window->why;
    idle.help = window->help;
    gaps.clear();
  }
  return idle;
}

Gap gap_of_some_idle(std::int64_t pods, seconds wanted) {
  return {.what = fmt::format("whether {} {} idle for {} is not known", pods,
                              pods == 1 ? "pod is" : "pods are", typed_duration(wanted)),
          .why = std::string(kNoSamples),
          .help = ""};
}

}  // namespace gpu::usage
