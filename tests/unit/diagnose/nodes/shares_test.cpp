#include "diagnose/nodes/shares.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_shares_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Node shared(const std::string& name, const std::string& strategy) {
  Node node = make::node(name, 4);
  node.labels = {{"nvidia.com/gpu.count", "1"},
                 {"nvidia.com/gpu.replicas", "4"},
                 {"nvidia.com/gpu.sharing-strategy", strategy},
                 {"nvidia.com/gpu.product", "NVIDIA-H200-SHARED"}};
  return node;
}

std::string word(const std::vector<Node>& nodes, std::int64_t amount) {
  const Snapshot snapshot = make::cluster(nodes);
  const scheduler::Cluster cluster(snapshot);
  return std::string(gpu_word(cluster, *cluster.resource("nvidia.com/gpu"), amount));
}

bool asks_for_several(const Node& node, const Pod& pod) {
  const Snapshot snapshot = make::cluster({node}, {pod});
  const scheduler::Cluster cluster(snapshot);
  return asks_for_several_shares(cluster, pod, 0);
}

}  // namespace

TEST_CASE("shares of cards are called shares, where all that nodes offer are some") {
  CHECK(word({make::node("a", 8)}, 1) == "GPU");
  CHECK(word({shared("a", "time-slicing")}, 1) == "GPU share");
  CHECK(word({shared("a", "mps")}, 2) == "GPU shares");
  CHECK(word({shared("a", "mps"), make::node("b", 8)}, 2) == "GPUs");
}

TEST_CASE("a device plugin counts by container, and refuses several shares of one") {
  CHECK(asks_for_several(shared("a", "time-slicing"), make::waiting("p", 2)));
  CHECK_FALSE(asks_for_several(shared("a", "time-slicing"), make::waiting("p", 1)));
  CHECK_FALSE(asks_for_several(make::node("a", 8), make::waiting("p", 2)));
  Pod two = make::waiting("p", 1);
  two.containers.push_back(two.containers.front());
  CHECK_FALSE(asks_for_several(shared("a", "time-slicing"), two));
}

}  // namespace nodes_shares_test
