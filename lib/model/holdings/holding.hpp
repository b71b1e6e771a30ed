#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/holdings/pools.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// How it is known which devices a pod holds.
enum class Evidence {
  request,     ///< only how many: the pod's requests
  annotation,  ///< a sharing scheduler wrote down which
  exporter,    ///< telemetry names the pod, and that pod holds such a unit there
  status,      ///< the kubelet did: allocatedResourcesStatus
  claim,       ///< a ResourceClaim's allocation
};

/// "request", "annotation", "exporter", "status", "claim".
std::string_view name_of(Evidence evidence);

/// Units of one pool that one holder has. The holdings of a pool add up to what it counts as
/// allocated: a claim that several pods share is one holding, and where several claims hold one
/// unit, by mistake or because it is not used up yet, the first has it and the others 0.
struct Holding {
  std::size_t pool = 0;  ///< index into the pools it was made from
  std::string ns;
  std::string claim;             ///< the ResourceClaim's name; empty for a pod's own requests
  std::vector<const Pod*> pods;  ///< one; several for a claim or a shared GPU, none for a claim
  std::int64_t units = 0;
  Evidence evidence = Evidence::request;
  /// Which devices, where that is known: device IDs of a device plugin ("GPU-4b3c...::3"), UUIDs of
  /// the cards that a sharing scheduler wrote down (for gpushare their indexes), names of DRA
  /// devices. Empty: known by number only.
  std::vector<std::string> devices;
};

/// Who holds what of `pools` (of pools_of(snapshot)), by pool, namespace and pod name. Needs the
/// pods that hold GPUs to be kept in the snapshot.
std::vector<Holding> holdings_of(const Snapshot& snapshot, const std::vector<Pool>& pools);

class DraInventory;

/// The same, where the inventory of `snapshot` is at hand.
std::vector<Holding> holdings_of(const Snapshot& snapshot, const DraInventory& dra,
                                 const std::vector<Pool>& pools);

/// Whether a pod holds or waits for GPUs: what the views of pods keep. One with ResourceClaims may:
/// what they are for is not known here.
bool is_gpu_pod(const Pod& pod);

/// The same, or whether it did, where it is finished.
bool has_had_gpus(const Pod& pod);

}  // namespace gpu
