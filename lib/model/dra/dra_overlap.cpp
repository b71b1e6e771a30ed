#include "model/dra/dra_overlap.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "model/gpu/gpu_labels.hpp"

namespace gpu {
namespace {

bool is_held(const Pool& pool) {
  return pool.allocated.value_or(0) > 0 || pool.at_least.value_or(0) > 0;
}

/// Labels promise it, or a plugin that is gone left its capacity. The scheduler asks DRA for a
/// resource of which nothing is allocatable.
bool is_empty(const Pool& pool) { return pool.allocatable == 0 && !is_held(pool); }

/// A driver is there but publishes no device: MIG mode without a partition.
void leave_to_dra(std::vector<Pool>& pools) {
  for (Pool& pool : pools) {
    if (pool.capacity > 0 || !is_empty(pool)) continue;
    pool.reason = Unavailable::managed_by_dra;
    pool.allocated.reset();
    pool.free.reset();
    pool.unavailable.reset();
  }
}

/// What labels know of the cards and the driver does not publish.
void complete_from(const Pool& pool, std::vector<Pool>& rows) {
  for (Pool& row : rows) {
    if (row.kind.vendor != pool.kind.vendor) continue;
    if (row.product.empty()) row.product = pool.product;
    if (row.driver.empty()) row.driver = pool.driver;
    if (row.model.empty() && row.kind.kind == DeviceKind::card) row.model = pool.model;
  }
}

void remove_empty(std::vector<Pool>& plugin, std::vector<Pool>& rows, Vendor vendor) {
  for (const Pool& pool : plugin)
    if (pool.kind.vendor == vendor && is_empty(pool)) complete_from(pool, rows);
  std::erase_if(plugin,
                [&](const Pool& pool) { return pool.kind.vendor == vendor && is_empty(pool); });
}

/// Cards of which each is handed out by `plugin` alone, `dra` alone, or both.
struct Counted {
  std::optional<std::int64_t> by_plugin;  ///< nothing: MIG slices do not tell
  std::int64_t by_dra = 0;
  std::optional<std::int64_t> there_are;  ///< as labelled
};

std::optional<std::int64_t> cards_of_plugin(const std::vector<Pool>& plugin, Vendor vendor) {
  std::int64_t cards = 0;
  for (const Pool& pool : plugin) {
    if (pool.kind.vendor != vendor || pool.is_second_view) continue;
    if (!pool.cards) return std::nullopt;
    cards = capped_sum(cards, *pool.cards);
  }
  return cards;
}

Counted counted(const Node& node, const std::vector<DraDevice>& devices,
                const std::vector<Pool>& plugin, Vendor vendor) {
  Counted result{.by_plugin = cards_of_plugin(plugin, vendor)};
  std::set<std::pair<std::string_view, std::string_view>> cards;
  for (const DraDevice& device : devices)
    if (device.kind.vendor == vendor) cards.insert({device.id.driver, device.card});
  result.by_dra = static_cast<std::int64_t>(cards.size());
  // In MIG single strategy the label counts slices.
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  if (labels && labels->vendor == vendor && labels->single_mig_profile.empty())
    result.there_are = labels->count;
  return result;
}

/// Cards that both hand out. Without a label that counts them, a plugin is taken to have all cards
/// of its node, which it has unless told otherwise.
std::int64_t handed_out_twice(const Counted& cards) {
  const std::int64_t most = std::min(cards.by_plugin.value_or(cards.by_dra), cards.by_dra);
  if (!cards.there_are || !cards.by_plugin) return most;
  const std::int64_t beyond =
      capped_sum(capped_sum(*cards.by_plugin, cards.by_dra), -*cards.there_are);
  return std::clamp<std::int64_t>(beyond, 0, most);
}

std::string names_of(const std::vector<Pool>& pools, Vendor vendor) {
  std::string names;
  for (const Pool& pool : pools)
    if (pool.kind.vendor == vendor) names.append(names.empty() ? "" : ", ").append(pool.resource);
  return names;
}

Gap warning(const Node& node, std::int64_t cards, const std::string& plugin,
            const std::string& dra) {
  return {
      .what = "node " + node.name + " hands out the same " +
              (cards == 1 ? std::string("card") : std::to_string(cards) + " cards") +
              " twice: by a device plugin and by DRA",
      .why = plugin + " and " + dra + " count the same cards; neither knows what the other gave",
      .help = "keep the device plugin or the DRA driver off this node"};
}

}  // namespace

std::optional<Gap> settle(const Node& node, const std::vector<DraDevice>& devices,
                          std::vector<Pool>& plugin, std::vector<Pool>& rows) {
  if (rows.empty()) {
    if (devices.empty()) leave_to_dra(plugin);
    return std::nullopt;
  }
  std::set<Vendor> vendors;
  for (const Pool& row : rows) vendors.insert(row.kind.vendor);
  std::optional<Gap> gap;
  for (const Vendor vendor : vendors) {
    remove_empty(plugin, rows, vendor);
    const auto is_of_vendor = [&](const Pool& pool) { return pool.kind.vendor == vendor; };
    if (std::none_of(plugin.begin(), plugin.end(), is_of_vendor)) continue;
    const Counted cards = counted(node, devices, plugin, vendor);
    const std::int64_t twice = handed_out_twice(cards);
    if (twice == 0) continue;
    // The one that has all of the cards, or the plugin, is the one to count.
    std::vector<Pool>& second =
        cards.by_plugin.value_or(cards.by_dra) < cards.by_dra ? plugin : rows;
    for (Pool& pool : second)
      if (is_of_vendor(pool)) pool.is_second_view = true;
    gap = warning(node, twice, names_of(plugin, vendor), names_of(rows, vendor));
  }
  return gap;
}

}  // namespace gpu
