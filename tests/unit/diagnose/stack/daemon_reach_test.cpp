#include "diagnose/stack/daemon_reach.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

bool is_driver(const std::string& image) {
  Snapshot snapshot = make::cluster({make::node("a", 8)});
  DaemonSet daemon{.ns = "x", .name = "x"};
  daemon.pod.containers = {{.name = "x", .image = image}};
  snapshot.scheduling.daemon_sets = {daemon};
  return !StackDaemons(Cluster(snapshot)).of(DaemonRole::driver).empty();
}

}  // namespace

TEST_CASE("an image is a driver by its name, whatever its registry, tag and digest") {
  CHECK(is_driver("driver"));
  CHECK(is_driver("driver:580"));
  CHECK(is_driver("registry.example.com:5000/mirror/driver:580@sha256:0123"));
  CHECK_FALSE(is_driver("registry.example.com/mirror/csi-driver:580"));
  CHECK_FALSE(is_driver("registry.example.com/driver/mirror"));
}
