#include "model/dra/dra_pool.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace gpu::dra_dra_pool_test {
namespace {

/// "NAME: SLICES: why it cannot be used", for each pool.
std::string pools(const std::vector<ResourceSlice>& slices) {
  std::string text;
  for (const DraPool& pool : dra_pools(slices)) {
    text += std::string(pool.name) + ":";
    for (const ResourceSlice* slice : pool.slices) text += " " + slice->name;
    text += ": " + pool.unusable + ";";
  }
  return text;
}

ResourceSlice named(std::string name, std::vector<Device> devices, std::int64_t generation,
                    std::int64_t count) {
  ResourceSlice slice = make::slice("a", std::move(devices));
  slice.name = std::move(name);
  slice.generation = generation;
  slice.slice_count = count;
  return slice;
}

Device consuming(std::int64_t amount, std::string set = "set", const char* counter = "memory") {
  Device device{.name = "gpu-0"};
  device.consumes = {{std::move(set), {{counter, Quantity::of(amount)}}}};
  return device;
}

ResourceSlice with_counters(std::vector<Device> devices) {
  ResourceSlice slice = named("s", std::move(devices), 1, 1);
  slice.shared_counters = {{"set", {{"memory", Quantity::of(8)}}}};
  return slice;
}

}  // namespace

TEST_CASE("a pool is made of the slices of its highest generation, by name") {
  CHECK(pools({named("z", {}, 2, 2), named("b", {}, 2, 2), named("old", {}, 1, 1)}) == "a: b z: ;");
  CHECK(pools({named("z", {}, 2, 2)}) == "a: z: 1 of 2 slices are published;");
  CHECK(pools({named("y", {}, 2, 1), named("z", {}, 2, 1)}) ==
        "a: y z: 2 of 1 slices are published;");
  CHECK(pools({make::slice("a", {}, "net.example.com/x")}).empty());
}

TEST_CASE("a pool with a mistake cannot be used, and the first one is told") {
  CHECK(pools({named("s", {{.name = "gpu-0"}, {.name = "gpu-0"}}, 1, 1)}) ==
        "a: s: device gpu-0 stands twice;");
  ResourceSlice twice = with_counters({});
  twice.shared_counters.push_back(twice.shared_counters.front());
  CHECK(pools({twice}) == "a: s: counter set set stands twice;");
  CHECK(pools({with_counters({consuming(1, "other")})}) == "a: s: counter set other is missing;");
  CHECK(pools({with_counters({consuming(1, "set", "cores")})}) ==
        "a: s: counter cores is missing in counter set set;");
  CHECK(pools({with_counters({consuming(9)})}) == "a: s: ;");
}

TEST_CASE("counters suffice until they are taken, and again when they are given back") {
  const std::vector<ResourceSlice> slices{with_counters({})};
  DraCounters counters(dra_pools(slices).front());
  CHECK(counters.suffice_for(consuming(8)));
  CHECK_FALSE(counters.suffice_for(consuming(9)));
  CHECK_FALSE(counters.suffice_for(consuming(1, "other")));
  CHECK_FALSE(counters.suffice_for(consuming(1, "set", "cores")));
  counters.take(consuming(5));
  CHECK(counters.suffice_for(consuming(3)));
  CHECK_FALSE(counters.suffice_for(consuming(4)));
  counters.take(consuming(5, "other"));
  counters.take(consuming(5, "set", "cores"));
  CHECK(counters.suffice_for(consuming(3)));
  counters.give_back(consuming(5));
  CHECK(counters.suffice_for(consuming(8)));
}

TEST_CASE("a pool of which more is taken than there is gives nothing that consumes counters") {
  ResourceSlice slice = with_counters({});
  slice.shared_counters.push_back({"free", {{"memory", Quantity::of(8)}}});
  const std::vector<ResourceSlice> slices{slice};
  DraCounters counters(dra_pools(slices).front());
  counters.take(consuming(8));
  CHECK(counters.suffice_for(consuming(8, "free")));
  counters.take(consuming(1));
  counters.take(consuming(1));
  CHECK_FALSE(counters.suffice_for(consuming(1, "free")));
  CHECK(counters.suffice_for(Device{.name = "plain"}));
  counters.give_back(consuming(1));
  CHECK_FALSE(counters.suffice_for(consuming(1, "free")));
  counters.give_back(consuming(1));
  CHECK(counters.suffice_for(consuming(8, "free")));
}

}  // namespace gpu::dra_dra_pool_test
