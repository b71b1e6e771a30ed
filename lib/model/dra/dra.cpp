#include "model/dra/dra.hpp"

#include <algorithm>
#include <utility>

#include "model/dra/dra_gaps.hpp"
#include "model/dra/dra_overlap.hpp"
#include "model/dra/dra_rows.hpp"
#include "model/dra/dra_silence.hpp"
#include "model/dra/dra_unit.hpp"
#include "model/pools/expected_units.hpp"
#include "model/pools/node_pools.hpp"

namespace gpu {
namespace {

std::map<std::string_view, Unavailable> node_reasons(const Snapshot& snapshot) {
  std::map<std::string_view, Unavailable> reasons;
  for (const Node& node : snapshot.nodes)
    reasons.emplace(node.name, node_unavailable(node, sums_of(snapshot, node.name)));
  return reasons;
}

/// What the device plugin does not advertise may be the driver's.
void leave_to_driver(std::vector<Pool>& pools) {
  for (Pool& pool : pools) forget_expected(pool);
}

template <class Value>
const std::vector<Value>& values_of(
    const std::map<std::string, std::vector<Value>, std::less<>>& by_node, std::string_view node) {
  static const std::vector<Value> kNone;
  const auto found = by_node.find(node);
  return found == by_node.end() ? kNone : found->second;
}

}  // namespace

DraInventory::DraInventory(const Snapshot& snapshot)
    : snapshot_(snapshot), holdings_(held_devices(snapshot)), makers_(makers_by_dra(snapshot)) {
  for (const ResourceSlice& slice : snapshot.slices)
    if (!slice.node_name.empty() && is_gpu_driver(slice.driver)) devices_[slice.node_name];
  const std::vector<DraPool> pools = dra_pools(snapshot.slices);
  DraUnits units = units_of(pools, holdings_);
  hand_out(units, pools, holdings_);
  const std::map<std::string_view, Unavailable> reasons = node_reasons(snapshot);
  for (auto& [node, of_node] : units) {
    const auto reason = reasons.find(node);
    pools_[node] = rows_of(of_node, reason == reasons.end() ? Unavailable::none : reason->second,
                           snapshot.claim_coverage);
    for (DraUnit& unit : of_node) devices_[node].push_back(std::move(unit.shown));
  }
  gaps_ = gaps_of(pools, holdings_);
}

const std::vector<DraDevice>& DraInventory::devices_on(std::string_view node) const {
  return values_of(devices_, node);
}

void DraInventory::join(const Node& node, std::vector<Pool>& pools) const {
  const auto published = devices_.find(node.name);
  if (published == devices_.end()) {
    leave_to_silent_driver(node, makers_, holdings_, snapshot_.claim_coverage, pools);
    return;
  }
  std::vector<Pool> rows = values_of(pools_, node.name);
  if (!rows.empty()) leave_to_driver(pools);
  settle(node, published->second, pools, rows);
  for (Pool& row : rows) pools.push_back(std::move(row));
  std::stable_sort(pools.begin(), pools.end(),
                   [](const Pool& a, const Pool& b) { return a.resource < b.resource; });
}

std::vector<Gap> DraInventory::gaps() const {
  std::vector<Gap> gaps = gaps_;
  for (const Node& node : snapshot_.nodes) {
    std::vector<Pool> rows = values_of(pools_, node.name);
    if (rows.empty()) continue;
    std::vector<Pool> plugin =
        pools_of(node, sums_of(snapshot_, node.name), snapshot_.pod_coverage);
    leave_to_driver(plugin);
    if (std::optional<Gap> gap = settle(node, devices_on(node.name), plugin, rows))
      gaps.push_back(std::move(*gap));
  }
  return gaps;
}

}  // namespace gpu
