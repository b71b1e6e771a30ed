#include "usage/rows/unit.hpp"

#include <catch2/catch.hpp>
#include <regex>

namespace gpu::usage::rows_unit_test {
namespace {

Pool pool(DeviceKind kind, SharingStrategy strategy = SharingStrategy::none,
          Vendor vendor = Vendor::nvidia) {
  Pool pool;
  pool.kind.kind = kind;
  pool.kind.vendor = vendor;
  pool.sharing.strategy = strategy;
  return pool;
}

constexpr auto kNone = SharingStrategy::none;
constexpr auto kShared = SharingStrategy::time_slicing;

}  // namespace

TEST_CASE("a pool's unit is its kind of device, or a share of one") {
  CHECK(unit_of(pool(DeviceKind::card)) == Unit::gpu);
  CHECK(unit_of(pool(DeviceKind::card, kShared)) == Unit::share);
  CHECK(unit_of(pool(DeviceKind::card, kShared, Vendor::google)) == Unit::share);
  CHECK(unit_of(pool(DeviceKind::card, kNone, Vendor::google)) == Unit::tpu);
  CHECK(unit_of(pool(DeviceKind::card, kNone, Vendor::aws)) == Unit::neuron);
  CHECK(unit_of(pool(DeviceKind::card, kNone, Vendor::amd)) == Unit::gpu);
  CHECK(unit_of(pool(DeviceKind::mig_slice)) == Unit::mig);
  CHECK(unit_of(pool(DeviceKind::mig_slice, kShared)) == Unit::mig_share);
  CHECK(unit_of(pool(DeviceKind::partition, kShared)) == Unit::partition);
  CHECK(unit_of(pool(DeviceKind::vgpu, kShared)) == Unit::vgpu);
  Pool alias = pool(DeviceKind::alias, kNone, Vendor::aws);
  CHECK(unit_of(alias) == Unit::neurondevice);
  alias.kind.profile = "neuroncore";
  CHECK(unit_of(alias) == Unit::neuroncore);
  Pool memory = pool(DeviceKind::card, kShared);
  memory.kind.is_memory = true;
  CHECK(unit_of(memory) == Unit::gib);
}

TEST_CASE("amounts carry the word of their unit, and whole GPUs none") {
  CHECK(amount_text(8, Unit::gpu) == "8");
  CHECK(amount_text(1, Unit::share) == "1 share");
  CHECK(amount_text(0, Unit::share) == "0 shares");
  CHECK(amount_text(2, Unit::share) == "2 shares");
  CHECK(amount_text(9, Unit::mig) == "9 mig");
  CHECK(name_of(Unit::gpu) == "gpu");
  CHECK(name_of(Unit::neurondevice) == "neurondevice");
}

TEST_CASE("cards that stand in another pool too have a total of their own") {
  Pool cards = pool(DeviceKind::card);
  CHECK(total_label(cards) == "GPUs");
  cards.is_second_view = true;
  CHECK(total_label(cards) == "GPUs via plugin");
  cards.source = PoolSource::dra;
  CHECK(total_label(cards) == "GPUs via DRA");
  cards.reason = Unavailable::managed_by_dra;
  CHECK(total_label(cards) == "DRA");
  Pool alias = pool(DeviceKind::alias);
  alias.is_second_view = true;
  CHECK(total_label(alias) == "Neuron devices");
}

TEST_CASE("the pattern matches every total's label, and no other text") {
  const std::regex pattern(total_label_pattern());
  for (const char* label : {"GPUs", "GPUs via plugin", "MIG shares via DRA", "DRA", "TPUs"})
    CHECK(std::regex_match(label, pattern));
  for (const char* other : {"", "gpus", "GPUs via", "DRA via plugin", "GPUs via DRA x"})
    CHECK_FALSE(std::regex_match(other, pattern));
}

}  // namespace gpu::usage::rows_unit_test
