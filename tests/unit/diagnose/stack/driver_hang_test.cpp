#include "diagnose/stack/driver_hang.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace stack_driver_hang_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

std::string hanging(const Node& node, const std::vector<Pod>& pods = {},
                    const std::vector<ResourceSlice>& slices = {}) {
  Snapshot snapshot = make::cluster({node}, pods);
  snapshot.slices = slices;
  const scheduler::Cluster cluster(snapshot);
  return hanging_driver(cluster, cluster.nodes().front()).value_or("none");
}

const std::string kMig = "nvidia.com/mig-1g.10gb";

/// The pod of a driver with that image.
Pod driver_pod(const std::string& image) {
  Pod made = make::running("driver", "a");
  made.containers.front().image = image;
  return made;
}

ResourceSlice slice_with(const std::string& node, const std::string& driver,
                         const std::string& version) {
  Device card = make::card("gpu-0");
  card.attributes.set("driverVersion", version);
  return make::slice(node, {card}, driver);
}

}  // namespace

TEST_CASE("a driver's release is read from its pod's image") {
  const Node node = make::node("a", 7, kMig);
  CHECK(hanging(node) == "none");
  for (const std::string release : {"570.124.06", "570.133.20", "570.148.08", "570.158.01"})
    CHECK(hanging(node, {driver_pod("nvcr.io/nvidia/driver:" + release + "-ubuntu22.04")}) ==
          release);
  CHECK(hanging(node, {driver_pod("nvcr.io/nvidia/driver:570.133.20")}) == "570.133.20");
  CHECK(hanging(node, {driver_pod("nvcr.io/nvidia/driver:580.65.06-ubuntu22.04")}) == "none");
  CHECK(hanging(node, {driver_pod("nvcr.io/nvidia/other:570.133.20")}) == "none");
}

TEST_CASE("a driver hangs only on nodes that have MIG slices") {
  const std::vector<Pod> pods = {driver_pod("nvcr.io/nvidia/driver:570.133.20-ubuntu22.04")};
  CHECK(hanging(make::node("a", 8), pods) == "none");
  Node gone = make::node("a", 8);
  gone.capacity.set(kMig, Quantity::of(0));
  CHECK(hanging(gone, pods) == "none");
}

TEST_CASE("a driver's release is read from the devices that NVIDIA's DRA driver publishes") {
  const Node node = make::node("a", 7, kMig);
  const std::vector<Pod> pods = {driver_pod("nvcr.io/nvidia/driver:570.133.20")};
  CHECK(hanging(node, pods, {slice_with("a", "gpu.nvidia.com", "570.124.6")}) == "570.124.6");
  CHECK(hanging(node, pods, {slice_with("a", "gpu.nvidia.com", "580.1")}) == "none");
  CHECK(hanging(node, pods, {slice_with("b", "gpu.nvidia.com", "580.1")}) == "570.133.20");
  CHECK(hanging(node, pods, {slice_with("a", "other", "580.1")}) == "570.133.20");
}

}  // namespace stack_driver_hang_test
