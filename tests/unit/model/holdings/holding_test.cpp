#include "model/holdings/holding.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "model/dra_make.hpp"
#include "model/one_pool.hpp"

namespace holdings_holding_test {

using namespace gpu;

namespace {

/// The holdings of a snapshot; in each pool they add up to what it counts as allocated.
std::vector<Holding> holdings(const Snapshot& snapshot, const std::vector<Pool>& pools) {
  const std::vector<Holding> all = holdings_of(snapshot, pools);
  std::map<std::size_t, std::int64_t> sums;
  for (const Holding& holding : all) sums[holding.pool] += holding.units;
  for (std::size_t i = 0; i < pools.size(); ++i) {
    INFO(pools[i].node << " " << pools[i].resource << " " << pools[i].model);
    CHECK(sums[i] == pools[i].allocated.value_or(sums[i]));
  }
  return all;
}

std::vector<Holding> holdings(const Snapshot& snapshot) {
  return holdings(snapshot, pools_of(snapshot));
}

Pod with_status(Pod pod, const std::vector<std::string>& ids,
                const std::string& resource = "nvidia.com/gpu") {
  ContainerResourceStatus status{.name = "main"};
  for (const std::string& id : ids) status.devices.push_back({resource, id, "Healthy"});
  pod.container_statuses.push_back(std::move(status));
  return pod;
}

ResourceClaim reserved(ResourceClaim claim, const std::vector<std::string>& pods) {
  for (const std::string& pod : pods) claim.reserved_for.push_back({pod, pod + "-uid"});
  return claim;
}

/// A pod on node "a" that has only claims.
Pod claiming(const std::string& name) {
  Pod pod = make::pod(name, "a", 0);
  pod.uid = name + "-uid";
  pod.claim_references = 1;
  return pod;
}

Snapshot with_pods(Snapshot snapshot, std::vector<Pod> pods) {
  snapshot.pods = std::move(pods);
  return snapshot;
}

}  // namespace

TEST_CASE("who holds what of a node, by pool, namespace and name") {
  Node node = make::node("a", 6);
  make::advertise(node, "nvidia.com/mig-1g.10gb", 14);
  Pod both = make::pod("both", "a", 2);
  both.containers.push_back({.name = "slices"});
  both.containers.back().requests.set("nvidia.com/mig-1g.10gb", Quantity::of(3));
  Pod early = make::pod("z", "a", 1);
  early.ns = "a-team";
  Pod done = make::pod("done", "a", 4);
  done.phase = "Failed";
  const Snapshot snapshot =
      make::snapshot({node, make::node("b", 8)},
                     {make::pod("y", "b", 8), both, early, done, make::pod("waits", "", 1)});
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 4);
  CHECK(all[0].ns == "a-team");
  CHECK(all[0].pool == 0);
  CHECK(all[1].pods.front()->name == "both");
  CHECK(all[1].units == 2);
  CHECK(all[1].evidence == Evidence::request);
  CHECK(all[1].devices.empty());
  CHECK(all[2].pool == 1);
  CHECK(all[2].units == 3);
  CHECK(all[3].pool == 2);
}

TEST_CASE("the kubelet says which devices, if it names as many as are held") {
  const Node node = make::node("a", 8);
  SECTION("so many") {
    const auto all = holdings(
        make::snapshot({node}, {with_status(make::pod("x", "a", 2), {"GPU-1::3", "GPU-2::0"})}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].evidence == Evidence::status);
    CHECK(all[0].devices == std::vector<std::string>{"GPU-1::3", "GPU-2::0"});
  }
  SECTION("too few, too many, or of another resource") {
    const Pod pod = GENERATE(with_status(make::pod("x", "a", 2), {"GPU-1"}),
                             with_status(make::pod("x", "a", 1), {"GPU-1", "GPU-2"}),
                             with_status(make::pod("x", "a", 1), {"GPU-1"}, "nvidia.com/other"));
    const auto all = holdings(make::snapshot({node}, {pod}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].evidence == Evidence::request);
    CHECK(all[0].devices.empty());
  }
  SECTION("a sidecar keeps its own, an init container does not") {
    Pod pod = with_status(make::pod("x", "a", 1), {"GPU-1"});
    pod.init_containers.push_back({.name = "side", .restarts_always = true});
    pod.init_containers.back().requests.set("nvidia.com/gpu", Quantity::of(1));
    pod.init_containers.push_back({.name = "init"});
    pod.init_containers.back().requests.set("nvidia.com/gpu", Quantity::of(1));
    pod.init_container_statuses.push_back(
        {.name = "side", .devices = {{"nvidia.com/gpu", "GPU-2", "Healthy"}}});
    pod.init_container_statuses.push_back(
        {.name = "init", .devices = {{"nvidia.com/gpu", "GPU-1", "Healthy"}}});
    const auto all = holdings(make::snapshot({node}, {pod}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].units == 2);
    CHECK(all[0].devices == std::vector<std::string>{"GPU-1", "GPU-2"});
  }
}

TEST_CASE("a sharing scheduler wrote down which cards") {
  Node node = make::node("a", 20);
  node.annotations = {{"hami.io/node-nvidia-register", "..."}};
  Pod pod = with_status(make::pod("x", "a", 2), {"GPU-0-7", "GPU-0-8"});
  pod.card_shares = {{.card = "GPU-0", .memory_mib = 1}, {.card = "GPU-1", .memory_mib = 1}};
  SECTION("the slots that the kubelet hands out are not of those cards") {
    const auto all = holdings(make::snapshot({node}, {pod}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].evidence == Evidence::annotation);
    CHECK(all[0].devices == std::vector<std::string>{"GPU-0", "GPU-1"});
  }
  SECTION("fewer than are held are no evidence") {
    pod.card_shares.pop_back();
    const auto all = holdings(make::snapshot({node}, {pod}));
    CHECK(all.at(0).evidence == Evidence::request);
    CHECK(all.at(0).devices.empty());
  }
  SECTION("gpushare: GiB on cards by index") {
    node = make::node("a", 60, "aliyun.com/gpu-mem");
    pod = make::pod("x", "a", 8, "aliyun.com/gpu-mem");
    pod.card_shares = {{.by = SharingStrategy::gpushare, .card = "1", .units = 3},
                       {.by = SharingStrategy::gpushare, .card = "1", .units = 5}};
    const auto all = holdings(make::snapshot({node}, {pod}));
    CHECK(all.at(0).units == 8);
    CHECK(all.at(0).evidence == Evidence::annotation);
    CHECK(all.at(0).devices == std::vector<std::string>{"1"});
  }
}

TEST_CASE("claims: one pod, several, none") {
  const Snapshot snapshot =
      with_pods(make::dra_snapshot({make::slice("a", {make::card("g0"), make::card("g1"),
                                                      make::card("g2"), make::card("g3")})},
                                   {reserved(make::claim("one", "a", {"g0"}), {"x"}),
                                    reserved(make::claim("pair", "a", {"g1", "g2"}), {"y", "z"}),
                                    make::claim("unused", "a", {"g3"})}),
                {claiming("x"), claiming("y"), claiming("z")});
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 3);
  for (const Holding& holding : all) CHECK(holding.evidence == Evidence::claim);
  // By the names of pods; a claim without pods by its own.
  CHECK(all[0].claim == "unused");
  CHECK(all[0].pods.empty());
  CHECK(all[0].units == 1);
  CHECK(all[1].pods.front()->name == "x");
  CHECK(all[1].devices == std::vector<std::string>{"g0"});
  CHECK(all[2].claim == "pair");
  CHECK(all[2].pods.size() == 2);
  CHECK(all[2].units == 2);
  CHECK(all[2].devices == std::vector<std::string>{"g1", "g2"});
}

TEST_CASE("claims: who looks with admin access, or came in another pod's name, holds nothing") {
  ResourceClaim admin = make::claim("admin", "a", {"g0"});
  admin.devices.front().admin_access = true;
  Pod renewed = claiming("x");
  renewed.uid = "other";
  const Snapshot snapshot =
      with_pods(make::dra_snapshot({make::slice("a", {make::card("g0"), make::card("g1")})},
                                   {admin, reserved(make::claim("c", "a", {"g1"}), {"x"})}),
                {renewed});
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 1);
  CHECK(all[0].claim == "c");
  CHECK(all[0].pods.empty());
}

TEST_CASE("claims: a claim of a card and of a slice stands in both pools") {
  const Snapshot snapshot = make::dra_snapshot(
      {make::slice("a", {make::card("g0"), make::mig("m", "g1", "1g.10gb", "10Gi")})},
      {make::claim("c", "a", {"g0", "m"})});
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 2);
  CHECK(all[0].pool != all[1].pool);
  CHECK(all[0].units == 1);
  CHECK(all[1].units == 1);
}

TEST_CASE("claims: cards that are cut on demand") {
  const Snapshot snapshot = make::dra_snapshot(
      make::cuttable("a", {"g0", "g1"}), {make::claim("c", "a", {"g0-mig-1g-0-1", "g0-mig-3g-4-4"}),
                                          make::claim("d", "a", {"g0-mig-1g-1-1"})});
  CHECK(holdings(snapshot).size() == 3);
}

TEST_CASE("claims: parts of a device's capacity add up to what the pool counts") {
  Device shared = make::card("g0");
  shared.allow_multiple = true;
  const std::int64_t by_default = GENERATE(0, 10);
  const int first = GENERATE(5, 10, 30);
  const int second = GENERATE(5, 10, 20);
  if (by_default > 0) shared.default_request.set("memory", *Quantity::parse("10Gi"));
  if (by_default == 0) shared.capacity.clear();  // any number of claims
  const auto part = [](const std::string& name, int gib) {
    ResourceClaim claim = make::claim(name, "a", {"g0"});
    claim.devices.front().share_id = name;
    claim.devices.front().consumed.set("memory", *Quantity::parse(std::to_string(gib) + "Gi"));
    return claim;
  };
  std::vector<ResourceClaim> claims = {part("c", first), part("d", second)};
  SECTION("parts") {}
  SECTION("and a claim that took the device whole") {
    claims.push_back(make::claim("e", "a", {"g0"}));
  }
  Snapshot snapshot = make::dra_snapshot({make::slice("a", {shared})}, claims);
  CHECK(holdings(snapshot).size() == claims.size());
}

TEST_CASE("claims: a device that two claims hold by mistake is one unit") {
  const Snapshot snapshot =
      make::dra_snapshot({make::slice("a", {make::card("g0")})},
                         {make::claim("c", "a", {"g0"}), make::claim("d", "a", {"g0"})});
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 2);
  CHECK(all[0].units + all[1].units == 1);
}

TEST_CASE("what a claim provides for an extended resource is the claim's") {
  Pod pod = claiming("x");
  pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(1));
  pod.extended_claim = "x-claim";
  pod.extended_resources = {{"main", "nvidia.com/gpu", "r0"}};
  Snapshot snapshot = make::snapshot({make::node("a", 0)}, {pod});
  snapshot.slices = {make::slice("a", {make::card("g0")})};
  snapshot.claims = {reserved(make::claim("x-claim", "a", {"g0"}), {"x"})};
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  const auto all = holdings(snapshot);
  REQUIRE(all.size() == 1);
  CHECK(all[0].claim == "x-claim");
  CHECK(all[0].pods.front()->name == "x");
}

TEST_CASE("which pods the views of pods keep") {
  CHECK(is_gpu_pod(make::pod("x", "a", 1)));
  CHECK(is_gpu_pod(make::pod("waits", "", 1, "nvidia.com/mig-1g.10gb")));
  CHECK(is_gpu_pod(claiming("x")));
  CHECK_FALSE(is_gpu_pod(make::pod("cpu", "a", 0)));
  Pod over = make::pod("over", "a", 1);
  over.phase = "Succeeded";
  CHECK_FALSE(is_gpu_pod(over));
  CHECK(has_had_gpus(over));
  CHECK(has_had_gpus(make::pod("x", "a", 1)));
  CHECK_FALSE(has_had_gpus(make::pod("cpu", "a", 0)));
  CHECK_FALSE(is_gpu_pod(make::pod("amount", "a", 100, "nvidia.com/gpumem")));
  Pod done = make::pod("done", "a", 1);
  done.phase = "Succeeded";
  CHECK_FALSE(is_gpu_pod(done));
  Pod init = make::pod("init", "a", 0);
  init.init_containers.push_back({.name = "i"});
  init.init_containers.back().requests.set("amd.com/gpu", Quantity::of(1));
  CHECK(is_gpu_pod(init));
  Pod level = make::pod("level", "a", 0);
  level.pod_requests = ResourceList{{"nvidia.com/gpu", Quantity::of(1)}};
  CHECK(is_gpu_pod(level));
  // A runtime class may add a card to whatever the containers ask for.
  Pod overhead = make::pod("overhead", "a", 0);
  overhead.overhead = ResourceList{{"nvidia.com/gpu", Quantity::of(1)}};
  CHECK(is_gpu_pod(overhead));
  Pod resized = make::pod("resized", "a", 0);
  resized.container_statuses.push_back(
      {.name = "main", .requests = ResourceList{{"nvidia.com/gpu", Quantity::of(1)}}});
  CHECK(is_gpu_pod(resized));
  // Nothing filled in the requests of a pod that never was in a cluster.
  Pod limited = make::pod("limited", "a", 0);
  limited.containers.front().limits.set("nvidia.com/gpu", Quantity::of(1));
  CHECK(is_gpu_pod(limited));
  Pod level_limited = make::pod("level", "a", 0);
  level_limited.pod_limits = ResourceList{{"nvidia.com/gpu", Quantity::of(1)}};
  CHECK(is_gpu_pod(level_limited));
}

}  // namespace holdings_holding_test
