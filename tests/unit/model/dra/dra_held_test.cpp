#include "model/dra/dra_held.hpp"

#include <catch2/catch.hpp>

#include "model/dra_make.hpp"

namespace gpu::dra_dra_held_test {
namespace {

ResourceList memory(std::int64_t amount) { return {{"memory", Quantity::of(amount)}}; }

/// "TOTAL LEFT"; "-": no limit.
std::string shares(const ResourceList& capacity, const ResourceList& by_default,
                   const ResourceList& consumed = {}) {
  Device device{.name = "gpu"};
  device.capacity = capacity;
  device.default_request = by_default;
  const DraShares counted = shares_of(device, consumed);
  const auto text = [](const std::optional<std::int64_t>& count) {
    return count ? std::to_string(*count) : "-";
  };
  return text(counted.total) + " " + text(counted.left);
}

}  // namespace

TEST_CASE("a device is held by claims, each once; admin access and other drivers hold nothing") {
  ResourceClaim whole = make::claim("whole", "a", {"gpu-0"});
  ResourceClaim parts = make::claim("parts", "a", {"gpu-1", "gpu-1"});
  parts.devices[0].share_id = "one";
  parts.devices[0].consumed = memory(3);
  parts.devices[1].share_id = "two";
  parts.devices[1].consumed = memory(4);
  ResourceClaim admin = make::claim("admin", "a", {"gpu-2"});
  admin.devices[0].admin_access = true;
  ResourceClaim waiting = make::claim("waiting", "a", {"gpu-3"});
  waiting.is_allocated = false;
  ResourceClaim channel = make::claim("channel", "a", {"gpu-4"});
  channel.devices[0].id.driver = "compute-domain.nvidia.com";
  const Snapshot snapshot = make::dra_snapshot({}, {whole, parts, admin, waiting, channel});
  const DraHoldings holdings = held_devices(snapshot);
  REQUIRE(holdings.size() == 2);
  const DraHeld& first = holdings.at({"gpu.nvidia.com", "a", "gpu-0"});
  CHECK(first.is_whole);
  CHECK(first.shares == 0);
  const DraHeld& second = holdings.at({"gpu.nvidia.com", "a", "gpu-1"});
  CHECK_FALSE(second.is_whole);
  CHECK(second.shares == 2);
  CHECK(second.consumed == memory(7));
  CHECK(second.claims.size() == 1);
}

TEST_CASE("a device has as many shares as its default request goes into it, the least counts") {
  CHECK(shares({}, {}) == "- -");
  CHECK(shares(memory(80), {}) == "1 1");
  CHECK(shares(memory(80), memory(20)) == "4 4");
  CHECK(shares(memory(80), memory(30)) == "2 2");
  CHECK(shares(memory(80), memory(20), memory(21)) == "4 2");
  CHECK(shares(memory(80), memory(0)) == "- -");
  CHECK(shares({{"cores", Quantity::of(6)}, {"memory", Quantity::of(80)}},
               {{"cores", Quantity::of(2)}, {"memory", Quantity::of(20)}}, memory(60)) == "3 1");
}

}  // namespace gpu::dra_dra_held_test
