#pragma once

#include "base/time.hpp"
#include "cost/held/held.hpp"
#include "model/snapshot/history.hpp"

namespace gpu::cost {

/// As metrics tell it; when it started is not told.
Held held_of(const PastPod& pod);

/// The part of `held` after `from`.
Held since(const Held& held, Time from);

/// Whether it was over by `time`.
bool ended_by(const Held& held, Time time);

}  // namespace gpu::cost
