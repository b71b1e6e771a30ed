#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/node.hpp"

namespace gpu::diagnose {

/// What brings back the one label (`KEY=VALUE`, of `missing`) by which NVIDIA's operator puts a pod
/// of its own on a node; nothing for labels of others, or several.
std::optional<Advice> operator_label_advice(const Node& node,
                                            const std::vector<std::string>& missing);

}  // namespace gpu::diagnose
