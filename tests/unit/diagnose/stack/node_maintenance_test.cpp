#include "diagnose/stack/node_maintenance.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

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
        "a driver upgrade has failed (upgrade-failed) | once its driver is mended $ kubectl get "
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
