#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "diagnose/nodes/node_reason.hpp"

namespace gpu::diagnose {

/// How much a node has of something that is not a GPU, if the pod requests more. The text continues
/// the node's name.
struct Lack {
  enum class Verb : std::uint8_t { has, runs } verb{};
  std::string what;  ///< "only 12 of the 16 cpu that the pod asks for", "no rdma/hca left"
};
std::string text_of(const Lack& lack);

/// Nothing for kinds that are not about amounts.
std::optional<Lack> lack_of(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                            const scheduler::NodeVerdict& node, BlockerKind kind);

/// The same in a row of the table: "12 of 32 cpu free".
std::string shortage_detail(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                            const scheduler::NodeVerdict& node, BlockerKind kind);

}  // namespace gpu::diagnose
