#pragma once

#include <optional>
#include <string_view>

#include "diagnose/answer/code.hpp"
#include "model/objects/event.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

enum class Autoscaler { cluster_autoscaler, karpenter };

/// Which one reports an event; nothing: none.
std::optional<Autoscaler> autoscaler_of(const Event& event);

/// "Karpenter", "cluster-autoscaler".
std::string_view name_of(Autoscaler autoscaler);

/// What a headline starts with: "no node has room".
std::string_view lead_of(Code reason);

bool asks_for_gpus(const Pod& pod);

}  // namespace gpu::diagnose
