#include "cost/rows/cost_row.hpp"

#include <catch2/catch.hpp>

#include "cost/ledger/make_ledger.hpp"
#include "usage/generated.hpp"

namespace gpu::cost::rows_cost_row_test {
namespace {

Pod in(Pod pod, const std::string& ns, const std::string& team) {
  pod.ns = ns;
  if (!team.empty()) pod.labels.set("team", team);
  return pod;
}

TEST_CASE("Rows of namespaces and labels sum up the same pods") {
  const make::Priced priced(
      make::snapshot({make::of_type(make::node("a", 8), "p5.48xlarge")},
                     {in(make::pod("p", "a", 1), "ml", "red"), in(make::pod("q", "a", 2), "ml", ""),
                      in(make::pod("r", "a", 4), "web", "red")}));
  const auto lines = cost_lines(priced.ledger, priced.snapshot, std::nullopt);
  const auto namespaces = demand_rows(lines, GroupBy::ns);
  REQUIRE(namespaces.size() == 2);
  CHECK(namespaces[0].ns == "web");
  CHECK(namespaces[0].rate.value()->total() == Money{27'520'000'000});
  CHECK(namespaces[1].units == 3);
  const auto labels = demand_rows(lines, GroupBy::label, "team");
  REQUIRE(labels.size() == 2);
  CHECK(labels[0].name == "red");
  CHECK(labels[0].units == 5);
  CHECK(labels[1].name.empty());
}

TEST_CASE("A claim that several pods share is counted once, and paid by all of them") {
  CostLine one{.ns = "ml", .claim = "shared", .resource = "gpu.nvidia.com", .units = 2};
  const Pool pool{.node = "a", .resource = "gpu.nvidia.com"};
  const Pod first = make::pod("p", "a", 0);
  const Pod second = make::pod("q", "a", 0);
  one.pool = &pool;
  one.holds_now = true;
  one.rate = HeldRate{.busy = {3}};
  CostLine other = one;
  one.pod = &first;
  other.pod = &second;
  const auto rows = demand_rows({one, other}, GroupBy::ns);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].units == 2);
  CHECK(rows[0].pods == 2);
  CHECK(rows[0].rate.value()->busy == Money{6});
}

TEST_CASE("A sum says how much of it has no price") {
  CostLine priced{.ns = "ml", .units = 1};
  const Pool pool{.node = "a"};
  priced.pool = &pool;
  priced.holds_now = true;
  priced.rate = HeldRate{.idle = {5}};
  CostLine unpriced = priced;
  unpriced.rate.reset();
  unpriced.units = 3;
  const auto rows = demand_rows({priced, unpriced}, GroupBy::ns);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].rate.value()->idle == Money{5});
  CHECK(rows[0].unpriced_units == 3);
  CHECK_FALSE(demand_rows({unpriced}, GroupBy::ns)[0].rate.value());
}

TEST_CASE("A total of which a part has no price is the least that it came to") {
  CostLine known{.ns = "ml", .owner = {.kind = "Deployment", .name = "llm"}};
  const Pod first = make::pod("p", "a", 1);
  const Pod second = make::pod("q", "gone", 1);
  known.pod = &first;
  known.total = Money{7};
  known.held_for = std::chrono::seconds(60);
  CostLine unknown = known;
  unknown.pod = &second;
  unknown.total.reset();
  const auto both = demand_rows({known, unknown}, GroupBy::owner);
  REQUIRE(both.size() == 1);
  CHECK(both[0].total.value() == Money{7});
  CHECK(both[0].evidence == Evidence::lower_bound);
  CHECK(demand_rows({known}, GroupBy::owner)[0].evidence == Evidence::exact);
  CHECK_FALSE(demand_rows({unknown}, GroupBy::owner)[0].total.value());
}

TEST_CASE("Nodes, models and all together cost the same, in clusters of every kind") {
  PriceBook prices;
  prices.add({{price_flag("1.000000007")}, {}});
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    make::Generated generated(seed);
    const make::Priced priced(generated.snapshot(), {}, prices);
    const CostRow all = total_row(priced.ledger);
    Money nodes, models, held;
    for (const CostRow& row : node_rows(priced.ledger)) nodes += row.price.sum;
    for (const CostRow& row : model_rows(priced.ledger)) models += row.price.sum;
    for (const CostRow& row :
         demand_rows(cost_lines(priced.ledger, priced.snapshot, std::nullopt), GroupBy::pod))
      held += row.rate.sum.total();
    CHECK(nodes == all.price.sum);
    CHECK(models == all.price.sum);
    CHECK(held == all.rate.sum.total());
    CHECK(all.price.sum == all.rate.sum.total() + all.unallocated_sum() + all.unseen + all.host);
  }
}

}  // namespace
}  // namespace gpu::cost::rows_cost_row_test
