#include "model/dra/dra_device.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace dra_dra_device_test {

using namespace gpu;

namespace {

Device with(std::initializer_list<StringMap::Entry> attributes, std::string_view memory = "0") {
  Device device{.name = "gpu-0", .attributes = attributes};
  device.capacity.set("memory", *Quantity::parse(memory));
  return device;
}

DraDeviceFacts facts_of(std::string_view driver, const Device& device) {
  DraModels models;
  return gpu::facts_of(driver, device, models);
}

}  // namespace

TEST_CASE("NVIDIA's driver: cards, slices, passthrough") {
  const DraDeviceFacts card = facts_of("gpu.nvidia.com", make::card("gpu-0"));
  CHECK(card.kind == GpuResource{.vendor = Vendor::nvidia});
  CHECK(card.resource == "gpu.nvidia.com");
  CHECK(card.model == "H100-80G");

  const DraDeviceFacts slice =
      facts_of("gpu.nvidia.com", make::mig("m", "gpu-0", "1g.10gb+me", "10Gi"));
  CHECK(slice.kind == GpuResource{.vendor = Vendor::nvidia,
                                  .kind = DeviceKind::mig_slice,
                                  .profile = "1g.10gb+me"});
  CHECK(slice.resource == "gpu.nvidia.com/mig-1g.10gb+me");
  CHECK(slice.model == "H100-1g.10gb+me");

  const DraDeviceFacts vfio = facts_of("gpu.nvidia.com", make::device("gpu-vfio-0", "vfio"));
  CHECK(vfio.kind.kind == DeviceKind::card);
  CHECK(vfio.is_passthrough);
  CHECK(vfio.resource == "gpu.nvidia.com/vfio");
}

TEST_CASE("AMD's driver: cards and partitions, made before or on demand") {
  const DraDeviceFacts card = facts_of("gpu.amd.com", with({{"type", "amdgpu"},
                                                            {"productName", "Instinct_MI300X"},
                                                            {"partitionProfile", "spx_nps1"}},
                                                           "192Gi"));
  CHECK(card.kind == GpuResource{.vendor = Vendor::amd});
  CHECK(card.model == "MI300X-192G");
  CHECK(card.resource == "gpu.amd.com");

  const DraDeviceFacts made = facts_of("gpu.amd.com", with({{"type", "amdgpu-partition"},
                                                            {"productName", "Instinct_MI300X"},
                                                            {"partitionProfile", "cpx_nps4"}},
                                                           "24Gi"));
  CHECK(made.kind.kind == DeviceKind::partition);
  CHECK(made.resource == "gpu.amd.com/cpx_nps4");
  CHECK(made.model == "MI300X-cpx_nps4");

  CHECK(facts_of("gpu.amd.com", with({{"type", "amdgpu-partition"},
                                      {"computePartition", "cpx"},
                                      {"memoryPartition", "nps1"}}))
            .resource == "gpu.amd.com/cpx_nps1");
  CHECK(facts_of("gpu.amd.com", with({{"type", "amdgpu-partition"}, {"computePartition", "cpx"}}))
            .resource == "gpu.amd.com/cpx");
  CHECK(facts_of("gpu.amd.com", with({{"type", "amdgpu-partition"}, {"memoryPartition", "nps1"}}))
            .resource == "gpu.amd.com/partition");
  const DraDeviceFacts function =
      facts_of("gpu.amd.com", with({{"type", "vfio"}, {"isVF", "true"}}));
  CHECK(function.kind.kind == DeviceKind::partition);
  CHECK_FALSE(function.is_passthrough);
}

TEST_CASE("a device without a type is a card") {
  const DraDeviceFacts intel =
      facts_of("gpu.intel.com", with({{"model", "Flex 170"}, {"family", "Data Center Flex"}}));
  CHECK(intel.kind == GpuResource{.vendor = Vendor::intel});
  CHECK(intel.model == "Flex-170");
  CHECK(facts_of("gaudi.intel.com", with({{"model", "Gaudi2"}})).kind.vendor == Vendor::habana);
  CHECK(facts_of("gaudi.intel.com", with({{"model", "Gaudi2"}})).model == "Gaudi2-96G");
  const DraDeviceFacts example =
      facts_of("gpu.example.com", with({{"model", "LATEST-GPU-MODEL"}}, "80Gi"));
  CHECK(example.kind.vendor == Vendor::other);
  CHECK(example.resource == "gpu.example.com");
  CHECK(example.model == "LATEST-GPU-MODEL");
  CHECK(facts_of("tpu.google.com", with({})).kind.vendor == Vendor::google);
  CHECK(facts_of("tpu.google.com", with({})).model.empty());
}

TEST_CASE("parts belong to the card that their UUID, PCI address or counters name") {
  DraCards cards;
  const auto card_of = [&](const Device& device) {
    return cards.card_of({"gpu.nvidia.com", "a", device.name}, device,
                         facts_of("gpu.nvidia.com", device));
  };
  Device whole = make::card("gpu-0");
  whole.attributes.set("resource.kubernetes.io/pciBusID", "0000:19:00.0");
  whole.consumes = {make::memory_slices("gpu-0", 0, 8)};
  CHECK(card_of(whole) == "GPU-gpu-0");
  CHECK(card_of(make::mig("m", "gpu-0", "1g.10gb", "10Gi")) == "GPU-gpu-0");
  Device vfio = make::device("gpu-vfio-0", "vfio");
  vfio.attributes.set("pcieBusID", "0000:19:00.0");
  CHECK(card_of(vfio) == "GPU-gpu-0");
  Device by_counter = with({{"type", "mig"}});
  by_counter.consumes = {make::memory_slices("gpu-0", 0, 1)};
  CHECK(card_of(by_counter) == "GPU-gpu-0");
  // Nothing is known of the card of these two but that it is one.
  Device alone = make::mig("m1", "gpu-7", "1g.10gb", "10Gi");
  CHECK(card_of(alone) == "GPU-gpu-7");
  CHECK(card_of(make::mig("m2", "gpu-7", "1g.10gb", "10Gi")) == "GPU-gpu-7");
}

}  // namespace dra_dra_device_test
