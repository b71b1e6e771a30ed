#include "scheduler/filters/node_resources_fit.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_node_resources_fit_test {

using namespace gpu;
using make::Lines;

namespace {

constexpr scheduler::Filter kFilter = scheduler::Filter::node_resources_fit;

Node sized(std::string name, std::string_view cpu, std::string_view memory) {
  Node node = make::node(std::move(name), 0);
  node.allocatable.set("cpu", *Quantity::parse(cpu));
  node.allocatable.set("memory", *Quantity::parse(memory));
  return node;
}

Pod asking(Pod pod, std::string_view resource, std::string_view amount) {
  pod.containers[0].requests.set(resource, *Quantity::parse(amount));
  return pod;
}

}  // namespace

TEST_CASE("what is asked for must be left; more than the node ever has cannot be resolved") {
  const Snapshot snapshot = make::cluster(
      {make::node("a", 8), make::node("b", 8), make::node("c", 1), make::node("d", 0)},
      {make::running("r", "b", {}, 5)});
  CHECK(make::said(snapshot, make::waiting("p", 4), kFilter) ==
        Lines{"a", "b: Insufficient nvidia.com/gpu", "c: Insufficient nvidia.com/gpu!",
              "d: Insufficient nvidia.com/gpu!"});
}

TEST_CASE("all reasons of a node are told, in the scheduler's order") {
  Pod pod = asking(asking(make::waiting("p", 9), "memory", "2Gi"), "cpu", "2");
  pod.containers[0].requests.set("ephemeral-storage", Quantity::of(1));
  Node node = sized("a", "1", "1Gi");
  node.allocatable.set("pods", Quantity::of(0));
  CHECK(make::said(make::cluster({node}), pod, kFilter) ==
        Lines{"a: Too many pods, Insufficient cpu!, Insufficient memory!, "
              "Insufficient ephemeral-storage!, Insufficient nvidia.com/gpu!"});
}

TEST_CASE("a resource that nobody knows is one that every node has none of") {
  const Snapshot snapshot = make::cluster({make::node("a", 8)});
  CHECK(make::said(snapshot, asking(make::waiting("p"), "nvidia.com/gpus", "1"), kFilter) ==
        Lines{"a: Insufficient nvidia.com/gpus!"});
  CHECK(make::said(snapshot, asking(make::waiting("p"), "nvidia.com/gpus", "0"), kFilter) ==
        Lines{"a"});
  CHECK(make::said(snapshot, asking(make::waiting("p"), "noslash", "1"), kFilter) == Lines{"a"});
}

TEST_CASE("cpu is compared in thousandths, rounded up") {
  const Snapshot snapshot =
      make::cluster({sized("a", "1", "1Gi")}, {asking(make::running("r", "a"), "cpu", "600m")});
  CHECK(make::said(snapshot, asking(make::waiting("p"), "cpu", "400m"), kFilter) == Lines{"a"});
  CHECK(make::said(snapshot, asking(make::waiting("p"), "cpu", "400100u"), kFilter) ==
        Lines{"a: Insufficient cpu"});
}

TEST_CASE("pods that finished or stand on no node take nothing; terminating ones do") {
  Pod leaving = make::running("leaving", "a", {}, 8);
  leaving.deleted = Time{};
  CHECK(make::said(make::cluster({make::node("a", 8)}, {leaving}), make::waiting("p", 1),
                   kFilter) == Lines{"a: Insufficient nvidia.com/gpu"});
  Pod failed = make::running("failed", "a", {}, 8);
  failed.phase = "Failed";
  CHECK(make::said(make::cluster({make::node("a", 8)}, {failed, make::waiting("other", 8)}),
                   make::waiting("p", 1), kFilter) == Lines{"a"});
}

TEST_CASE("a nominated pod of at least the same priority holds its place") {
  Pod nominated = make::waiting("n", 8);
  nominated.nominated_node = "a";
  Pod pod = make::waiting("p", 1);
  const auto said = [&] {
    return make::said(make::cluster({make::node("a", 8)}, {nominated}), pod, kFilter);
  };
  CHECK(said() == Lines{"a: Insufficient nvidia.com/gpu"});
  pod.priority = 1;
  CHECK(said() == Lines{"a"});
  nominated.priority = 2;
  CHECK(said() == Lines{"a: Insufficient nvidia.com/gpu"});
  nominated.scheduler_name = "other";
  CHECK(said() == Lines{"a"});
  nominated = pod;
  nominated.nominated_node = "a";  // the pod itself
  CHECK(said() == Lines{"a"});
}

TEST_CASE("nothing is taken off a sum that was too large to be told") {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const Snapshot snapshot =
      make::cluster({make::node("a", 8)},
                    {make::running("r", "a", {}, kMost), make::running("s", "a", {}, kMost)});
  scheduler::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, make::waiting("p", 1), kFilter, change) ==
        Lines{"a: Insufficient nvidia.com/gpu"});
  change.ended.push_back(&snapshot.pods[1]);
  CHECK(make::said(snapshot, make::waiting("p", 1), kFilter, change) == Lines{"a"});
}

TEST_CASE("what pods that end held is free") {
  const Snapshot snapshot = make::cluster(
      {make::node("a", 8)}, {make::running("r", "a", {}, 4), make::running("s", "a", {}, 4)});
  scheduler::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, make::waiting("p", 4), kFilter, change) == Lines{"a"});
  CHECK(make::said(snapshot, make::waiting("p", 5), kFilter, change) ==
        Lines{"a: Insufficient nvidia.com/gpu"});
  change.pod = make::waiting("p", 2);
  CHECK(make::said(snapshot, make::waiting("p", 5), kFilter, change) == Lines{"a"});
}

}  // namespace filters_node_resources_fit_test
