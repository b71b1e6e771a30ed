#include "cost/ledger/node_ledger.hpp"

#include <catch2/catch.hpp>

#include "cost/ledger/make_ledger.hpp"
#include "usage/generated.hpp"

namespace gpu::cost {
namespace {

using make::of_type;
using make::Priced;
using make::sum_of;

constexpr std::int64_t kCent = 10'000'000;

const NodeLedger& only(const Priced& priced) { return priced.ledger.nodes().front().ledger; }

std::int64_t cents(Money amount) { return (amount.nano + kCent / 2) / kCent; }

TEST_CASE("GPUs share the whole price of their node") {
  const Priced priced(
      make::snapshot({of_type(make::node("a", 8), "p5.48xlarge", "NVIDIA-H100-80GB-HBM3")},
                     {make::pod("one", "a", 1), make::pod("seven", "a", 7)}));
  const NodeLedger& node = only(priced);
  REQUIRE(node.held().size() == 2);
  CHECK(cents(node.held()[0]->total()) == 688);
  CHECK(cents(node.held()[1]->total()) == 4816);
  CHECK(sum_of(node) == node.price().per_hour);
}

TEST_CASE("A time-sliced replica is a part of its GPU") {
  Node node = of_type(make::node("t4", 4), "g4dn.xlarge", "Tesla-T4-SHARED");
  node.labels.set("nvidia.com/gpu.count", "1");
  node.labels.set("nvidia.com/gpu.replicas", "4");
  const Priced priced(make::snapshot({node}, {make::pod("p", "t4", 1)}));
  CHECK(only(priced).cards() == 1);
  CHECK(only(priced).held()[0]->total() == Money{131'500'000});
  CHECK(only(priced).held_cards(0) == 0.25);
  CHECK(only(priced).unallocated(Unallocated::free) == Money{394'500'000});
}

Node single_slices() {
  Node node = of_type(make::node("s", 56), "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb");
  node.labels.set("nvidia.com/gpu.count", "56");
  node.labels.set("nvidia.com/mig.strategy", "single");
  return node;
}

TEST_CASE("A slice in MIG single strategy is a seventh of its GPU") {
  const Priced priced(make::snapshot({single_slices()}, {make::pod("p", "s", 3)}));
  CHECK(only(priced).cards() == 8);
  CHECK(only(priced).held()[0]->total().nano == 1'176'302'250);  // 3 x 21.957642 / 56
  CHECK(only(priced).unallocated(Unallocated::geometry) == Money{});
}

Node mixed_slices() {
  Node node = of_type(make::node("m", 6), "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB");
  node.labels.set("nvidia.com/gpu.count", "8");
  node.labels.set("nvidia.com/mig.strategy", "mixed");
  node.capacity.set("nvidia.com/mig-3g.20gb", Quantity::of(4));
  node.allocatable = node.capacity;
  return node;
}

TEST_CASE("Parts of cards that no slice has are geometry") {
  const Priced priced(
      make::snapshot({mixed_slices()}, {make::pod("p", "m", 1, "nvidia.com/mig-3g.20gb")}));
  const NodeLedger& node = only(priced);
  CHECK(node.held()[0]->total().nano == 1'176'302'250);         // 3/7 of 2.74470525
  CHECK(cents(node.unallocated(Unallocated::geometry)) == 78);  // 2 of 14 parts
  CHECK(cents(node.unallocated(Unallocated::free)) == 2000);    // 6 cards and 3 slices
  CHECK(sum_of(node) == node.price().per_hour);
}

TEST_CASE("A MIG slice may count by its memory") {
  const Priced priced(
      make::snapshot({mixed_slices()}, {make::pod("p", "m", 1, "nvidia.com/mig-3g.20gb")}),
      {.mig_by = MigBy::larger});
  CHECK(only(priced).held()[0]->total().nano == 1'372'352'625);  // half of 2.74470525
}

TEST_CASE("OpenCost's ratio charges CPU and memory by themselves") {
  Node node = of_type(make::node("a", 8), "p4d.24xlarge", "NVIDIA-A100-SXM4-40GB");
  node.capacity.set("cpu", Quantity::of(96));
  node.capacity.set("memory", *Quantity::parse("1152Gi"));
  node.allocatable = node.capacity;
  const Priced priced(make::snapshot({node}, {make::pod("p", "a", 1)}), {.by = ChargeBy::opencost});
  CHECK((only(priced).held()[0]->total().nano + 500) / 1000 == 1'344'431);
  CHECK(sum_of(only(priced)) == only(priced).price().per_hour);
  CHECK(only(priced).host().nano > 0);
}

TEST_CASE("With --whole-node, who holds GPUs pays for the free ones of the node") {
  const Priced priced(make::snapshot({of_type(make::node("a", 8), "p5.48xlarge")},
                                     {make::pod("p", "a", 1), make::pod("q", "a", 1)}),
                      {.by = ChargeBy::whole_node});
  CHECK(cents(only(priced).held()[0]->total()) == 2752);
  CHECK(only(priced).unallocated_sum() == Money{});
}

TEST_CASE("A node that nobody holds GPUs of is free, whoever would pay") {
  const Priced priced(make::snapshot({of_type(make::node("a", 8), "p5.48xlarge")}, {}),
                      {.by = ChargeBy::whole_node});
  CHECK(only(priced).unallocated(Unallocated::free) == only(priced).price().per_hour);
}

TEST_CASE("A GPU that has failed is paid for") {
  const Priced priced(
      make::snapshot({of_type(make::node("a", 7), "p5.48xlarge")}, {make::pod("p", "a", 7)}));
  CHECK(cents(only(priced).held()[0]->total()) == 4816);
  CHECK(cents(only(priced).unallocated(Unallocated::unhealthy)) == 688);
}

TEST_CASE("What nobody holds is told apart by why") {
  Node node = of_type(make::node("a", 8), "p5.48xlarge");
  SECTION("cordoned") {
    node.unschedulable = true;
    const Priced priced(make::snapshot({node}, {make::pod("p", "a", 2)}));
    CHECK(cents(only(priced).unallocated(Unallocated::cordoned)) == 4128);
  }
  SECTION("not ready") {
    node.conditions.front().status = "False";
    const Priced priced(make::snapshot({node}, {}));
    CHECK(only(priced).unallocated(Unallocated::unhealthy) == only(priced).price().per_hour);
  }
  SECTION("stranded: one CPU is left, and six GPUs") {
    node.capacity.set("cpu", Quantity::of(16));
    node.capacity.set("memory", *Quantity::parse("64Gi"));
    node.allocatable = node.capacity;
    Pod pod = make::pod("p", "a", 2);
    pod.containers.front().requests.set("cpu", Quantity::of(15));
    const Priced priced(make::snapshot({node}, {pod}));
    CHECK(cents(only(priced).unallocated(Unallocated::free)) == 688);
    CHECK(cents(only(priced).unallocated(Unallocated::stranded)) == 3440);
  }
}

TEST_CASE("What is held is busy as far as it is used") {
  Snapshot snapshot =
      make::snapshot({of_type(make::node("a", 1), "p3.2xlarge")}, {make::pod("p", "a", 1)});
  SECTION("measured") {
    snapshot.samples.push_back(make::used_by(make::card("a", 0, 0.25), {"p"}));
    const Priced priced(std::move(snapshot));
    const HeldRate rate = only(priced).held()[0].value();
    CHECK(rate.busy.nano == 765'000'000);
    CHECK(rate.idle.nano == 2'295'000'000);
    CHECK(rate.unknown == Money{});
  }
  SECTION("not measured: never idle") {
    const Priced priced(std::move(snapshot));
    CHECK(only(priced).held()[0] == HeldRate{.unknown = {3'060'000'000}});
  }
  SECTION("not started: idle for certain") {
    snapshot.pods.front().phase = "Pending";
    const Priced priced(std::move(snapshot));
    CHECK(only(priced).held()[0] == HeldRate{.idle = {3'060'000'000}});
  }
}

TEST_CASE("A node without a price costs nothing that anybody knows") {
  const Priced priced(
      make::snapshot({of_type(make::node("a", 8), "p99.metal")}, {make::pod("p", "a", 2)}));
  CHECK_FALSE(only(priced).price().per_hour);
  CHECK_FALSE(only(priced).held()[0]);
  CHECK(only(priced).held_cards(0) == 2);
  CHECK(sum_of(only(priced)) == Money{});
}

TEST_CASE("Absurd counts are not believed, and nothing overflows") {
  Node node = of_type(make::node("a", 1), "p5.48xlarge");
  node.capacity.set("nvidia.com/gpu", Quantity::of(std::int64_t{1} << 62));
  node.allocatable = node.capacity;
  const Priced priced(make::snapshot({node}, {make::pod("p", "a", std::int64_t{1} << 61)}));
  CHECK(sum_of(only(priced)) == only(priced).price().per_hour);
  CHECK_FALSE(only(priced).held()[0]);
}

TEST_CASE("A node's price is the sum of its parts, in clusters of every kind") {
  const PriceBook table;
  PriceBook prices;
  prices.add({{price_flag("1.000000007")}, {}});
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    make::Generated generated(seed);
    Snapshot snapshot = generated.snapshot();
    generated.add_samples(snapshot);
    if (seed % 7 == 0) snapshot.pod_coverage = Coverage::partial;
    const ChargeBy by = static_cast<ChargeBy>(seed % 3);
    const Priced priced(std::move(snapshot), {by}, prices);
    for (const Ledger::Entry& entry : priced.ledger.nodes()) {
      INFO("seed " << seed << " node " << entry.name());
      const NodeLedger& node = entry.ledger;
      if (!node.price().per_hour) continue;
      CHECK(sum_of(node) == *node.price().per_hour);
      CHECK(node.unseen() >= Money{});
      CHECK(node.unallocated_sum() >= Money{});
      CHECK(node.held_sum().idle >= Money{});
    }
  }
}

}  // namespace
}  // namespace gpu::cost
