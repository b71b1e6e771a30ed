#include "plan/filling.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_filling_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

/// With CPU and memory, which scores go by.
Node sized(std::string name, std::int64_t gpus, std::int64_t cpu) {
  Node node = make::node(std::move(name), gpus);
  for (ResourceList* const list : {&node.capacity, &node.allocatable}) {
    list->set("cpu", Quantity::of(cpu));
    list->set("memory", Quantity::of(std::int64_t{64} << 30));
  }
  return node;
}

Pod wanting(std::int64_t gpus) {
  Pod pod = make::waiting("train", gpus);
  for (Container& each : pod.containers) {
    each.requests.set("cpu", Quantity::of(1));
    each.limits = each.requests;
  }
  return pod;
}

std::string node_of(const Filling& filling, const Started& started) {
  return filling.cluster().nodes()[started.node].node->name;
}

/// The nodes of so many pods, one after the other; "-" where one does not start.
std::vector<std::string> nodes_of(Filling& filling, const Pod& pod, int count, TieBreak ties) {
  std::vector<std::string> nodes;
  for (int i = 0; i < count; ++i) {
    const auto started = filling.start(pod, ties);
    nodes.push_back(started ? node_of(filling, *started) : "-");
  }
  return nodes;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a pod goes where the scores are highest, and the next sees it there") {
  Filling filling(make::cluster({sized("a", 4, 8), sized("b", 4, 32)}));
  // LeastAllocated: b is emptier until a has the larger free share.
  CHECK(nodes_of(filling, wanting(1), 5, TieBreak(TieBreak::Way::first)) ==
        Names{"b", "b", "b", "b", "a"});
}

TEST_CASE("what is chosen at random is said, and the ends of it can be tried") {
  const Snapshot snapshot = make::cluster({sized("a", 4, 8), sized("b", 8, 8)});
  const auto first_of = [&](TieBreak::Way way) {
    Filling filling(snapshot);
    TieBreak ties(way);
    const auto started = filling.start(wanting(1), ties);
    REQUIRE(started);
    CHECK(started->is_by_chance);
    return node_of(filling, *started);
  };
  CHECK(first_of(TieBreak::Way::first) == "a");
  CHECK(first_of(TieBreak::Way::fullest) == "a");
  CHECK(first_of(TieBreak::Way::emptiest) == "b");
  Filling one(make::cluster({sized("a", 4, 8)}));
  TieBreak ties(TieBreak::Way::first);
  CHECK_FALSE(one.start(wanting(1), ties)->is_by_chance);
}

TEST_CASE("random choices are the same in each run with one seed") {
  Names nodes;
  for (int i = 0; i < 2; ++i) {
    Filling filling(make::cluster({sized("a", 8, 8), sized("b", 8, 8), sized("c", 8, 8)}));
    const Names now = nodes_of(filling, wanting(1), 6, TieBreak::of_run(7));
    CHECK((nodes.empty() || nodes == now));
    nodes = now;
  }
  CHECK(std::find(nodes.begin(), nodes.end(), "-") == nodes.end());
}

TEST_CASE("what started is taken back to a mark, with what scores went by") {
  Filling filling(make::cluster({sized("a", 2, 8), sized("b", 2, 8)}));
  const Filling::Mark mark = filling.mark();
  const TieBreak ties(TieBreak::Way::first);
  const Names before = nodes_of(filling, wanting(1), 5, ties);
  CHECK(before == Names{"a", "b", "a", "b", "-"});
  filling.back_to(mark);
  CHECK(nodes_of(filling, wanting(1), 5, ties) == before);
}

TEST_CASE("a quota that the first pod fills holds the second") {
  Snapshot snapshot = make::cluster({sized("a", 4, 8)});
  ResourceQuota quota{.ns = "ml", .name = "team"};
  quota.hard.set("requests.nvidia.com/gpu", Quantity::of(1));
  quota.used.set("requests.nvidia.com/gpu", Quantity::of(0));
  snapshot.scheduling.quotas.push_back(quota);
  Filling filling(snapshot);
  const TieBreak ties(TieBreak::Way::first);
  CHECK(nodes_of(filling, wanting(1), 2, ties) == Names{"a", "-"});
}

TEST_CASE("lower pods are preempted, and come back with the mark") {
  Pod low = make::running("low", "a", {}, 4);
  low.priority = -1;
  Filling filling(make::cluster({sized("a", 4, 8)}, {low}));
  Pod pod = wanting(4);
  pod.priority = 0;
  const Filling::Mark mark = filling.mark();
  TieBreak ties(TieBreak::Way::first);
  const auto started = filling.start(pod, ties);
  REQUIRE(started);
  CHECK(started->stops == Names{"ml/low"});
  filling.back_to(mark);
  CHECK(filling.cluster().nodes()[0].pods.size() == 1);
}

}  // namespace plan_filling_test
