#include "diagnose/stack/node_maintenance.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_node_maintenance_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// "WHAT | NEAREST $ COMMAND"; empty where nothing is done to the node.
std::string work(const StringMap& labels) {
  const auto it = maintenance_of(make::labelled("a", labels));
  return it ? it->what + " | " + it->nearest + " $ " + it->advice.command : "";
}

constexpr const char* kUpgrade = "nvidia.com/gpu-driver-upgrade-state";
constexpr const char* kPlugin = "nvidia.com/gpu.deploy.device-plugin";
constexpr const char* kLayout = "nvidia.com/mig.config.state";

std::string upgrade(const std::string& state) {
  return "a driver upgrade is under way (" + state +
         ") | once its driver is upgraded $ kubectl get node a -L "
         "nvidia.com/gpu-driver-upgrade-state";
}

}  // namespace

TEST_CASE("a driver upgrade is under way once the node's turn has come, until it is done") {
  CHECK(work({}).empty());
  CHECK(work({{kUpgrade, "upgrade-required"}}).empty());
  CHECK(work({{kUpgrade, "upgrade-done"}}).empty());
  CHECK(work({{kUpgrade, "drain-required"}}) == upgrade("drain-required"));
  CHECK(work({{kUpgrade, "upgrade-failed"}}) ==
        "a driver upgrade has failed (upgrade-failed) | once its driver is repaired $ kubectl get "
        "pods -A -o wide --field-selector spec.nodeName=a");
}

TEST_CASE("a device plugin that is paused for an upgrade says so by itself") {
  const std::string paused = "paused-for-driver-upgrade";
  CHECK(work({{kPlugin, "true"}}).empty());
  for (const std::string state : {"upgrade-done", "upgrade-required"})
    CHECK(work({{kUpgrade, state}, {kPlugin, paused}}) == upgrade(paused));
  CHECK(work({{kPlugin, paused}}) == upgrade(paused));
  CHECK(work({{kUpgrade, "drain-required"}, {kPlugin, paused}}) == upgrade("drain-required"));
}

TEST_CASE("a MIG layout is changed while it is pending or its node restarts") {
  for (const std::string state : {"pending", "rebooting"})
    CHECK(work({{kLayout, state}}) ==
          "its MIG layout is being changed (" + state +
              ") | once its MIG layout is changed $ kubectl get node a -L "
              "nvidia.com/mig.config.state");
  for (const std::string state : {"success", "failed"}) CHECK(work({{kLayout, state}}).empty());
}

TEST_CASE("a node that is being deleted is replaced, whatever else is done to it") {
  Node node = make::labelled("a", {{kUpgrade, "drain-required"}});
  node.deleted = decltype(node.deleted){Time{}};
  const auto it = maintenance_of(node);
  REQUIRE(it);
  CHECK(it->what == "it is being deleted");
  CHECK(it->nearest == "which is being deleted");
  CHECK(it->advice.kind == AdviceKind::add_node);
  CHECK(it->advice.command.empty());
}

namespace {

/// What is done to a node for which a pod has waited that long.
std::optional<NodeMaintenance> work_after(std::chrono::minutes waited, const StringMap& labels) {
  const Time now{std::chrono::hours{1000}};
  Pod pod = make::pod("w", "", 1, "nvidia.com/mig-1g.5gb");
  pod.created = now - waited;
  Snapshot snapshot = make::cluster({make::labelled("a", labels)}, {pod});
  snapshot.taken_at = now;
  const scheduler::Cluster cluster(snapshot);
  return maintenance_of(cluster, cluster.nodes()[0]);
}

}  // namespace

TEST_CASE("a MIG layout that does not come is called stuck, and something else is advised") {
  const StringMap labels = {{kLayout, "pending"}, {"nvidia.com/mig.config", "all-1g.5gb"}};
  const auto fresh = work_after(std::chrono::minutes{20}, labels);
  REQUIRE(fresh);
  CHECK(fresh->more.empty());
  const auto stuck = work_after(std::chrono::minutes{21}, labels);
  REQUIRE(stuck);
  CHECK(stuck->what ==
        "its MIG layout is being changed (pending), and this seems stuck: a pod has waited for "
        "GPUs for 21m");
  REQUIRE(stuck->more.size() == 1);
  CHECK(stuck->more[0].command ==
        "kubectl label node a --overwrite nvidia.com/mig.config=all-disabled\n"
        "kubectl label node a --overwrite nvidia.com/mig.config=all-1g.5gb");
}

TEST_CASE("a device plugin that a MIG change left paused is one, whatever the state says") {
  const auto work = work_after(std::chrono::minutes{1},
                               {{kLayout, "success"}, {kPlugin, "paused-for-mig-change"}});
  REQUIRE(work);
  CHECK(work->what == "its MIG layout is being changed (paused-for-mig-change)");
}

}  // namespace stack_node_maintenance_test
