#include "model/snapshot/card_use.hpp"

#include "model/one_pool.hpp"

namespace snapshot_card_use_test {

using namespace gpu;
using make::only_pool;

namespace {

/// Two A100 of 80 GB under HAMi, ten slots each.
Node hami() {
  Node node = make::node("a", 20);
  make::advertise(node, "nvidia.com/gpumem", 163840);
  node.annotations = {{"hami.io/node-nvidia-register", "..."}};
  for (const char* uuid : {"GPU-0", "GPU-1"})
    node.shared_cards.push_back({.uuid = uuid,
                                 .type = "NVIDIA-NVIDIA A100-SXM4-80GB",
                                 .slots = 10,
                                 .memory_mib = 81920,
                                 .cores = 100,
                                 .is_healthy = true});
  return node;
}

Pod hami_pod(const std::string& name, std::vector<CardShare> shares) {
  Pod pod = make::pod(name, "a", static_cast<std::int64_t>(shares.size()));
  pod.card_shares = std::move(shares);
  return pod;
}

Node gpushare(std::int64_t cards) {
  Node node = make::node("a", 60, "aliyun.com/gpu-mem");
  make::advertise(node, "aliyun.com/gpu-count", cards);
  return node;
}

Pod gpushare_pod(const std::string& name, std::int64_t gib, std::vector<CardShare> shares) {
  Pod pod = make::pod(name, "a", gib, "aliyun.com/gpu-mem");
  pod.card_shares = std::move(shares);
  return pod;
}

}  // namespace

TEST_CASE("HAMi: cards, slots, and what is left of each card") {
  const Pool idle = only_pool(hami());
  CHECK(idle.sharing == Sharing{SharingStrategy::hami, 10});
  CHECK(idle.cards == 2);
  CHECK(idle.free == 20);
  CHECK(idle.free_cards == 2);
  CHECK(idle.model == "A100-80G");  // no label names the card

  SECTION("slots of a card that has memory left are free") {
    const Pool pool = only_pool(hami(), {hami_pod("x", {{.card = "GPU-0", .memory_mib = 8192}})});
    CHECK(pool.allocated == 1);
    CHECK(pool.free == 19);
    CHECK(pool.free_cards == 1);
    CHECK(pool.reason == Unavailable::none);
  }
  SECTION("a card whose memory is used up has none") {
    const Pool pool = only_pool(hami(), {hami_pod("x", {{.card = "GPU-0", .memory_mib = 81920}})});
    CHECK(pool.free == 10);
    CHECK(pool.unavailable == 9);
    CHECK(pool.reason == Unavailable::card_in_use);
  }
  SECTION("nor one whose compute is used up, by several pods together") {
    const Pool pool =
        only_pool(hami(), {hami_pod("x", {{.card = "GPU-1", .memory_mib = 1, .cores = 60}}),
                           hami_pod("y", {{.card = "GPU-1", .memory_mib = 1, .cores = 40}})});
    CHECK(pool.free == 10);
    CHECK(pool.unavailable == 8);
    CHECK(pool.free_cards == 1);
  }
  SECTION("one pod on both cards") {
    const Pool pool = only_pool(
        hami(),
        {hami_pod("x", {{.card = "GPU-0", .memory_mib = 1}, {.card = "GPU-1", .memory_mib = 1}})});
    CHECK(pool.free == 18);
    CHECK(pool.free_cards == 0);
  }
  SECTION("a MiB is left for one pod, not for nine") {
    const Pool pool = only_pool(hami(), {hami_pod("x", {{.card = "GPU-0", .memory_mib = 81919}})});
    CHECK(pool.free == 11);
  }
}

TEST_CASE("HAMi: what nobody wrote down is on any card") {
  SECTION("a pod without annotations") {
    const Pool pool = only_pool(hami(), {make::pod("x", "a", 2)});
    CHECK(pool.allocated == 2);
    CHECK(pool.free == 18);
    CHECK_FALSE(pool.free_cards);
  }
  SECTION("a node without them: only the count is known") {
    Node node = hami();
    node.shared_cards.clear();
    const Pool pool = only_pool(node, {hami_pod("x", {{.card = "GPU-0", .memory_mib = 81920}})});
    CHECK_FALSE(pool.cards);
    CHECK_FALSE(pool.sharing.replicas);
    CHECK(pool.free == 19);
    CHECK_FALSE(pool.free_cards);
  }
  SECTION("annotations copied into a pod that asks for none") {
    Pod copy = make::pod("x", "a", 0);
    copy.card_shares = {{.card = "GPU-0", .memory_mib = 81920}};
    CHECK(only_pool(hami(), {copy}).free == 20);
    CHECK(only_pool(hami(), {copy}).free_cards == 2);
  }
  SECTION("pods were not seen") {
    Snapshot snapshot = make::snapshot({hami()}, {});
    snapshot.pod_coverage = Coverage::none;
    CHECK_FALSE(pools_of(snapshot).front().free);
    CHECK_FALSE(pools_of(snapshot).front().free_cards);
  }
}

TEST_CASE("HAMi: the fold needs no pod to be kept") {
  Snapshot snapshot{.node_coverage = Coverage::whole, .pod_coverage = Coverage::whole};
  Fold fold(snapshot);
  fold.add(hami());
  fold.add(hami_pod("x", {{.card = "GPU-0", .memory_mib = 81920}}));
  Pod done = hami_pod("done", {{.card = "GPU-1", .memory_mib = 81920}});
  done.phase = "Succeeded";
  fold.add(done);
  fold.finish();
  CHECK(snapshot.pods.empty());
  CHECK(pools_of(snapshot).front().free == 10);
}

TEST_CASE("HAMi: cards that differ, and a sick one") {
  Node node = hami();
  node.shared_cards[1].slots = 5;
  CHECK_FALSE(only_pool(node).sharing.replicas);
  CHECK(only_pool(node).free == 15);
  node = hami();
  node.shared_cards[1].is_healthy = false;
  node.allocatable.set("nvidia.com/gpu", Quantity::of(10));
  CHECK(only_pool(node).free == 10);
  CHECK(only_pool(node).free_cards == 1);
  CHECK(only_pool(node).reason == Unavailable::gpu_unhealthy);
}

TEST_CASE("Volcano: vgpu-number counts, memory and cores are amounts") {
  Node node = make::node("a", 20, "volcano.sh/vgpu-number");
  make::advertise(node, "volcano.sh/vgpu-memory", 163840);
  make::advertise(node, "volcano.sh/vgpu-cores", 200);
  node.shared_cards = hami().shared_cards;
  for (SharedCard& card : node.shared_cards) card.by = SharingStrategy::volcano;
  Pod pod = make::pod("x", "a", 1, "volcano.sh/vgpu-number");
  pod.card_shares = {{.by = SharingStrategy::volcano, .card = "GPU-0", .memory_mib = 81920}};
  const Pool pool = only_pool(node, {pod});
  CHECK(pool.sharing == Sharing{SharingStrategy::volcano, 10});
  CHECK(pool.cards == 2);
  CHECK(pool.free == 10);
  CHECK(pool.free_cards == 1);
  CHECK(pool.kind.vendor == Vendor::nvidia);
}

TEST_CASE("gpushare: GiB of cards") {
  const Pool idle = only_pool(gpushare(4));
  CHECK(idle.sharing == Sharing{SharingStrategy::gpushare, 15});
  CHECK(idle.cards == 4);
  CHECK(idle.free_cards == 4);
  SECTION("pods on one card, by either annotation") {
    const CardShare share{.by = SharingStrategy::gpushare, .card = "0", .units = 4};
    const Pool pool = only_pool(
        gpushare(4), {gpushare_pod("x", 4, {share}), gpushare_pod("y", 8, {share, share})});
    CHECK(pool.allocated == 12);
    CHECK(pool.free == 48);
    CHECK(pool.free_cards == 3);
  }
  SECTION("a pod that is nowhere placed") {
    CHECK_FALSE(only_pool(gpushare(4), {gpushare_pod("x", 4, {})}).free_cards);
  }
  SECTION("cards of different size, or none counted") {
    CHECK_FALSE(only_pool(gpushare(7)).sharing.replicas);
    CHECK(only_pool(gpushare(7)).cards == 7);
    CHECK_FALSE(only_pool(gpushare(0)).cards);
  }
  SECTION("who waits for 20 GiB waits for a part of a card") {
    CHECK(make::snapshot({}, {make::pod("x", "", 20, "aliyun.com/gpu-mem")}).waiting->gpus == 1);
  }
}

}  // namespace snapshot_card_use_test
