#pragma once

#include <vector>

#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// Whether a toleration covers a taint, by component-helpers' ToleratesTaint. The operators Lt and
/// Gt are behind a gate that is off, and cover nothing.
bool tolerates(const Toleration& toleration, const Taint& taint);

/// Whether any does.
bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

/// The taints of a node that keep a pod with these tolerations away: NoSchedule and NoExecute, in
/// the node's order. PreferNoSchedule only scores.
std::vector<const Taint*> untolerated(const std::vector<Toleration>& tolerations, const Node& node);

/// What a taint says of its node's life: not ready, leaving, tainted by a pressure; `none` for
/// those that people set. Pods do not tolerate these, daemon sets aside.
Unavailable lifecycle_of(const Taint& taint);

/// Whether a taint says that the node or its hardware is ill or going away, so that tolerating it
/// is never the fix. A cordon is not: uncordoning is.
bool is_health_taint(const Taint& taint);

}  // namespace gpu
