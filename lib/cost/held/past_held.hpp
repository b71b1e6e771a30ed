#pragma once

#include "base/time.hpp"
#include "cost/held/held.hpp"
#include "model/snapshot/history.hpp"

namespace gpu::cost {

/// By metrics, which do not report when it started.
Held held_of(const PastPod& pod);

/// The part of `held` after `from`.
Held since(const Held& held, Time from);

/// Whether it was over by `time`.
bool ended_by(const Held& held, Time time);

}  // namespace gpu::cost
