#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace explain_mixed_pools_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr const char* kShared = "nvidia.com/gpu.shared";
const Taint kTeam{.key = "team", .value = "a", .effect = "NoSchedule"};

Explanation answer(const Snapshot& snapshot, const Pod& pod) {
  return explain(Cluster(snapshot), pod, {});
}

bool asks_for_shares(const Explanation& it) {
  return std::any_of(it.fixes.begin(), it.fixes.end(),
                     [](const Fix& fix) { return fix.summary.find(kShared) != std::string::npos; });
}

Node upgraded(const std::string& state) {
  Node node = make::labelled("g1", {{"nvidia.com/gpu-driver-upgrade-state", state}}, 4);
  node.unschedulable = true;
  return node;
}

std::vector<std::string> nodes_in_order(const Explanation& it) {
  std::vector<std::string> names;
  for (const NodeGroup& group : it.groups)
    for (const NearNode& node : group.nodes) names.push_back(node.name);
  return names;
}

}  // namespace

TEST_CASE("where whole GPUs are held, shares of other cards are not what was meant") {
  for (const std::int64_t gpus : {1, 4}) {
    const Explanation it = answer(make::cluster({make::node("g1", 4), make::node("t1", 8, kShared)},
                                                {make::running("busy", "g1", {}, 4)}),
                                  make::waiting("p", gpus));
    CHECK(it.code == Code::insufficient_gpus);
    CHECK_FALSE(asks_for_shares(it));
    CHECK(nodes_in_order(it) == std::vector<std::string>{"g1", "t1"});
    CHECK(it.groups.at(0).nodes.at(1).note == "only nvidia.com/gpu.shared");
  }
}

TEST_CASE("what keeps whole GPUs away is the reason, shares elsewhere or not") {
  Node tainted = make::node("g1", 4);
  tainted.taints = {kTeam};
  const Explanation it =
      answer(make::cluster({tainted, make::node("t1", 8, kShared)}), make::waiting("p", 1));
  CHECK(it.code == Code::untolerated_taint);
  CHECK(it.summary ==
        "pod does not tolerate team=a:NoSchedule of g1, the only node with free GPUs");
  // More than any whole node has.
  CHECK(answer(make::cluster({make::node("g1", 4), make::node("t1", 8, kShared)}),
               make::waiting("p", 32))
            .code == Code::request_exceeds_every_node);
}

TEST_CASE("GPUs have another name where the nodes that the pod selects offer none of its own") {
  const Node shared = make::node("t1", 8, kShared);
  const Pod plain = make::waiting("p", 1);
  const Explanation nowhere = answer(make::cluster({shared}, {plain}), plain);
  CHECK(nowhere.code == Code::resource_renamed);
  CHECK(asks_for_shares(nowhere));
  Node selected = shared;
  selected.labels = {{"pool", "t4"}};
  Pod pod = make::waiting("p", 1);
  pod.node_selector = {{"pool", "t4"}};
  CHECK(answer(make::cluster({make::node("g1", 4), selected}), pod).code == Code::resource_renamed);
}

TEST_CASE("a node that is being upgraded or deleted is not uncordoned by hand") {
  const Pod pod = make::waiting("p", 1);
  const Explanation it = answer(make::cluster({upgraded("drain-required")}), pod);
  CHECK(it.code == Code::cordoned);
  CHECK(it.summary ==
        "g1, the only node with free GPUs, is cordoned: a driver upgrade is under way "
        "(drain-required)");
  CHECK(it.fixes.empty());
  CHECK(it.nearest == "g1, once its driver is upgraded");
  CHECK(it.advice.size() == 1);
  CHECK(answer(make::cluster({upgraded("upgrade-done")}), pod).fixes.size() == 1);
  Node deleted = upgraded("upgrade-done");
  deleted.deleted = Time{};
  CHECK(answer(make::cluster({deleted}), pod).summary ==
        "g1, the only node with free GPUs, is cordoned: it is being deleted");
}

TEST_CASE("a fix that solves all is not followed by what would be left") {
  Node tainted = make::node("g1", 4);
  tainted.taints = {kTeam};
  tainted.allocatable.set("memory", Quantity::of(std::int64_t{128} << 30));
  Pod pod = make::waiting("p", 1);
  pod.containers.front().requests.set("memory", Quantity::of(std::int64_t{200} << 30));
  const Explanation it = answer(make::cluster({tainted}), pod);
  REQUIRE(it.fixes.size() == 1);
  for (const Remark& remark : it.remarks)
    CHECK(remark.text.find("once that is solved") == std::string::npos);
}

TEST_CASE("nodes that the reason is about come first, those that the pod leaves out last") {
  Pod pod = make::waiting("p");
  pod.containers.front().requests.set("nvidia.com/gpus", Quantity::of(1));
  const Explanation typo = answer(make::cluster({make::node("c1", 0), make::node("g1", 4)}), pod);
  CHECK(nodes_in_order(typo) == std::vector<std::string>{"g1", "c1"});
  CHECK(typo.groups.at(0).blockers.at(0).title == "no nvidia.com/gpus");

  Node broken = make::labelled("g1", {{"nvidia.com/gpu.present", "true"}});
  broken.capacity.set("nvidia.com/gpu", Quantity::of(0));
  const Explanation stack =
      answer(make::cluster({broken, make::node("f1", 4)}, {make::running("busy", "f1", {}, 4)}),
             make::waiting("p", 1));
  CHECK(stack.code == Code::device_plugin_missing);
  CHECK(stack.nearest == "g1: no device plugin");
  CHECK(nodes_in_order(stack) == std::vector<std::string>{"g1", "f1"});

  Pod daemon = make::waiting("d");
  daemon.node_selector = {{"kubernetes.io/hostname", "z1"}};
  daemon.containers.front().ports = {{.port = 9400, .host_port = 9400}};
  Pod other = make::running("other", "z1");
  other.containers.front().ports = daemon.containers.front().ports;
  const Explanation port =
      answer(make::cluster({make::labelled("c1", {{"kubernetes.io/hostname", "c1"}}),
                            make::labelled("z1", {{"kubernetes.io/hostname", "z1"}})},
                           {other}),
             daemon);
  CHECK(nodes_in_order(port) == std::vector<std::string>{"z1", "c1"});
}

TEST_CASE("a pod whose GPUs are for more than its main container says so") {
  const auto says = [](const Pod& pod, std::string_view part) {
    const Explanation it = answer(make::cluster({make::node("g1", 4)}), pod);
    return std::any_of(it.remarks.begin(), it.remarks.end(), [&](const Remark& remark) {
      return remark.text.find(part) != std::string::npos;
    });
  };
  Pod pod = make::waiting("p", 4);
  Container sidecar{.name = "sidecar"};
  sidecar.requests.set("nvidia.com/gpu", Quantity::of(1));
  pod.containers.push_back(sidecar);
  CHECK(says(pod, "of the 5 nvidia.com/gpu, main requests 4, sidecar 1"));
  Pod init = make::waiting("p", 4);
  init.init_containers = {{.name = "prep"}};
  init.init_containers.front().requests.set("nvidia.com/gpu", Quantity::of(8));
  CHECK(says(init,
             "its init container prep requests 8 nvidia.com/gpu, and what runs after it "
             "4"));
  CHECK_FALSE(says(make::waiting("p", 8), "containers do not share them"));
}

TEST_CASE("what the scheduler may do by itself is told, and that it has not") {
  Pod low = make::running("low", "g1", {}, 4);
  low.priority = 0;
  Pod pod = make::waiting("p", 4);
  pod.priority = 1000;
  pod.created = Time{std::chrono::seconds{0}};
  const Snapshot snapshot = make::cluster({make::node("g1", 4)}, {low});
  const auto notes = [&](const Pod& asked) {
    std::string text;
    const ExplainOptions options{.now = Time{std::chrono::minutes{30}}};
    for (const Remark& remark : explain(Cluster(snapshot), asked, options).remarks)
      text += remark.text + "\n";
    return text;
  };
  CHECK(notes(pod).find("the scheduler may make room by itself: on g1, ending pods of a priority "
                        "below 1000 is enough; it has not in the 30m that the pod waits") !=
        std::string::npos);
  pod.nominated_node = "g1";
  CHECK(notes(pod).find("may make room") == std::string::npos);
  pod.nominated_node.clear();
  pod.priority = 0;
  CHECK(notes(pod).find("may make room") == std::string::npos);
}

}  // namespace explain_mixed_pools_test
