#include "usage/rows/gaps.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace rows_gaps_test {

using namespace gpu;
using namespace gpu::usage;
using namespace std::chrono_literals;

namespace {

const std::optional<Time> kNow = parse_time("2026-11-01T10:00:00Z");

/// A card of "a" that was measured so long ago, and nodes "b" and "c" without live use.
Snapshot partial(std::chrono::seconds age) {
  Snapshot snapshot =
      make::snapshot({make::node("a", 1), make::node("b", 1), make::node("c", 1)}, {});
  Sample sample = make::card("a", 0, 0.01);
  sample.at = *kNow - age;
  snapshot.samples = {sample};
  snapshot.use_coverage = Coverage::partial;
  return snapshot;
}

Gap of_metrics(std::vector<std::string> nodes) {
  return {.what = "any words",
          .why = "",
          .help = "",
          .missing = Missing::metrics,
          .nodes = std::move(nodes)};
}

std::vector<std::string> texts(const std::vector<Gap>& gaps) {
  std::vector<std::string> texts;
  for (const Gap& gap : gaps) texts.push_back(gap.what);
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("nodes without live use are a gap, unless one says why") {
  Snapshot snapshot = partial(1s);
  const std::vector<Gap> gaps = gaps_of(Inventory(snapshot, kNow));
  REQUIRE(texts(gaps) == Texts{"no metrics from b and 1 more nodes"});
  CHECK(gaps[0].missing == Missing::metrics);
  CHECK(gaps[0].help_form == HelpForm::command);
  CHECK(gaps[0].nodes == Texts{"b", "c"});
  SECTION("of one of them") {
    snapshot.gaps = {of_metrics({"b"})};
    CHECK(texts(gaps_of(Inventory(snapshot, kNow))) == Texts{"any words", "no metrics from c"});
  }
  SECTION("of nodes that it does not name") {
    snapshot.gaps = {of_metrics({})};
    CHECK(texts(gaps_of(Inventory(snapshot, kNow))) == Texts{"any words"});
  }
  SECTION("in words alone") {
    snapshot.gaps = {
        {.what = "no metrics from b: it sleeps", .why = "", .help = "", .nodes = {"b", "c"}}};
    CHECK(gaps_of(Inventory(snapshot, kNow)).size() == 2);
  }
  SECTION("where no node reports any") {
    snapshot.use_coverage = Coverage::none;
    CHECK(gaps_of(Inventory(snapshot, kNow)).empty());
  }
}

TEST_CASE("each gap is said once") {
  Snapshot snapshot = partial(1s);
  snapshot.gaps = {of_metrics({"b", "c"}), of_metrics({"b", "c"})};
  CHECK(gaps_of(Inventory(snapshot, kNow)).size() == 1);
}

TEST_CASE("that live use is old is said once where all of it is") {
  Snapshot snapshot = partial(120s);
  snapshot.use_coverage = Coverage::whole;
  CHECK(ages_of(Inventory(snapshot, kNow)) == Ages::all_old);
  CHECK(texts(gaps_of(Inventory(snapshot, kNow))) == Texts{"live use is 2m old"});
  Sample fresh = make::card("b", 0, 0.01);
  fresh.at = *kNow;
  snapshot.samples.push_back(fresh);
  CHECK(ages_of(Inventory(snapshot, kNow)) == Ages::some_old);
  CHECK(gaps_of(Inventory(snapshot, kNow)).empty());
  snapshot.samples.erase(snapshot.samples.begin());
  CHECK(ages_of(Inventory(snapshot, kNow)) == Ages::fresh);
  CHECK(ages_of(Inventory(make::snapshot({}, {}), kNow)) == Ages::fresh);
}

TEST_CASE("a node that was asked for and has no GPU is said, where others have one") {
  const Snapshot some = make::snapshot({make::node("a", 1), make::node("b", 0)}, {});
  CHECK(texts(gaps_of_nodes(Inventory(some), {"a", "b"})) == Texts{"node b has no GPU"});
  const Snapshot none = make::snapshot({make::node("b", 0)}, {});
  CHECK(gaps_of_nodes(Inventory(none), {"b"}).empty());
}

TEST_CASE("without nodes what claims hold is unknown, where pods that run name some") {
  Snapshot snapshot = make::snapshot({}, {make::pod("p", "a", 0)});
  snapshot.node_coverage = Coverage::none;
  CHECK(gaps_of_nodes(Inventory(snapshot), {}).empty());
  snapshot.pods.at(0).claim_references = 1;
  CHECK(texts(gaps_of_nodes(Inventory(snapshot), {})) ==
        Texts{"which GPUs pods hold by ResourceClaims is unknown"});
  snapshot.pods.at(0).node_name.clear();
  CHECK(gaps_of_nodes(Inventory(snapshot), {}).empty());
}

TEST_CASE("gaps of nodes that are not shown are dropped, where nodes are known") {
  Snapshot snapshot = make::snapshot({make::node("a", 1)}, {});
  const std::vector<Gap> all = {of_metrics({"a", "b"}), of_metrics({"b"}), of_metrics({})};
  std::vector<Gap> gaps = all;
  drop_gaps_of_others(gaps, Inventory(snapshot), {"a"});
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].nodes == Texts{"a", "b"});
  CHECK(gaps[1].nodes.empty());
  snapshot.node_coverage = Coverage::none;
  gaps = all;
  drop_gaps_of_others(gaps, Inventory(snapshot), {});
  CHECK(gaps == all);
}

TEST_CASE("why no pod is known to be idle is what is missing of the past") {
  std::vector<Gap> gaps = {of_metrics({"a"})};
  const Gap plain = take_idle_gap(gaps, 1h);
  CHECK(plain.what == "which pods are idle for 1h is not known");
  CHECK(plain.why == "no samples of all their GPUs cover that time");
  CHECK(gaps.size() == 1);
  gaps.push_back({.what = "w", .why = "one moment", .help = "look", .missing = Missing::window});
  const Gap told = take_idle_gap(gaps, 1h);
  CHECK(told.what == plain.what);
  CHECK(told.why == "one moment");
  CHECK(told.help == "look");
  CHECK(gaps.empty());
  CHECK(gap_of_some_idle(1, 1h).what == "whether 1 pod is idle for 1h is not known");
  CHECK(gap_of_some_idle(2, 1h).what == "whether 2 pods are idle for 1h is not known");
}

}  // namespace rows_gaps_test
