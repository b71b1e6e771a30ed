#include "diagnose/stack/daemon_labels.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_daemon_labels_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// The commands and texts that bring a DaemonSet with this selector to a node.
std::vector<Advice> advice(const StringMap& selector, const StringMap& labels,
                           const StringMap& others = {}) {
  Node node = make::labelled("a", labels);
  const Snapshot snapshot = make::cluster({node, make::labelled("b", others)});
  const scheduler::Cluster cluster(snapshot);
  DaemonSet daemon{.ns = "gpu", .name = "plugin"};
  daemon.pod.node_selector = selector;
  return label_advice(cluster, daemon, snapshot.nodes[0], reach_of(daemon, snapshot.nodes[0]));
}

}  // namespace

TEST_CASE("a label that a DaemonSet selects is to be set, and overwritten where it is there") {
  CHECK(advice({{"gpu", "on"}}, {}).at(0).command == "kubectl label node a gpu=on");
  CHECK(advice({{"gpu", "on"}}, {{"gpu", "off"}}).at(0).command ==
        "kubectl label node a gpu=on --overwrite");
}

TEST_CASE("a selector that no node can match switches a DaemonSet off, and is to be taken off") {
  const auto off = advice({{"example.com/none", "x"}}, {});
  REQUIRE(off.size() == 1);
  CHECK(off[0].command ==
        "kubectl patch daemonset -n gpu plugin --type json -p "
        "'[{\"op\":\"remove\",\"path\":\"/spec/template/spec/nodeSelector/example.com~1none\"}]'");
  CHECK(advice({{"example.com/none", "x"}}, {}, {{"example.com/none", "x"}}).at(0).command ==
        "kubectl label node a example.com/none=x");
}

TEST_CASE("what node feature discovery has seen in another form is said") {
  const std::string key = "feature.node.kubernetes.io/pci-";
  const auto found =
      advice({{key + "10de.present", "true"}}, {{key + "0300_10de.present", "true"}});
  REQUIRE(found.size() == 2);
  CHECK(found[1].summary.find(key + "0300_10de.present") != std::string::npos);
  // The card of another maker is none.
  CHECK(advice({{key + "10de.present", "true"}}, {{key + "0300_1002.present", "true"}}).size() ==
        1);
}

}  // namespace stack_daemon_labels_test
