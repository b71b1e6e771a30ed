#include "diagnose/nodes/nearest_cause.hpp"

#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Node tainted(const std::string& name, const std::vector<std::string>& keys) {
  Node made = make::node(name, 8);
  for (const std::string& key : keys) made.taints.push_back({key, "", "NoSchedule", {}});
  return made;
}

std::string headline(const std::vector<Node>& nodes) {
  const Snapshot snapshot = make::cluster(nodes);
  return explain(scheduler::Cluster(snapshot), make::waiting("train-0", 1), {}).summary;
}

}  // namespace

TEST_CASE("two taints of a node are named, and the others counted") {
  CHECK(headline({tainted("n1", {"a", "b"})}) ==
        "pod does not tolerate a:NoSchedule and b:NoSchedule of n1, the 1 node with free GPUs");
  CHECK(headline({tainted("n1", {"a", "b", "c"})}) ==
        "pod does not tolerate a:NoSchedule and b:NoSchedule, and 1 more taint of n1, the 1 node "
        "with free GPUs");
  CHECK(headline({tainted("n1", {"a", "b", "c", "d"})}) ==
        "pod does not tolerate a:NoSchedule and b:NoSchedule, and 2 more taints of n1, the 1 node "
        "with free GPUs");
}

TEST_CASE("taints that all nodes have are named once") {
  CHECK(headline({tainted("n1", {"a"}), tainted("n2", {"a"})}) ==
        "pod does not tolerate a:NoSchedule of the 2 nodes with free GPUs");
}
