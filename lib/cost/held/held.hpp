#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// The clocks of a cluster's machines differ by less than this. Times that are further out of order
/// are wrong, and it is not known which of them.
inline constexpr std::chrono::minutes kClockSkew{5};

/// How a pod's use of its GPUs ended.
enum class HeldEnd : std::uint8_t {
  open,       ///< it holds them now, or waits for them
  finished,   ///< by its containers' own times
  disrupted,  ///< evicted or preempted: by the DisruptionTarget condition, or the deletion
  refused,    ///< the kubelet did not take it: it held them for no time
  unknown,    ///< it is finished, and nothing says when
};

/// When a pod held its GPUs: from the moment it was bound until it reached a terminal phase,
/// whatever its containers did. Source of the rule: the device manager frees devices when the pod,
/// not when a container, is terminal (NVIDIA/k8s-device-plugin#290).
struct Held {
  std::optional<Time> since;  ///< PodScheduled; nothing: not bound, or nothing says when
  /// Nothing while it holds them, or where nothing says when it ended. Not before `since`.
  std::optional<Time> until;
  HeldEnd end = HeldEnd::open;
  std::optional<std::chrono::seconds> queued;  ///< from its creation until it was bound
  /// The first start of a main container that requests GPUs (of any, if none does); nothing: none
  /// has started, or the time is not known. Not before `since`, nor after `until`.
  std::optional<Time> started;
  std::int64_t restarts = 0;      ///< of all containers
  bool has_clock_skew = false;    ///< its times are out of order: a length would be negative
  bool is_contradictory = false;  ///< by more than kClockSkew: how long it was held is not known
  bool never_bound = false;       ///< it has held nothing, for certain
  bool since_is_late = false;     ///< by status.startTime, where PodScheduled has no time
  bool never_started = false;     ///< no such container has started, for certain
  bool started_is_late = false;   ///< it restarted, and nothing remembers the first start exactly
  bool was_disrupted = false;     ///< DisruptionTarget is True: evicted, preempted or drained
};

/// By the pod's conditions and container states.
Held held_of(const Pod& pod);

/// Whether its times contradict each other, or one of them is later than `now`.
bool has_odd_times(const Held& held, Time now);

/// How long it was held by `now`; nothing: not known, or its times are odd. Never negative.
std::optional<std::chrono::seconds> held_seconds(const Held& held, Time now);

/// The part of that in which a main container had started. It is a lower bound with
/// `started_is_late`, 0 for a pod that never started, and nothing if it is not known.
std::optional<std::chrono::seconds> started_seconds(const Held& held, Time now);

/// Whether it was held before `node` was created, on an earlier node of that name: the cost of
/// `node` does not apply to that time.
bool is_older_than(const Held& held, const Node& node);

}  // namespace gpu::cost
