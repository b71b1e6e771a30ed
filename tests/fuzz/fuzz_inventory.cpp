// A list of nodes, pods, ResourceSlices, ResourceClaims and DeviceClasses: what becomes of them in
// the inventory. Pods and nodes carry the annotations of the schedulers that share cards.
#include <map>

#include "decode/objects/device_class.hpp"
#include "decode/objects/node.hpp"
#include "decode/objects/pod.hpp"
#include "decode/objects/resource_claim.hpp"
#include "decode/objects/resource_slice.hpp"
#include "decode/wire/json_item.hpp"
#include "fuzz.hpp"
#include "model/dra/dra.hpp"
#include "model/holdings/holding.hpp"
#include "model/holdings/pools.hpp"
#include "model/snapshot/live.hpp"

using gpu::fuzz::require;

namespace {

void add(gpu::LiveSnapshot& live, const nlohmann::json& object) {
  const auto kind = object.find("kind");
  if (kind == object.end()) return;
  if (*kind == "Node") live.set(gpu::decode::node_from_json(object));
  if (*kind == "Pod") live.set(gpu::decode::pod_from_json(object));
  if (*kind == "ResourceSlice") live.set(gpu::decode::resource_slice_from_json(object));
  if (*kind == "ResourceClaim") live.set(gpu::decode::resource_claim_from_json(object));
  if (*kind == "DeviceClass") live.set(gpu::decode::device_class_from_json(object));
}

void check(const gpu::Pool& pool) {
  for (const auto& number : {pool.total, pool.allocated, pool.at_least, pool.free, pool.unavailable,
                             pool.cards, pool.free_cards})
    require(number.value_or(0) >= 0, "no number of a pool is negative");
  require(pool.capacity >= 0 && pool.allocatable >= 0, "no amount of a pool is negative");
  if (pool.total && pool.allocated && pool.free && pool.unavailable)
    require(*pool.total == *pool.allocated + *pool.free + *pool.unavailable,
            "the parts of a pool add up");
  if (pool.cards) require(pool.free_cards.value_or(0) <= *pool.cards, "free cards are cards");
}

void check(const gpu::Snapshot& snapshot) {
  const gpu::DraInventory dra(snapshot);
  const std::vector<gpu::Pool> pools = gpu::pools_of(snapshot);
  for (const gpu::Pool& pool : pools) check(pool);
  std::map<std::size_t, std::int64_t> held;
  for (const gpu::Holding& holding : gpu::holdings_of(snapshot, dra, pools)) {
    require(holding.pool < pools.size() && holding.units >= 0, "a holding is one of a pool");
    held[holding.pool] += holding.units;
  }
  for (std::size_t i = 0; i < pools.size(); ++i)
    if (pools[i].allocated) require(held[i] == *pools[i].allocated, "holdings add up");
  static_cast<void>(dra.gaps());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpu::Snapshot start;
  start.waiting.emplace();
  start.node_coverage = start.pod_coverage = start.slice_coverage = start.claim_coverage =
      gpu::Coverage::whole;
  gpu::LiveSnapshot live(std::move(start), &gpu::is_gpu_pod);
  gpu::decode::ListFramer framer(gpu::decode::Wire::json, [&](std::string_view item) {
    gpu::fuzz::error_of([&] { add(live, gpu::decode::json_item(item)); });
  });
  gpu::fuzz::error_of([&] { framer.feed(gpu::fuzz::text_of(data, size)); });
  check(live.snapshot());
  return 0;
}
