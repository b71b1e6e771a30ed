#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "model/objects/claim.hpp"

namespace gpu::scheduler {

/// The state of the binding conditions of an allocated claim's devices, which a pod waits for
/// before it is bound.
enum class Binding : std::uint8_t {
  ready,      ///< nothing is waited for any more
  pending,    ///< the scheduler still waits
  given_up,   ///< a device failed, or time ran out: the claim is not available anywhere
  not_known,  ///< it waits, and nothing says what time it is
};

/// The state of `claim` at `now`. Checks devices in their order, up to the first that is not ready.
/// Source: isClaimReadyForBinding and isClaimTimeout of DynamicResources 1.36.
Binding binding_state(const ResourceClaim& claim, std::optional<Time> now);

}  // namespace gpu::scheduler
