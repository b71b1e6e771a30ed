#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "quota/idle.hpp"
#include "quota/promises.hpp"
#include "quota/row.hpp"
#include "quota/waits.hpp"

namespace gpu::quota {

/// All that limits GPUs, and how it stands.
struct QuotaAnswer {
  std::vector<QuotaRow> rows;  ///< by kind, then by namespace, name, resource and flavor
  std::vector<Wait> waits;
  std::vector<Promise> promises;
  std::vector<IdleHolder> idle;
  /// Kinds that were not read, or not everywhere, by their plural: "clusterqueues".
  std::vector<std::string> unseen;
};

/// Of the whole cluster or, where `team` is not empty, of what a name means: a namespace, a
/// ClusterQueue, a LocalQueue (NAME or NAMESPACE/NAME), a cohort, a queue of Volcano or KAI, a
/// ResourceQuota. Throws Error{usage} with the nearest name for one that nothing has.
QuotaAnswer quota_answer(const Snapshot& snapshot, std::string_view team);

/// Whether a limit of the answer is not what somebody meant: is_wrong().
bool has_wrong(const QuotaAnswer& answer);

/// NAMESPACE/NAME of the ResourceQuotas that count devices of ResourceClaims. What claims request
/// is not counted here: only what the quota's status says is known.
std::vector<std::string> not_counted(const QuotaAnswer& answer);

/// All such names: what Tab offers.
std::vector<std::string> team_names(const Snapshot& snapshot);

}  // namespace gpu::quota
