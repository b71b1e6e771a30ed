#include "scheduler/devices/capacity.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::devices_capacity_test {
namespace {

ResourceList memory(std::int64_t amount) { return {{"memory", Quantity::of(amount)}}; }

/// A device of `capacity` memory; `by_default`: what a claim takes that does not say.
CapacityFit fit(const ResourceList& wanted, const ResourceList& by_default,
                const ResourceList& taken = {}) {
  Device device{.name = "gpu"};
  device.capacity = memory(80);
  device.default_request = by_default;
  DeviceRequest request{.name = "r"};
  request.capacity = wanted;
  return capacity_fit(request, device, taken);
}

}  // namespace

TEST_CASE("a request fits as far as others have left the device's capacity") {
  CHECK(fit(memory(80), {}) == CapacityFit::fits);
  CHECK(fit(memory(81), {}) == CapacityFit::too_little);
  CHECK(fit(memory(40), {}, memory(40)) == CapacityFit::fits);
  CHECK(fit(memory(41), {}, memory(40)) == CapacityFit::too_little);
  CHECK(fit({}, {}) == CapacityFit::fits);
  CHECK(fit({}, {}, memory(1)) == CapacityFit::too_little);
  CHECK(fit({}, memory(10), memory(70)) == CapacityFit::fits);
  CHECK(fit({}, memory(10), memory(71)) == CapacityFit::too_little);
}

TEST_CASE("what a driver rounds, or may name another way, is not checked") {
  CHECK(fit(memory(10), memory(10)) == CapacityFit::fits);
  CHECK(fit(memory(9), memory(10)) == CapacityFit::not_checked);
  CHECK(fit({{"cores", Quantity::of(1)}}, {}) == CapacityFit::too_little);
  CHECK(fit({{"x.io/cores", Quantity::of(1)}}, {}) == CapacityFit::not_checked);
}

TEST_CASE("a request takes what it says, else the default, else all") {
  Device device{.name = "gpu"};
  device.capacity = {
      {"cores", Quantity::of(8)}, {"lanes", Quantity::of(4)}, {"memory", Quantity::of(80)}};
  device.default_request = {{"cores", Quantity::of(2)}, {"memory", Quantity::of(20)}};
  DeviceRequest request{.name = "r"};
  request.capacity = memory(40);
  CHECK(consumed_by(request, device) == ResourceList{{"cores", Quantity::of(2)},
                                                     {"lanes", Quantity::of(4)},
                                                     {"memory", Quantity::of(40)}});
}

}  // namespace gpu::scheduler::devices_capacity_test
