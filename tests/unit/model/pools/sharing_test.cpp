#include "model/pools/sharing.hpp"

#include "model/one_pool.hpp"

namespace pools_sharing_test {

using namespace gpu;
using make::only_pool;

namespace {

/// A node of T4 cards whose labels say `count`, `replicas`, and advertise `units`.
Node sliced(std::int64_t units, const std::string& count, const std::string& replicas) {
  Node node = make::node("a", units);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                 {"nvidia.com/gpu.sharing-strategy", "time-slicing"}};
  if (!count.empty()) node.labels.set("nvidia.com/gpu.count", count);
  if (!replicas.empty()) node.labels.set("nvidia.com/gpu.replicas", replicas);
  return node;
}

}  // namespace

TEST_CASE("time-slicing and MPS: shares, and the cards behind them") {
  Node node = sliced(40, "4", "10");
  SharingStrategy expected = SharingStrategy::time_slicing;
  SECTION("time-slicing") {}
  SECTION("MPS") {
    node.labels.set("nvidia.com/gpu.sharing-strategy", "mps");
    expected = SharingStrategy::mps;
  }
  SECTION("without labels of a count") { node = sliced(40, "", "10"); }
  SECTION("replicas follow from the count") { node = sliced(40, "4", ""); }
  const Pool pool = only_pool(node, {make::pod("x", "a", 3)});
  CHECK(pool.sharing == Sharing{expected, 10});
  CHECK(pool.cards == 4);
  CHECK(pool.total == 40);
  CHECK(pool.free == 37);
  CHECK_FALSE(pool.free_cards);  // on one card to three
}

TEST_CASE("renamed shares beside what the kubelet keeps of the old name") {
  Node node = make::node("a", 4);
  node.allocatable.set("nvidia.com/gpu", Quantity{});
  make::advertise(node, "nvidia.com/gpu.shared", 16);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-L40S"},
                 {"nvidia.com/gpu.count", "4"},
                 {"nvidia.com/gpu.replicas", "4"}};
  const Pool pool = only_pool(node);
  CHECK(pool.resource == "nvidia.com/gpu.shared");
  CHECK(pool.sharing == Sharing{SharingStrategy::time_slicing, 4});
  CHECK(pool.cards == 4);
  CHECK(pool.free_cards == 4);
}

TEST_CASE("labels that lie about shares") {
  SECTION("replicas that do not divide capacity") {
    const Pool pool = only_pool(sliced(10, "3", "4"));
    CHECK(pool.sharing == Sharing{SharingStrategy::time_slicing, std::nullopt});
    CHECK_FALSE(pool.cards);
    CHECK(pool.free == 10);
  }
  SECTION("a card failed: its shares are gone, the label still counts it") {
    CHECK(only_pool(sliced(70, "8", "10")).cards == 7);
  }
  SECTION("more cards than labelled are not believed") {
    CHECK_FALSE(only_pool(sliced(80, "4", "10")).cards);
  }
  SECTION("sharing that is not in force") {
    const Pool pool = only_pool(sliced(8, "8", "4"));
    CHECK_FALSE(pool.cards);
    CHECK_FALSE(pool.sharing.replicas);
  }
  SECTION("a strategy of none, and replicas that are not there") {
    Node node = make::node("a", 8);
    node.labels = {{"nvidia.com/gpu.product", "NVIDIA-L4"},
                   {"nvidia.com/gpu.count", "8"},
                   {"nvidia.com/gpu.replicas", "4"},
                   {"nvidia.com/gpu.sharing-strategy", "none"}};
    CHECK(only_pool(node).sharing == Sharing{});
    CHECK(only_pool(node).cards == 8);
  }
  SECTION("a strategy of none, and shares all the same") {
    Node node = sliced(32, "8", "4");
    node.labels.set("nvidia.com/gpu.sharing-strategy", "none");
    CHECK(only_pool(node).sharing == Sharing{SharingStrategy::time_slicing, 4});
    CHECK(only_pool(node).cards == 8);
  }
  SECTION("a product named -SHARED, and nothing else") {
    Node node = make::node("a", 8);
    node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"}};
    CHECK(only_pool(node).sharing == Sharing{SharingStrategy::time_slicing, std::nullopt});
    CHECK_FALSE(only_pool(node).cards);
  }
}

TEST_CASE("GKE's labels of sharing") {
  Node node = make::node("a", 24);
  node.labels = {{"cloud.google.com/gke-accelerator", "nvidia-tesla-t4"},
                 {"cloud.google.com/gke-accelerator-count", "2"},
                 {"cloud.google.com/gke-gpu-sharing-strategy", "time-sharing"},
                 {"cloud.google.com/gke-max-shared-clients-per-gpu", "12"}};
  CHECK(only_pool(node).sharing == Sharing{SharingStrategy::time_slicing, 12});
  CHECK(only_pool(node).cards == 2);
  SECTION("of partitions of a card") {
    node = make::node("a", 42);
    node.labels = {{"cloud.google.com/gke-accelerator", "nvidia-tesla-a100"},
                   {"cloud.google.com/gke-accelerator-count", "2"},
                   {"cloud.google.com/gke-gpu-partition-size", "1g.5gb"},
                   {"cloud.google.com/gke-gpu-sharing-strategy", "time-sharing"},
                   {"cloud.google.com/gke-max-shared-clients-per-gpu", "3"}};
    const Pool pool = only_pool(node);
    CHECK(pool.kind.kind == DeviceKind::mig_slice);
    CHECK(pool.model == "A100-1g.5gb");
    CHECK(pool.sharing.replicas == 3);
    CHECK(pool.cards == 2);
  }
  SECTION("of partitions, before the plugin came") {
    node = make::node("a", 0);
    node.labels = {{"cloud.google.com/gke-accelerator", "nvidia-tesla-a100"},
                   {"cloud.google.com/gke-accelerator-count", "2"},
                   {"cloud.google.com/gke-gpu-partition-size", "1g.5gb"}};
    CHECK(only_pool(node).total == 14);
    CHECK(only_pool(node).cards == 2);
  }
}

TEST_CASE("Intel: several pods may open a card") {
  Node node = make::node("a", 20, "gpu.intel.com/i915");
  node.labels = {{"gpu.intel.com/product", "Flex_170"}, {"gpu.intel.com/device.count", "2"}};
  make::advertise(node, "gpu.intel.com/i915_monitoring", 1);
  make::advertise(node, "gpu.intel.com/millicores", 2000);
  make::advertise(node, "gpu.intel.com/memory.max", 34359738368);
  make::advertise(node, "gpu.intel.com/tiles", 2);
  SECTION("-shared-dev-num 10") {
    CHECK(only_pool(node).sharing == Sharing{SharingStrategy::shared, 10});
    CHECK(only_pool(node).cards == 2);
  }
  SECTION("one pod a card") {
    make::advertise(node, "gpu.intel.com/i915", 2);
    CHECK(only_pool(node).sharing == Sharing{});
    CHECK(only_pool(node).cards == 2);
  }
  SECTION("units that are no multiple of the cards") {
    make::advertise(node, "gpu.intel.com/i915", 3);
    CHECK(only_pool(node).sharing == Sharing{SharingStrategy::shared, std::nullopt});
    CHECK_FALSE(only_pool(node).cards);
  }
  SECTION("two drivers: each counts its own cards") {
    make::advertise(node, "gpu.intel.com/i915", 10);
    make::advertise(node, "gpu.intel.com/xe", 10);
    for (const Pool& pool : make::pools(node)) {
      CHECK(pool.sharing.replicas == 10);
      CHECK(pool.cards == 1);
    }
  }
}

TEST_CASE("AMD's partitions, named as cards or by their mode") {
  Node node = make::node("a", 64, "amd.com/gpu");
  node.labels = {{"amd.com/gpu.product-name", "AMD_Instinct_MI300X_OAM"},
                 {"amd.com/gpu.vram", "24G"}};
  const std::string label =
      GENERATE("amd.com/gpu.compute-memory-partition", "amd.com/compute-memory-partition");
  struct Row {
    std::string product, mode;
    std::int64_t units;
    std::optional<std::int64_t> cards;
  };
  const Row row = GENERATE(Row{"AMD_Instinct_MI300X_OAM", "cpx_nps4", 64, 8},
                           Row{"AMD_Instinct_MI300X_OAM", "CPX_NPS1", 8, 1},
                           Row{"AMD_Instinct_MI300X_OAM", "dpx_nps2", 16, 8},
                           Row{"AMD_Instinct_MI325X", "qpx_nps1", 32, 8},
                           Row{"AMD_Instinct_MI300A", "cpx_nps1", 24, 4},
                           Row{"AMD_Instinct_MI300A", "tpx_nps1", 12, 4},
                           Row{"AMD_Instinct_MI999", "cpx_nps1", 24, std::nullopt},
                           Row{"AMD_Instinct_MI300X_OAM", "cpx_nps4", 63, std::nullopt});
  make::advertise(node, "amd.com/gpu", row.units);
  node.labels.set("amd.com/gpu.product-name", row.product);
  node.labels.set(label, row.mode);
  CHECK(only_pool(node).kind.kind == DeviceKind::partition);
  CHECK(only_pool(node).cards == row.cards);
  CHECK(only_pool(node).free == row.units);
}

TEST_CASE("AMD: the mode spx is the whole card, mixed names count alike") {
  Node node = make::node("a", 8, "amd.com/gpu");
  node.labels = {{"amd.com/gpu.product-name", "AMD_Instinct_MI300X_OAM"},
                 {"amd.com/gpu.vram", "192G"},
                 {"amd.com/compute-memory-partition", "spx_nps1"}};
  CHECK(only_pool(node).kind.kind == DeviceKind::card);
  CHECK(only_pool(node).cards == 8);
  CHECK(only_pool(node).model == "MI300X-192G");
  node = make::node("a", 8, "amd.com/spx_nps1");
  CHECK(only_pool(node).kind.kind == DeviceKind::card);
  CHECK(only_pool(node).cards == 8);
  node = make::node("a", 64, "amd.com/cpx_nps4");
  CHECK_FALSE(only_pool(node).cards);  // of an unknown product
  node.labels = {{"amd.com/gpu.product-name", "AMD_Instinct_MI300X_OAM"},
                 {"amd.com/gpu.vram", "24G"}};
  CHECK(only_pool(node).cards == 8);
  CHECK(only_pool(node).model == "MI300X-cpx_nps4");
  CHECK(only_pool(make::node("a", 8, "amd.com/gpu_pf")).cards == 8);
  CHECK_FALSE(only_pool(make::node("a", 8, "amd.com/gpu_vf")).cards);
}

TEST_CASE("cards of TPU and Gaudi are what is advertised") {
  Node tpu = make::node("a", 4, "google.com/tpu");
  tpu.labels = {{"cloud.google.com/gke-tpu-accelerator", "tpu-v5-lite-podslice"},
                {"cloud.google.com/gke-tpu-topology", "2x4"}};
  CHECK(only_pool(tpu, {make::pod("x", "a", 4, "google.com/tpu")}).cards == 4);
  CHECK(only_pool(tpu, {make::pod("x", "a", 4, "google.com/tpu")}).free_cards == 0);
  CHECK(only_pool(make::node("a", 8, "habana.ai/gaudi")).free_cards == 8);
}

}  // namespace pools_sharing_test
