#include "cost/held/past_held.hpp"

#include <algorithm>

namespace gpu::cost {

Held held_of(const PastPod& pod) {
  Held held{.since = pod.scheduled, .until = pod.ended, .end = HeldEnd::finished};
  if (!held.until) held.end = HeldEnd::unknown;
  if (!held.since || !held.until || *held.until >= *held.since) return held;
  held.is_contradictory = *held.since > *held.until + kClockSkew;
  held.until = held.since;
  held.has_clock_skew = true;
  return held;
}

Held since(const Held& held, Time from) {
  Held part = held;
  for (auto* const time : {&part.since, &part.started, &part.until})
    if (*time) *time = std::max(**time, from);
  return part;
}

bool ended_by(const Held& held, Time time) {
  return held.end != HeldEnd::open && held.until && *held.until <= time;
}

}  // namespace gpu::cost
