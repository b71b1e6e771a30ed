#include "diagnose/nodes/candidates.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_candidates_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

using Names = std::vector<std::string>;

/// The nodes that the pod selects, nearest first.
Names nearest(const Snapshot& snapshot, const Pod& pod) {
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  Names names;
  for (const Candidate& each : candidates_of(verdict, NodeReasons(cluster, pod, verdict)))
    names.push_back(snapshot.nodes[each.verdict->node].name);
  return names;
}

Candidate with(BlockerKinds kinds) {
  Candidate made;
  made.kinds = kinds;
  return made;
}

Node cordoned(const std::string& name, std::int64_t gpus) {
  Node made = make::node(name, gpus);
  made.unschedulable = true;
  return made;
}

}  // namespace

TEST_CASE("a node with fewer kinds of blockers is nearer, then one with more free GPUs") {
  const Snapshot snapshot =
      make::cluster({cordoned("both", 2), make::node("two", 2), make::node("three", 3)});
  CHECK(nearest(snapshot, make::waiting("train-0", 4)) == Names{"three", "two", "both"});
}

TEST_CASE("a node without GPUs comes last") {
  const Snapshot snapshot = make::cluster({make::node("none", 0), cordoned("few", 2)});
  CHECK(nearest(snapshot, make::waiting("train-0", 4)) == Names{"few", "none"});
}

TEST_CASE("a node that the pod does not select is no candidate") {
  const Snapshot snapshot =
      make::cluster({make::node("other", 2), make::labelled("mine", {{"pool", "a"}}, 2)});
  Pod pod = make::waiting("train-0", 4);
  pod.node_selector = {{"pool", "a"}};
  CHECK(nearest(snapshot, pod) == Names{"mine"});
}

TEST_CASE("what a candidate lacks") {
  CHECK(with({BlockerKind::few_free_gpus, BlockerKind::too_many_pods}).lacks_only_room());
  CHECK_FALSE(with({BlockerKind::few_free_gpus, BlockerKind::taint}).lacks_only_room());
  CHECK(with({BlockerKind::no_device_plugin}).lacks_only_stack());
  CHECK_FALSE(with({BlockerKind::no_device_plugin, BlockerKind::taint}).lacks_only_stack());
  CHECK(with({BlockerKind::taint}).has_the_gpus());
  CHECK_FALSE(with({BlockerKind::taint, BlockerKind::few_gpus}).has_the_gpus());
}

}  // namespace nodes_candidates_test
