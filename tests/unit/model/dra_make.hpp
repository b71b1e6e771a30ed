#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "make.hpp"
#include "model/dra/dra.hpp"

/// DRA objects for tests, as NVIDIA's driver publishes them.
namespace gpu::make {

inline Device device(std::string name, std::string_view type) {
  Device device{.name = name};
  device.attributes.set("type", type.data());
  device.attributes.set("uuid", "GPU-" + name);
  device.attributes.set("productName", "NVIDIA H100 80GB HBM3");
  device.capacity.set("memory", *Quantity::parse("80Gi"));
  return device;
}

inline Device card(std::string name) { return device(std::move(name), "gpu"); }

inline Device mig(std::string name, std::string_view card, std::string_view profile,
                  std::string_view memory) {
  Device slice = device(std::move(name), "mig");
  slice.attributes.set("parentUUID", "GPU-" + std::string(card));
  slice.attributes.set("profile", std::string(profile));
  slice.capacity.set("memory", *Quantity::parse(memory));
  return slice;
}

/// Counters "memory-slice-FIRST" and so on of the card, one of each.
inline CounterUse memory_slices(std::string_view card, int first, int count) {
  CounterUse use{.set = std::string(card) + "-counter-set", .counters = {}};
  for (int index = first; index < first + count; ++index)
    use.counters.set("memory-slice-" + std::to_string(index), Quantity::of(1));
  return use;
}

/// One card of 8 memory slices that can be cut into 1g.10gb, 3g.40gb and 7g.80gb.
inline std::vector<Device> cuttable_card(const std::string& name) {
  std::vector<Device> devices{card(name)};
  devices.back().consumes = {memory_slices(name, 0, 8)};
  const auto add = [&](std::string_view profile, std::string_view memory, int first, int count) {
    devices.push_back(mig(name + "-mig-" + std::string(profile.substr(0, 2)) + "-" +
                              std::to_string(first) + "-" + std::to_string(count),
                          name, profile, memory));
    devices.back().consumes = {memory_slices(name, first, count)};
  };
  for (int first = 0; first < 7; ++first) add("1g.10gb", "10Gi", first, 1);
  for (int first = 0; first < 8; first += 4) add("3g.40gb", "40Gi", first, 4);
  return devices;
}

inline ResourceSlice slice(std::string node, std::vector<Device> devices,
                           std::string driver = "gpu.nvidia.com") {
  ResourceSlice slice{.name = node + "-" + driver, .driver = std::move(driver)};
  slice.pool = node;
  slice.node_name = std::move(node);
  slice.generation = 1;
  slice.slice_count = 1;
  slice.devices = std::move(devices);
  return slice;
}

/// The two slices of a node with cards that can be cut: counters, and devices.
inline std::vector<ResourceSlice> cuttable(const std::string& node,
                                           const std::vector<std::string>& cards) {
  ResourceSlice counters = slice(node, {});
  counters.name += "-counters";
  ResourceSlice devices = slice(node, {});
  for (const std::string& name : cards) {
    counters.shared_counters.push_back(memory_slices(name, 0, 8));
    for (Device& each : cuttable_card(name)) devices.devices.push_back(std::move(each));
  }
  counters.slice_count = devices.slice_count = 2;
  return {counters, devices};
}

inline ResourceClaim claim(std::string name, const std::string& node,
                           const std::vector<std::string>& devices) {
  ResourceClaim claim{.ns = "ml", .name = std::move(name)};
  claim.is_allocated = true;
  for (const std::string& each : devices)
    claim.devices.push_back({.id = {"gpu.nvidia.com", node, each}, .request = "gpu"});
  return claim;
}

/// Nodes without a device plugin, everything seen.
inline Snapshot dra_snapshot(std::vector<ResourceSlice> slices, std::vector<ResourceClaim> claims,
                             const std::vector<std::string>& nodes = {"a"}) {
  std::vector<Node> bare;
  for (const std::string& name : nodes) bare.push_back(node(name, 0));
  Snapshot result = snapshot(std::move(bare), {});
  result.slices = std::move(slices);
  result.claims = std::move(claims);
  result.slice_coverage = result.claim_coverage = Coverage::whole;
  return result;
}

}  // namespace gpu::make
