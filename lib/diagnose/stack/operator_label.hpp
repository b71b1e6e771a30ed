#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/node.hpp"

namespace gpu::diagnose {

/// How to restore the one label (`KEY=VALUE`, of `missing`) by which NVIDIA's operator schedules a
/// pod of its own to a node; nothing for other labels, or for several.
std::optional<Advice> operator_label_advice(const Node& node,
                                            const std::vector<std::string>& missing);

}  // namespace gpu::diagnose
