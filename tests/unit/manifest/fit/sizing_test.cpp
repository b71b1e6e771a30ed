#include "manifest/fit/sizing.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"

namespace fit_sizing_test {

using namespace gpu;
using namespace gpu::manifest;

namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

GpuNodes nodes_with(std::int64_t gpus, std::int64_t cpus, std::int64_t gib) {
  GpuNodes nodes;
  nodes.resource = "nvidia.com/gpu";
  nodes.nodes = 1;
  nodes.largest = gpus;
  nodes.cpu = Quantity::of(cpus);
  nodes.memory = Quantity::of(gib * kGibi);
  return nodes;
}

/// "CPUS MEMORY SHM"; "-" where /dev/shm is left as it is.
std::string text_of(const Sizes& sizes) {
  return cpu_text(sizes.cpu) + " " + bytes_text(sizes.memory) + " " +
         (sizes.shm ? bytes_text(*sizes.shm) : "-");
}

Sizes sizes_for(Workload workload, std::int64_t units, std::vector<const GpuNodes*> nodes = {},
                const GenOptions& options = {}) {
  const ClusterFacts facts;
  const GenRequest request{.options = options, .facts = facts, .notes = {}};
  Accelerator accelerator{.resource = "nvidia.com/gpu", .units = units};
  accelerator.nodes = std::move(nodes);
  return sizes_of(request, accelerator, workload);
}

std::string sized(Workload workload, std::int64_t units, std::vector<const GpuNodes*> nodes = {},
                  const GenOptions& options = {}) {
  return text_of(sizes_for(workload, units, std::move(nodes), options));
}

}  // namespace

TEST_CASE("Without a cluster each workload has its usual figures for a GPU") {
  CHECK(sized(Workload::training, 1) == "8 64Gi 16Gi");
  CHECK(sized(Workload::notebook, 1) == "4 16Gi 4Gi");
  CHECK(sized(Workload::inference, 1) == "4 16Gi 2Gi");
  CHECK(sized(Workload::ray, 1) == "8 64Gi 19Gi");
  CHECK(sized(Workload::check, 1) == "1 2Gi -");
}

TEST_CASE("Usual figures grow with the GPUs") {
  CHECK(sized(Workload::training, 4) == "32 256Gi 64Gi");
  CHECK(sized(Workload::notebook, 2) == "8 32Gi 8Gi");
  CHECK(sized(Workload::inference, 2) == "8 32Gi 8Gi");
  CHECK(sized(Workload::check, 2) == "2 4Gi -");
}

TEST_CASE("A pod gets nine tenths of its share of the node") {
  const GpuNodes node = nodes_with(8, 100, 640);
  // 1/8 of 90 CPUs and of 576 GiB.
  CHECK(sized(Workload::training, 1, {&node}) == "11 72Gi 16Gi");
  CHECK(sized(Workload::training, 8, {&node}) == "90 576Gi 128Gi");
}

TEST_CASE("A pod on a node with one GPU gets nine tenths of the node, as far as it needs them") {
  const GpuNodes node = nodes_with(1, 12, 100);
  CHECK(sized(Workload::training, 1, {&node}) == "10 88Gi 16Gi");
}

TEST_CASE("Memory is in whole eights of GiB from 32 on, and in whole GiB below") {
  // 9/10 of a quarter each: 45, 31.5 and 32.4 GiB.
  const GpuNodes large = nodes_with(4, 100, 200);
  CHECK(sized(Workload::training, 1, {&large}) == "16 40Gi 10Gi");
  const GpuNodes small = nodes_with(4, 100, 140);
  CHECK(sized(Workload::training, 1, {&small}) == "16 31Gi 7Gi");
  const GpuNodes just = nodes_with(4, 100, 144);
  CHECK(sized(Workload::training, 1, {&just}) == "16 32Gi 8Gi");
}

TEST_CASE("Training takes no more than 16 CPUs and 128 GiB for each GPU of a large node") {
  const GpuNodes huge = nodes_with(8, 1000, 8000);
  CHECK(sized(Workload::training, 1, {&huge}) == "16 128Gi 16Gi");
  CHECK(sized(Workload::training, 2, {&huge}) == "32 256Gi 32Gi");
  CHECK(sized(Workload::ray, 1, {&huge}).starts_with("16 128Gi"));
}

TEST_CASE("Notebooks and servers take what they usually need, or their share where it is less") {
  const GpuNodes huge = nodes_with(8, 1000, 8000);
  CHECK(sized(Workload::notebook, 1, {&huge}) == "4 16Gi 4Gi");
  CHECK(sized(Workload::inference, 2, {&huge}) == "8 32Gi 8Gi");
  const GpuNodes small = nodes_with(4, 12, 40);
  CHECK(sized(Workload::notebook, 1, {&small}) == "2 9Gi 2Gi");
  CHECK(sized(Workload::inference, 1, {&small}) == "2 9Gi 2Gi");
}

TEST_CASE("Even of a tiny node a pod gets one CPU and one GiB") {
  const GpuNodes tiny = nodes_with(8, 2, 4);
  CHECK(sized(Workload::training, 1, {&tiny}) == "1 1Gi 256Mi");
}

TEST_CASE("The least of the groups counts, of CPU and of memory by themselves") {
  const GpuNodes many_cpus = nodes_with(4, 64, 100);
  const GpuNodes much_memory = nodes_with(4, 40, 400);
  CHECK(sized(Workload::training, 1, {&many_cpus, &much_memory}) == "9 22Gi 5Gi");
  CHECK(sized(Workload::training, 1, {&much_memory, &many_cpus}) == "9 22Gi 5Gi");
}

TEST_CASE("Nodes that have too few GPUs for a pod do not size it") {
  const GpuNodes small = nodes_with(4, 16, 64);
  const GpuNodes large = nodes_with(8, 160, 1600);
  CHECK(sized(Workload::training, 8, {&small, &large}) == "128 1Ti 128Gi");
  CHECK(sized(Workload::training, 4, {&small, &large}) == "14 56Gi 14Gi");
  CHECK(sized(Workload::training, 16, {&small}) == "128 1Ti 256Gi");
}

TEST_CASE("A comment says by what a pod is sized") {
  const GpuNodes node = nodes_with(8, 100, 640);
  CHECK(sizes_for(Workload::training, 2, {&node}).why.comment ==
        "sized as 2 of the 8 GPUs of a node; --cpu and --memory change it");
  CHECK(sizes_for(Workload::training, 1).why.comment ==
        "usual for 1 GPU, not fitted to a node; --cpu and --memory change it");
  CHECK(sizes_for(Workload::training, 2).why.comment ==
        "usual for 2 GPUs, not fitted to a node; --cpu and --memory change it");
  CHECK(sizes_for(Workload::check, 1).why.comment.empty());
}

TEST_CASE("The comment names the node with the fewest CPUs for each GPU") {
  const GpuNodes eight = nodes_with(8, 64, 640);
  const GpuNodes four = nodes_with(4, 64, 640);
  CHECK(sizes_for(Workload::training, 2, {&four, &eight}).why.comment.find("of the 8 GPUs") !=
        std::string::npos);
}

TEST_CASE("A check is small on a large node, too") {
  const GpuNodes huge = nodes_with(8, 1000, 8000);
  CHECK(sized(Workload::check, 1, {&huge}) == "1 2Gi -");
}

TEST_CASE("What is given counts, and only both figures together need no comment") {
  GenOptions options;
  options.cpu = Quantity::of_milli(2500);
  CHECK(sized(Workload::training, 1, {}, options) == "2500m 64Gi 16Gi");
  CHECK_FALSE(sizes_for(Workload::training, 1, {}, options).why.comment.empty());
  options.memory = Quantity::of(40 * kGibi);
  CHECK(sized(Workload::training, 1, {}, options) == "2500m 40Gi 10Gi");
  CHECK(sizes_for(Workload::training, 1, {}, options).why.comment.empty());
  options.cpu.reset();
  CHECK_FALSE(sizes_for(Workload::training, 1, {}, options).why.comment.empty());
}

TEST_CASE("/dev/shm is a quarter of the memory at most, in whole GiB, or MiB of little memory") {
  GenOptions options;
  options.memory = Quantity::of(11 * kGibi);
  CHECK(sized(Workload::training, 1, {}, options) == "8 11Gi 2Gi");
  CHECK(sized(Workload::inference, 2, {}, options) == "8 11Gi 2Gi");
  options.memory = Quantity::of(2 * kGibi);
  CHECK(sized(Workload::notebook, 1, {}, options) == "4 2Gi 512Mi");
  options.memory = Quantity::of(4 * kGibi);
  CHECK(sized(Workload::notebook, 1, {}, options) == "4 4Gi 1Gi");
  options.memory = Quantity::of(kGibi / 2 + 1);
  CHECK(sized(Workload::notebook, 1, {}, options).ends_with(" 128Mi"));
  options.memory = Quantity::of(kGibi / 1024);
  CHECK(sized(Workload::notebook, 1, {}, options) == "4 1Mi 1Mi");
  options.memory = Quantity::of(400 * kGibi);
  CHECK(sized(Workload::training, 1, {}, options) == "8 400Gi 16Gi");
  CHECK(sized(Workload::training, 2, {}, options) == "16 400Gi 32Gi");
  CHECK(sized(Workload::notebook, 1, {}, options) == "4 400Gi 8Gi");
  CHECK(sized(Workload::inference, 1, {}, options) == "4 400Gi 2Gi");
  CHECK(sized(Workload::inference, 2, {}, options) == "8 400Gi 8Gi");
}

TEST_CASE("Ray keeps three tenths of the memory for objects, in whole GiB or MiB") {
  GenOptions options;
  options.memory = Quantity::of(10 * kGibi);
  CHECK(sized(Workload::ray, 1, {}, options) == "8 10Gi 3Gi");
  options.memory = Quantity::of(2 * kGibi);
  CHECK(sized(Workload::ray, 1, {}, options) == "8 2Gi 614Mi");
}

TEST_CASE("--shm counts, and has to be less than the memory that it is part of") {
  GenOptions options;
  options.shm = Quantity::of(63 * kGibi);
  CHECK(sized(Workload::training, 1, {}, options) == "8 64Gi 63Gi");
  options.shm = Quantity::of(64 * kGibi);
  CHECK_THROWS_AS(sized(Workload::training, 1, {}, options), Error);
  options.memory = Quantity::of(65 * kGibi);
  CHECK(sized(Workload::training, 1, {}, options) == "8 65Gi 64Gi");
}

TEST_CASE("A pod without GPUs has two CPUs, and a large /dev/shm only where Ray needs it") {
  GenOptions options;
  options.is_cpu_only = true;
  CHECK(sized(Workload::training, 0, {}, options) == "2 4Gi -");
  CHECK(sized(Workload::ray, 0, {}, options) == "2 4Gi 1Gi");
  options.shm = Quantity::of(kGibi);
  CHECK(sized(Workload::training, 0, {}, options) == "2 4Gi 1Gi");
}

}  // namespace fit_sizing_test
