#include "cost/ledger/card_part.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu::cost::ledger_card_part_test {
namespace {

Pool pool_of(std::string product, std::string profile) {
  Pool pool{.resource = "nvidia.com/mig-" + profile, .product = std::move(product)};
  pool.kind.kind = DeviceKind::mig_slice;
  pool.kind.profile = std::move(profile);
  return pool;
}

TEST_CASE("A MIG slice is its share of the compute slices") {
  CHECK(unit_part(pool_of("NVIDIA-A100-SXM4-80GB", "1g.10gb"), MigBy::compute) == CardPart{1, 7});
  CHECK(unit_part(pool_of("NVIDIA-A100-SXM4-80GB", "1g.20gb"), MigBy::compute) == CardPart{1, 7});
  CHECK(unit_part(pool_of("NVIDIA-A30", "2g.12gb"), MigBy::compute) == CardPart{2, 4});
}

TEST_CASE("By the larger part, memory may count for more") {
  CHECK(unit_part(pool_of("NVIDIA-A100-SXM4-80GB", "1g.20gb"), MigBy::larger) == CardPart{2, 8});
  CHECK(unit_part(pool_of("NVIDIA-A100-SXM4-80GB", "4g.40gb"), MigBy::larger) == CardPart{4, 7});
}

TEST_CASE("A slice of a card that is not known is a part that is not known") {
  CHECK_FALSE(unit_part(pool_of("", "1g.10gb"), MigBy::compute));
  CHECK_FALSE(unit_part(pool_of("NVIDIA-X9", "1g.10gb"), MigBy::compute));
}

TEST_CASE("A replica is a part of what is shared") {
  Pool pool{.resource = "nvidia.com/gpu"};
  pool.sharing = {SharingStrategy::time_slicing, 4};
  CHECK(unit_part(pool, MigBy::compute) == CardPart{1, 4});
  Pool slices = pool_of("NVIDIA-A100-SXM4-80GB", "3g.40gb");
  slices.sharing = {SharingStrategy::time_slicing, 2};
  CHECK(unit_part(slices, MigBy::compute) == CardPart{3, 14});
}

TEST_CASE("Where replicas are not known, the cards behind the units tell") {
  Pool pool{.resource = "nvidia.com/gpu.shared"};
  pool.sharing = {SharingStrategy::mps, std::nullopt};
  CHECK_FALSE(unit_part(pool, MigBy::compute));
  pool.cards = 2;
  pool.capacity = 10;
  CHECK(unit_part(pool, MigBy::compute) == CardPart{2, 10});
}

TEST_CASE("A sharing scheduler writes down what a pod has of a card") {
  Node node = make::node("a", 10);
  node.shared_cards = {{.by = SharingStrategy::hami,
                        .uuid = "GPU-0",
                        .slots = 10,
                        .memory_mib = 80'000,
                        .cores = 100,
                        .is_healthy = true}};
  Pool pool{.resource = "nvidia.com/gpu"};
  pool.sharing = {SharingStrategy::hami, 10};
  Pod pod = make::pod("p", "a", 1);
  SECTION("compute is more") {
    pod.card_shares = {
        {.by = SharingStrategy::hami, .card = "GPU-0", .memory_mib = 8'000, .cores = 30}};
    CHECK(annotated_part(node, pool, pod) == CardPart{300, 1000});
  }
  SECTION("memory is more, rounded up") {
    pod.card_shares = {
        {.by = SharingStrategy::hami, .card = "GPU-0", .memory_mib = 20'001, .cores = 0}};
    CHECK(annotated_part(node, pool, pod) == CardPart{251, 1000});
  }
  SECTION("of a card that is not registered") {
    pod.card_shares = {{.by = SharingStrategy::hami, .card = "GPU-9", .memory_mib = 1, .cores = 1}};
    CHECK_FALSE(annotated_part(node, pool, pod));
  }
}

TEST_CASE("The card's name stands behind what sharing and MIG add to it") {
  CHECK(card_product("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb") == "NVIDIA-A100-SXM4-40GB");
  CHECK(card_product("NVIDIA-L4-SHARED") == "NVIDIA-L4");
  CHECK(card_product("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED") == "NVIDIA-A100-SXM4-40GB");
  CHECK(card_product("Tesla-T4") == "Tesla-T4");
}

}  // namespace
}  // namespace gpu::cost::ledger_card_part_test
