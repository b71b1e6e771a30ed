#include "model/dra/dra.hpp"
#include "model/holdings/pools.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "model/dra_make.hpp"

namespace dra_dra_test {

using namespace gpu;
using make::card;
using make::claim;
using make::cuttable;
using make::dra_snapshot;
using make::mig;
using make::slice;

namespace {

/// Pools by resource name, each of which adds up.
std::map<std::string, Pool> rows(const Snapshot& snapshot) {
  std::map<std::string, Pool> result;
  for (const Pool& pool : pools_of(snapshot)) {
    INFO(pool.resource);
    if (pool.total && pool.allocated && pool.free)
      CHECK(*pool.total == *pool.allocated + *pool.free + pool.unavailable.value_or(-1));
    CHECK(result.emplace(pool.resource, pool).second);
  }
  return result;
}

/// "allocated/free/unavailable of total".
std::string figures(const Pool& pool) {
  const auto text = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string("-");
  };
  return text(pool.allocated) + "/" + text(pool.free) + "/" + text(pool.unavailable) + " of " +
         text(pool.total);
}

std::string only_figures(const Snapshot& snapshot) {
  const auto found = rows(snapshot);
  REQUIRE(found.size() == 1);
  return figures(found.begin()->second);
}

Device tainted(Device device, std::string_view effect) {
  device.taints.push_back({"gpu.nvidia.com/xid", "", std::string(effect)});
  return device;
}

}  // namespace

TEST_CASE("whole cards: held by claims, with or without a pod") {
  const Snapshot snapshot = dra_snapshot(
      {slice("a", {card("gpu-0"), card("gpu-1"), card("gpu-2")})}, {claim("x", "a", {"gpu-1"})});
  const Pool pool = rows(snapshot).at("gpu.nvidia.com");
  CHECK(figures(pool) == "1/2/0 of 3");
  CHECK(pool.cards == 3);
  CHECK(pool.free_cards == 2);
  CHECK(pool.capacity == 3);
  CHECK(pool.model == "H100-80G");
  CHECK(pool.product == "NVIDIA H100 80GB HBM3");
  CHECK(pool.source == PoolSource::dra);
  CHECK(pool.kind.vendor == Vendor::nvidia);
  CHECK(pool.reason == Unavailable::none);

  const DraInventory dra(snapshot);
  const std::vector<DraDevice>& devices = dra.devices_on("a");
  REQUIRE(devices.size() == 3);
  CHECK(devices[0].is_free);
  CHECK_FALSE(devices[1].is_free);
  REQUIRE(devices[1].claims.size() == 1);
  CHECK(devices[1].claims.front()->name == "x");
  CHECK(devices[1].uuid == "GPU-gpu-1");
  CHECK(devices[1].card == "GPU-gpu-1");
  CHECK(dra.devices_on("b").empty());
}

TEST_CASE("admin access looks and takes nothing") {
  ResourceClaim admin = claim("admin", "a", {"gpu-0"});
  admin.devices.front().admin_access = true;
  CHECK(only_figures(dra_snapshot({slice("a", {card("gpu-0")})}, {admin})) == "0/1/0 of 1");
}

TEST_CASE("a claim that is not allocated holds nothing") {
  ResourceClaim waiting = claim("x", "a", {"gpu-0"});
  waiting.is_allocated = false;
  CHECK(only_figures(dra_snapshot({slice("a", {card("gpu-0")})}, {waiting})) == "0/1/0 of 1");
}

TEST_CASE("static MIG slices stand by profile") {
  const Snapshot snapshot = dra_snapshot(
      {slice("a", {mig("m0", "gpu-0", "1g.10gb", "10Gi"), mig("m1", "gpu-0", "1g.10gb", "10Gi"),
                   mig("m2", "gpu-1", "1g.10gb", "10Gi"), mig("m3", "gpu-1", "3g.40gb", "40Gi"),
                   card("gpu-2")})},
      {claim("x", "a", {"m1", "m3"})});
  const auto found = rows(snapshot);
  REQUIRE(found.size() == 3);
  const Pool& small = found.at("gpu.nvidia.com/mig-1g.10gb");
  CHECK(figures(small) == "1/2/0 of 3");
  CHECK(small.cards == 2);
  CHECK(small.free_cards == 0);  // something is held on both
  CHECK(small.model == "H100-1g.10gb");
  CHECK(small.kind.kind == DeviceKind::mig_slice);
  CHECK(figures(found.at("gpu.nvidia.com/mig-3g.40gb")) == "1/0/0 of 1");
  CHECK(figures(found.at("gpu.nvidia.com")) == "0/1/0 of 1");
}

TEST_CASE("only the highest generation counts") {
  ResourceSlice old = slice("a", {card("gpu-0"), card("gpu-1"), card("gpu-9")});
  old.name = "old";
  ResourceSlice fresh = slice("a", {card("gpu-0"), card("gpu-1")});
  fresh.generation = 2;
  const Snapshot snapshot =
      dra_snapshot({old, fresh}, {claim("x", "a", {"gpu-1"}), claim("gone", "a", {"gpu-9"})});
  CHECK(only_figures(snapshot) == "1/1/0 of 2");
  const std::vector<Gap> gaps = DraInventory(snapshot).gaps();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps.front().what == "1 claim holds a device that is published no more");
  CHECK(gaps.front().why == "claim ml/gone holds gpu.nvidia.com/a/gpu-9");
}

TEST_CASE("the scheduler takes nothing from a pool with missing slices") {
  ResourceSlice first = slice("a", {card("gpu-0"), card("gpu-1")});
  first.slice_count = 2;
  const Snapshot snapshot = dra_snapshot({first}, {claim("x", "a", {"gpu-0"})});
  const Pool pool = rows(snapshot).at("gpu.nvidia.com");
  CHECK(figures(pool) == "1/0/1 of 2");
  CHECK(pool.reason == Unavailable::pool_incomplete);
  CHECK(pool.allocatable == 1);
  const std::vector<Gap> gaps = DraInventory(snapshot).gaps();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps.front().why == "gpu.nvidia.com/a: 1 of 2 slices are published");
}

TEST_CASE("of many pools with missing slices five are named") {
  std::vector<ResourceSlice> slices;
  const auto told = [&](std::size_t pools) {
    while (slices.size() < pools) {
      slices.push_back(slice("n" + std::to_string(slices.size()), {card("gpu-0")}));
      slices.back().slice_count = 2;
    }
    return DraInventory(dra_snapshot(slices, {}, {})).gaps().at(0);
  };
  const auto ends = [](const Gap& gap, std::string_view with) {
    return std::string_view(gap.why).ends_with(with);
  };
  CHECK(told(5).what == "5 DRA pools hand out no devices: incomplete or invalid");
  CHECK(ends(told(5), "gpu.nvidia.com/n4: 1 of 2 slices are published"));
  CHECK(told(6).what == "6 DRA pools hand out no devices: incomplete or invalid");
  CHECK(ends(told(6), "gpu.nvidia.com/n4: 1 of 2 slices are published and 1 more"));
}

TEST_CASE("the scheduler takes nothing from a pool with a mistake") {
  std::vector<ResourceSlice> slices;
  std::string why;
  SECTION("a device stands twice") {
    slices = {slice("a", {card("gpu-0"), card("gpu-0")})};
    why = "device gpu-0 stands twice";
  }
  SECTION("a counter set is missing") {
    slices = cuttable("a", {"gpu-0"});
    slices[0].shared_counters.clear();
    why = "counter set gpu-0-counter-set is missing";
  }
  SECTION("a counter is missing") {
    slices = cuttable("a", {"gpu-0"});
    slices[0].shared_counters = {make::memory_slices("gpu-0", 0, 7)};
    why = "counter memory-slice-7 is missing in counter set gpu-0-counter-set";
  }
  SECTION("a counter set stands twice") {
    slices = cuttable("a", {"gpu-0"});
    slices[0].shared_counters.push_back(slices[0].shared_counters.front());
    why = "counter set gpu-0-counter-set stands twice";
  }
  const Snapshot snapshot = dra_snapshot(slices, {});
  CHECK(rows(snapshot).at("gpu.nvidia.com").free == 0);
  const std::vector<Gap> gaps = DraInventory(snapshot).gaps();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps.front().why == "gpu.nvidia.com/a: " + why);
}

TEST_CASE("a device taint blocks, unless it only informs or the device is held") {
  const Snapshot snapshot = dra_snapshot(
      {slice("a", {tainted(card("gpu-0"), "NoSchedule"), tainted(card("gpu-1"), "NoExecute"),
                   tainted(card("gpu-2"), "None"), tainted(card("gpu-3"), "NoSchedule")})},
      {claim("x", "a", {"gpu-3"})});
  const Pool pool = rows(snapshot).at("gpu.nvidia.com");
  CHECK(figures(pool) == "1/1/2 of 4");
  CHECK(pool.reason == Unavailable::device_tainted);
  CHECK(DraInventory(snapshot).devices_on("a")[0].reason == Unavailable::device_tainted);
  CHECK(DraInventory(snapshot).devices_on("a")[3].reason == Unavailable::none);
}

TEST_CASE("nothing is free on a node that takes no pods") {
  Snapshot snapshot =
      dra_snapshot({slice("a", {card("gpu-0"), card("gpu-1")})}, {claim("x", "a", {"gpu-0"})});
  snapshot.nodes.front().unschedulable = true;
  const Pool pool = rows(snapshot).at("gpu.nvidia.com");
  CHECK(figures(pool) == "1/0/1 of 2");
  CHECK(pool.free_cards == 0);
  CHECK(pool.reason == Unavailable::cordoned);
  CHECK(DraInventory(snapshot).devices_on("a")[1].reason == Unavailable::cordoned);
}

TEST_CASE("cards that nobody cut: free as cards and as nothing else") {
  const auto found = rows(dra_snapshot(cuttable("a", {"gpu-0", "gpu-1"}), {}));
  REQUIRE(found.size() == 1);
  CHECK(figures(found.at("gpu.nvidia.com")) == "0/2/0 of 2");
}

TEST_CASE("a card that is cut is no free card, and has room for slices") {
  const Snapshot snapshot =
      dra_snapshot(cuttable("a", {"gpu-0", "gpu-1", "gpu-2"}),
                   {claim("x", "a", {"gpu-1-mig-1g-0-1"}), claim("y", "a", {"gpu-2"})});
  const auto found = rows(snapshot);
  REQUIRE(found.size() == 3);
  const Pool& cards = found.at("gpu.nvidia.com");
  CHECK(figures(cards) == "1/1/1 of 3");
  CHECK(cards.reason == Unavailable::card_in_use);
  CHECK(cards.free_cards == 1);
  // The large one takes slices 4 to 7, which leaves 1 to 3 for small ones.
  CHECK(figures(found.at("gpu.nvidia.com/mig-3g.40gb")) == "0/1/0 of 1");
  const Pool& small = found.at("gpu.nvidia.com/mig-1g.10gb");
  CHECK(figures(small) == "1/3/0 of 4");
  CHECK(small.cards == 1);
  CHECK(small.free_cards == 0);
}

TEST_CASE("a pool in which more is consumed than there is gives no parts") {
  const Snapshot snapshot =
      dra_snapshot(cuttable("a", {"gpu-0", "gpu-1"}),
                   {claim("x", "a", {"gpu-0"}), claim("y", "a", {"gpu-0-mig-1g-0-1"})});
  const auto found = rows(snapshot);
  CHECK(figures(found.at("gpu.nvidia.com")) == "1/0/1 of 2");
  CHECK(figures(found.at("gpu.nvidia.com/mig-1g.10gb")) == "1/0/0 of 1");
}

TEST_CASE("shared capacity counts default requests") {
  Device shared = card("gpu-0");
  shared.allow_multiple = true;
  shared.capacity.set("cores", Quantity::of(100));
  shared.default_request.set("memory", *Quantity::parse("20Gi"));
  shared.default_request.set("cores", Quantity::of(10));
  ResourceClaim part = claim("x", "a", {"gpu-0"});
  part.devices.front().share_id = "s1";
  part.devices.front().consumed.set("memory", *Quantity::parse("30Gi"));
  part.devices.front().consumed.set("cores", Quantity::of(10));
  const Pool pool = rows(dra_snapshot({slice("a", {shared})}, {part})).at("gpu.nvidia.com");
  CHECK(figures(pool) == "2/2/0 of 4");
  CHECK(pool.sharing == Sharing{SharingStrategy::capacity, 4});
  CHECK(pool.cards == 1);
  CHECK(pool.free_cards == 0);

  SECTION("a capacity without a default is taken whole") {
    shared.default_request = {};
    CHECK(only_figures(dra_snapshot({slice("a", {shared})}, {})) == "0/1/0 of 1");
    CHECK(only_figures(dra_snapshot({slice("a", {shared})}, {part})) == "1/0/0 of 1");
  }
  SECTION("without capacity any number fits") {
    shared.capacity = {};
    CHECK(only_figures(dra_snapshot({slice("a", {shared})}, {part})) == "1/-/- of -");
  }
  SECTION("tainted") {
    shared = tainted(shared, "NoSchedule");
    CHECK(only_figures(dra_snapshot({slice("a", {shared})}, {part})) == "2/0/2 of 4");
  }
  SECTION("held whole") {
    CHECK(only_figures(dra_snapshot({slice("a", {shared})}, {claim("y", "a", {"gpu-0"})})) ==
          "4/0/0 of 4");
  }
}

TEST_CASE("without sight of claims only what there is is known") {
  Snapshot snapshot =
      dra_snapshot(cuttable("a", {"gpu-0", "gpu-1"}), {claim("x", "a", {"gpu-1-mig-1g-0-1"})});
  SECTION("none") {
    snapshot.claims.clear();
    snapshot.claim_coverage = Coverage::none;
    const auto found = rows(snapshot);
    REQUIRE(found.size() == 1);
    const Pool& pool = found.at("gpu.nvidia.com");
    CHECK(figures(pool) == "-/-/- of 2");
    CHECK(pool.reason == Unavailable::managed_by_dra);
    CHECK_FALSE(DraInventory(snapshot).devices_on("a")[0].is_free);
  }
  SECTION("some") {
    snapshot.claim_coverage = Coverage::partial;
    const Pool pool = rows(snapshot).at("gpu.nvidia.com/mig-1g.10gb");
    CHECK(figures(pool) == "-/-/- of -");
    CHECK(pool.at_least == 1);
  }
}

TEST_CASE("devices of many nodes are no rows") {
  ResourceSlice everywhere = slice("", {card("gpu-0"), card("gpu-1")});
  everywhere.is_on_many_nodes = true;
  ResourceSlice each = slice("", {card("gpu-7"), card("gpu-8")});
  each.pool = each.name = "each";
  each.devices[0].node_name = "a";
  each.devices[1].is_on_many_nodes = true;
  const Snapshot snapshot = dra_snapshot({everywhere, each}, {});
  CHECK(only_figures(snapshot) == "0/1/0 of 1");
  const std::vector<Gap> gaps = DraInventory(snapshot).gaps();
  REQUIRE(gaps.size() == 1);
  CHECK(gaps.front().what == "3 devices of gpu.nvidia.com belong to no single node");
}

TEST_CASE("drivers of other things are not looked at") {
  CHECK(rows(dra_snapshot({slice("a", {card("channel-0")}, "compute-domain.nvidia.com")}, {}))
            .empty());
}

TEST_CASE("counters that nodes share are handed out once") {
  std::vector<ResourceSlice> slices = cuttable("a", {"gpu-0"});
  for (ResourceSlice& each : slices) each.node_name.clear();
  Device& whole = slices[1].devices[0];
  whole.node_name = "a";
  Device second = card("gpu-0-b");
  second.consumes = whole.consumes;
  second.node_name = "b";
  slices[1].devices = {whole, second};
  const std::vector<Pool> pools = pools_of(dra_snapshot(slices, {}, {"a", "b"}));
  REQUIRE(pools.size() == 2);
  CHECK(figures(pools[0]) == "0/1/0 of 1");
  CHECK(figures(pools[1]) == "0/0/1 of 1");
}

TEST_CASE("a card for a virtual machine is the same card again") {
  Device vfio = make::device("gpu-vfio-0", "vfio");
  vfio.attributes.set("pcieBusID", "0000:19:00.0");
  Device whole = card("gpu-0");
  whole.attributes.set("pcieBusID", "0000:19:00.0");
  SECTION("beside the card") {
    const auto found = rows(dra_snapshot({slice("a", {whole, vfio})}, {}));
    CHECK(figures(found.at("gpu.nvidia.com")) == "0/1/0 of 1");
    CHECK(figures(found.at("gpu.nvidia.com/vfio")) == "0/1/0 of 1");
    CHECK(found.at("gpu.nvidia.com/vfio").is_second_view);
    CHECK_FALSE(found.at("gpu.nvidia.com").is_second_view);
  }
  SECTION("held in one mode, gone in the other") {
    const auto found =
        rows(dra_snapshot({slice("a", {whole, vfio})}, {claim("x", "a", {"gpu-vfio-0"})}));
    CHECK(figures(found.at("gpu.nvidia.com")) == "0/0/1 of 1");
    CHECK(found.at("gpu.nvidia.com").reason == Unavailable::card_in_use);
    CHECK(figures(found.at("gpu.nvidia.com/vfio")) == "1/0/0 of 1");
  }
  SECTION("without the card it is the only view") {
    const auto found = rows(dra_snapshot({slice("a", {vfio, card("gpu-1")})}, {}));
    CHECK_FALSE(found.at("gpu.nvidia.com/vfio").is_second_view);
    CHECK(figures(found.at("gpu.nvidia.com/vfio")) == "0/1/0 of 1");
  }
}

TEST_CASE("AMD's partitions on demand: the mode of a card is what the first claim made it") {
  const auto mode = [](std::string name, std::string_view type, std::string_view compute,
                       std::int64_t partitions) {
    Device device{.name = std::move(name)};
    device.attributes = {{"type", std::string(type)},
                         {"computePartition", std::string(compute)},
                         {"memoryPartition", "nps1"},
                         {"productName", "Instinct_MI300X"},
                         {"resource.kubernetes.io/pciBusID", "0000:19:00.0"}};
    device.allow_multiple = true;
    device.capacity.set("partitions", Quantity::of(partitions));
    device.default_request.set("partitions", Quantity::of(1));
    device.consumes = {{"gpu-0-mutex", {{"partition-mode", Quantity::of(1)}}}};
    return device;
  };
  ResourceSlice counters = slice("a", {}, "gpu.amd.com");
  counters.name = "counters";
  counters.shared_counters = {{"gpu-0-mutex", {{"partition-mode", Quantity::of(1)}}}};
  ResourceSlice devices =
      slice("a", {mode("spx", "amdgpu", "spx", 1), mode("cpx", "amdgpu-partition", "cpx", 8)},
            "gpu.amd.com");
  counters.slice_count = devices.slice_count = 2;
  CHECK(only_figures(dra_snapshot({counters, devices}, {})) == "0/1/0 of 1");

  ResourceClaim part{.ns = "ml", .name = "x", .is_allocated = true};
  part.devices = {{.id = {"gpu.amd.com", "a", "cpx"},
                   .share_id = "s1",
                   .consumed = {{"partitions", Quantity::of(1)}}}};
  const auto found = rows(dra_snapshot({counters, devices}, {part}));
  CHECK(figures(found.at("gpu.amd.com")) == "0/0/1 of 1");
  CHECK(found.at("gpu.amd.com").reason == Unavailable::card_in_use);
  CHECK(figures(found.at("gpu.amd.com/cpx_nps1")) == "1/7/0 of 8");
}

TEST_CASE("devices name the pool that they count in") {
  const Snapshot snapshot =
      dra_snapshot(cuttable("a", {"gpu-0"}), {claim("x", "a", {"gpu-0-mig-1g-0-1"})});
  std::map<std::string, std::int64_t> counted;
  const DraInventory dra(snapshot);
  for (const DraDevice& device : dra.devices_on("a"))
    if (!device.resource.empty()) ++counted[device.resource];
  for (const auto& [resource, pool] : rows(snapshot)) CHECK(counted[resource] == pool.total);
  CHECK(counted.size() == 3);
}

}  // namespace dra_dra_test
