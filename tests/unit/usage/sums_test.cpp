#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <tuple>

#include "generated.hpp"
#include "usage/rows/gpu_usage.hpp"
#include "usage/rows/model_usage.hpp"
#include "usage/rows/namespace_usage.hpp"
#include "usage/rows/node_usage.hpp"
#include "usage/rows/pod_usage.hpp"

namespace usage_sums_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

constexpr std::uint32_t kClusters = 300;

std::int64_t units_in(const std::vector<GpuUsage>& rows, const Pool& pool, DeviceState state) {
  std::int64_t sum = 0;
  for (const GpuUsage& row : rows)
    if (row.pool == &pool && row.state == state) sum += row.units;
  return sum;
}

}  // namespace

TEST_CASE("what pods hold adds up to what each pool counts as allocated") {
  std::int64_t seen = 0;
  for (std::uint32_t seed = 0; seed < kClusters; ++seed) {
    const Snapshot snapshot = make::Generated(seed).snapshot();
    const Inventory inventory(snapshot);
    const std::vector<PodUsage> rows = pod_usage(inventory);
    for (const Pool& pool : inventory.pools) {
      std::vector<PodUsage> of_pool;
      for (const PodUsage& row : rows)
        if (row.pool == &pool) of_pool.push_back(row);
      REQUIRE(units_of(of_pool) == pool.allocated);
      seen += *pool.allocated;
    }
  }
  CHECK(seen > 500);
}

TEST_CASE("devices of each state add up to what the pool counts") {
  std::set<DeviceState> states;
  std::int64_t named = 0;
  for (std::uint32_t seed = 0; seed < kClusters; ++seed) {
    const Snapshot snapshot = make::Generated(seed).snapshot();
    const Inventory inventory(snapshot);
    const std::vector<GpuUsage> rows = gpu_usage(inventory);
    for (const Pool& pool : inventory.pools) {
      REQUIRE(units_in(rows, pool, DeviceState::held) == pool.allocated);
      REQUIRE(units_in(rows, pool, DeviceState::free) == pool.free);
      REQUIRE(units_in(rows, pool, DeviceState::unavailable) == pool.unavailable);
    }
    for (const GpuUsage& row : rows) {
      states.insert(row.state);
      if (!row.device.empty()) ++named;
    }
  }
  CHECK(states == std::set{DeviceState::held, DeviceState::free, DeviceState::unavailable});
  CHECK(named > 50);
}

TEST_CASE("devices add up to the total while nobody knows who holds them") {
  for (std::uint32_t seed = 0; seed < kClusters; ++seed) {
    Snapshot snapshot = make::Generated(seed).snapshot();
    snapshot.pod_coverage = Coverage::partial;
    snapshot.claim_coverage = Coverage::partial;
    const Inventory inventory(snapshot);
    const std::vector<GpuUsage> rows = gpu_usage(inventory);
    for (const Pool& pool : inventory.pools) {
      const std::int64_t held = units_in(rows, pool, DeviceState::held);
      REQUIRE(held == pool.at_least);
      REQUIRE(held + units_in(rows, pool, DeviceState::unknown) == pool.total);
    }
  }
}

TEST_CASE("namespaces, models and nodes count the same units") {
  using Key = std::pair<std::string, std::string>;  // resource, model
  for (std::uint32_t seed = 0; seed < kClusters; ++seed) {
    const Snapshot snapshot = make::Generated(seed).snapshot();
    const Inventory inventory(snapshot);
    std::map<Key, std::int64_t> by_node;
    std::map<Key, std::int64_t> by_namespace;
    std::vector<const Pool*> pools;
    for (const Pool& pool : inventory.pools) {
      if (*pool.allocated > 0) by_node[{pool.resource, pool.model}] += *pool.allocated;
      pools.push_back(&pool);
    }
    for (const NamespaceUsage& usage : namespace_usage(pod_usage(inventory)))
      by_namespace[{usage.pool->resource, usage.pool->model}] += usage.units;
    REQUIRE(by_namespace == by_node);

    std::map<std::string, std::int64_t> totals;
    for (const UsageTotals& one : usage_totals(node_usage(inventory)))
      totals[one.label] = *one.free + *one.allocated + *one.unavailable;
    std::map<std::string, std::int64_t> by_model;
    for (const ModelUsage& usage : model_usage(inventory, pools)) {
      REQUIRE(*usage.allocated + *usage.free + *usage.unavailable == *usage.total);
      by_model[total_label(*usage.pool)] += *usage.total;
    }
    REQUIRE(by_model == totals);
  }
}

TEST_CASE("folding keeps units and pods") {
  std::int64_t folded = 0;
  std::int64_t with_shared = 0;
  for (std::uint32_t seed = 0; seed < kClusters; ++seed) {
    const Snapshot snapshot = make::Generated(seed).snapshot();
    const Inventory inventory(snapshot);
    const std::vector<PodUsage> rows = pod_usage(inventory);
    std::int64_t units = 0;
    std::size_t pods = 0;
    const std::vector<PodGroup> groups = pod_groups(rows, snapshot, Folding::owner);
    for (const PodGroup& group : groups) {
      units += group.units;
      pods += group.rows.size();
    }
    // Two owners may hold one claim: each of their rows names its units.
    const bool has_shared = std::any_of(rows.begin(), rows.end(),
                                        [](const PodUsage& row) { return shared_by(row) > 1; });
    if (has_shared) ++with_shared;
    if (has_shared)
      REQUIRE(units >= units_of(rows));
    else
      REQUIRE(units == units_of(rows));
    REQUIRE(pods == rows.size());
    if (groups.size() < rows.size()) ++folded;
  }
  CHECK(folded > 10);
  CHECK(with_shared > 10);
}

TEST_CASE("with telemetry of any completeness units add up, and no owner is wrong") {
  std::map<Evidence, std::int64_t> found;
  std::int64_t undecided = 0;
  for (std::uint32_t seed = 0; seed < 3 * kClusters; ++seed) {
    make::Generated generated(seed);
    Snapshot snapshot = generated.snapshot();
    const make::Generated::Truth truth = generated.add_samples(snapshot);
    const Inventory inventory(snapshot);
    const std::vector<GpuUsage> rows = gpu_usage(inventory);
    for (const Pool& pool : inventory.pools) {
      const std::int64_t held = units_in(rows, pool, DeviceState::held);
      const std::int64_t free = units_in(rows, pool, DeviceState::free);
      const std::int64_t unavailable = units_in(rows, pool, DeviceState::unavailable);
      const std::int64_t unknown = units_in(rows, pool, DeviceState::unknown);
      REQUIRE(held + free + unavailable + unknown == pool.total);
      REQUIRE(held <= *pool.allocated);
      REQUIRE(free <= *pool.free);
      REQUIRE(unavailable <= *pool.unavailable);
      if (unknown > 0) ++undecided;
    }
    std::map<std::string, std::vector<std::string>> said;
    std::map<std::string, std::int64_t> said_free;
    for (const GpuUsage& row : rows) {
      if (row.pool->source == PoolSource::dra || (!row.index && row.mig_instance.empty())) continue;
      const std::string key = row.pool->node + "/" + row.uuid + ":" + row.mig_instance;
      if (!truth.contains(key)) continue;
      for (const DeviceHolder& holder : row.pods)
        for (std::int64_t unit = 0; unit < row.units; ++unit) said[key].push_back(holder.pod->name);
      if (row.evidence) found[*row.evidence] += row.units;
      if (row.state == DeviceState::free) said_free[key] += row.units;
    }
    for (auto& [key, pods] : said) {
      std::vector<std::string> true_pods = truth.at(key);
      std::sort(pods.begin(), pods.end());
      std::sort(true_pods.begin(), true_pods.end());
      CAPTURE(seed, key);
      REQUIRE(std::includes(true_pods.begin(), true_pods.end(), pods.begin(), pods.end()));
      // What is called free is what is left.
      if (said_free[key] > 0) REQUIRE(pods.size() == true_pods.size());
    }
    for (const auto& [key, units] : said_free) {
      CAPTURE(seed, key);
      if (!said.contains(key)) REQUIRE(truth.at(key).empty());
    }
  }
  CHECK(undecided > 50);
  CHECK(found[Evidence::exporter] > 100);
  CHECK(found[Evidence::status] > 50);
  CHECK(found[Evidence::request] > 10);
}

TEST_CASE("a namespace's use is of what its pods hold, a node's of all that it has") {
  std::int64_t known = 0;
  for (std::uint32_t seed = 0; seed < 3 * kClusters; ++seed) {
    make::Generated generated(seed);
    Snapshot snapshot = generated.snapshot();
    generated.add_samples(snapshot);
    const Inventory inventory(snapshot);
    for (const NodeUsage& row : node_usage(inventory)) {
      REQUIRE(row.use.measured <= row.use.devices);
      // Everything that is measured is half busy.
      if (row.use.utilization) REQUIRE(*row.use.utilization == Approx(0.5));
      if (row.use.utilization && *row.pool.unavailable == 0)
        REQUIRE(row.use.measured == row.use.devices);
    }
    for (const NamespaceUsage& usage : namespace_usage(pod_usage(inventory))) {
      if (!usage.use.utilization) continue;
      ++known;
      REQUIRE(*usage.use.utilization == Approx(0.5));
      REQUIRE(usage.use.measured == usage.use.devices);
      REQUIRE(usage.use.devices == usage.units);
    }
  }
  CHECK(known > 50);
}

}  // namespace usage_sums_test
