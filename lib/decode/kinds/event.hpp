#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/event.hpp"

namespace gpu::decode {

/// An Event of core/v1 or of events.k8s.io/v1, whose members have other names. Throws Error{data}
/// for JSON that is none.
Event event_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
