#pragma once

#include <vector>

#include "quota/cards.hpp"
#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// A row for each key of a ResourceQuota that is about GPUs, also those that count nothing.
/// Source: the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core: of extended resources
/// only requests.* are counted.
std::vector<QuotaRow> resource_quota_rows(const scheduler::Cluster& cluster, const Cards& cards);

/// The row of a key whose pods the quota counts: false for keys that count nothing.
bool limits_pods(const QuotaRow& row);

/// The row of a key that counts devices of ResourceClaims: what these request is not counted here.
bool is_of_claims(const QuotaRow& row);

}  // namespace gpu::quota
