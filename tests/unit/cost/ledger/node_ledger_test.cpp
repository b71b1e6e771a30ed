#include "cost/ledger/node_ledger.hpp"

#include <catch2/catch.hpp>

#include "cost/ledger/make_ledger.hpp"
#include "cost/prices/price_rule.hpp"
#include "model/gpu/gpu_models.hpp"
#include "usage/generated.hpp"

namespace gpu::cost::ledger_node_ledger_test {
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

/// Two L4 and four T4, as a cluster has them whose devices claims hand out.
struct TwoModels {
  explicit TwoModels(std::vector<std::string> flags, ChargeRules rules = {})
      : snapshot(make::snapshot({cards()}, {make::pod("l4", "a", 1, "nvidia.com/gpu"),
                                            make::pod("t4", "a", 2, "amd.com/gpu")})),
        inventory(snapshot),
        ledger(named(inventory), book(flags), rules) {}
  static Node cards() {
    Node node = make::node("a", 2);
    node.capacity.set("amd.com/gpu", Quantity::of(4));
    node.allocatable = node.capacity;
    return node;
  }
  static const usage::Inventory& named(usage::Inventory& inventory) {
    for (Pool& pool : inventory.pools) {
      const bool is_l4 = pool.resource == "nvidia.com/gpu";
      pool.product = is_l4 ? "NVIDIA-L4" : "Tesla-T4";
      pool.model = is_l4 ? "L4-24G" : "T4-16G";
    }
    return inventory;
  }
  static PriceBook book(const std::vector<std::string>& flags) {
    PriceRules rules;
    for (const std::string& flag : flags) rules.rules.push_back(price_flag(flag));
    PriceBook prices;
    prices.add(std::move(rules));
    return prices;
  }
  /// What the row of that many units costs an hour.
  [[nodiscard]] std::optional<Money> held(std::int64_t units) const {
    const Ledger::Entry& entry = ledger.nodes().front();
    for (std::size_t i = 0; i < entry.facts.rows.size(); ++i)
      if (entry.facts.rows[i]->holding->units == units)
        return entry.ledger.held()[i] ? std::optional(entry.ledger.held()[i]->total())
                                      : std::nullopt;
    return std::nullopt;
  }
  [[nodiscard]] const NodeLedger& node() const { return ledger.nodes().front().ledger; }

  Snapshot snapshot;
  usage::Inventory inventory;
  Ledger ledger;
};

constexpr std::int64_t kDollar = 1'000'000'000;

TEST_CASE("Each model of a node has its own price where that goes by models") {
  const TwoModels two({"L4=1", "T4=0.5"});
  CHECK(two.held(1) == Money{kDollar});
  CHECK(two.held(2) == Money{kDollar});
  CHECK(two.node().price().per_hour == Money{4 * kDollar});
  CHECK_FALSE(two.node().price().is_estimate);
  CHECK(two.node().cards() == 6);
  CHECK(two.node().unallocated_sum() == Money{2 * kDollar});
  CHECK(sum_of(two.node()) == two.node().price().per_hour);
  CHECK(two.node().prices().size() == 2);
  for (const Pool& pool : two.inventory.pools) {
    const bool is_l4 = pool.product == "NVIDIA-L4";
    CHECK(two.node().rate(pool, 1) == Money{is_l4 ? kDollar : kDollar / 2});
    CHECK(two.node().cards_in(pool, 1) == 1);
    CHECK(two.node().price_of(pool).rule == (is_l4 ? "--price L4=1" : "--price T4=0.5"));
  }
  CHECK(two.node().held_cards(0).value() + two.node().held_cards(1).value() == 3);
  const TwoModels by_ratio({"L4=1", "T4=0.5"}, {.by = ChargeBy::opencost});
  CHECK(sum_of(by_ratio.node()) == by_ratio.node().price().per_hour);
}

TEST_CASE("A price that goes by no model is shared evenly by all of them") {
  const TwoModels node({"node/a=12"});
  CHECK(node.held(1) == Money{2 * kDollar});
  CHECK(node.held(2) == Money{4 * kDollar});
  CHECK_FALSE(node.node().price().is_estimate);
  CHECK(TwoModels({"2.5"}).held(2) == Money{5 * kDollar});
}

TEST_CASE("A model without a price has none, whatever the others of its node cost") {
  TwoModels two({"L4=1"});
  for (Pool& pool : two.inventory.pools)
    if (pool.product == "Tesla-T4") pool.product = "Nobody-Knows";
  const Ledger ledger(two.inventory, TwoModels::book({"L4=1"}), {});
  const NodeLedger& node = ledger.nodes().front().ledger;
  CHECK(node.price().per_hour == Money{2 * kDollar});
  CHECK(node.lacks_price());
  CHECK(sum_of(node) == node.price().per_hour);
  CHECK(node.held_sum().total() == Money{kDollar});
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
  PriceBook by_model;
  for (const GpuModel& model : gpu_models())
    by_model.add(
        {{price_flag(std::string(model.name) + "=0.7" + std::to_string(model.name.size()))}, {}});
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    make::Generated generated(seed);
    Snapshot snapshot = generated.snapshot();
    generated.add_samples(snapshot);
    if (seed % 7 == 0) snapshot.pod_coverage = Coverage::partial;
    const ChargeBy by = static_cast<ChargeBy>(seed % 3);
    const Priced priced(std::move(snapshot), {by}, seed % 2 == 0 ? prices : by_model);
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
}  // namespace gpu::cost::ledger_node_ledger_test
