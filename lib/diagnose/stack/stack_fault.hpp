#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/answer/code.hpp"
#include "diagnose/answer/explanation.hpp"

namespace gpu::diagnose {

/// Why a node that should have a resource, or has GPUs at all, does not offer enough of it, because
/// of the node's GPU stack and not because pods hold it.
struct StackFault {
  Code code{};  ///< device_plugin_missing, gpu_unhealthy, mig_mismatch, resource_renamed, ...
  std::string detail;  ///< "advertises nvidia.com/gpu.shared"; short
  std::vector<Advice> advice;
  /// Whether `detail` is a sentence of its own, or continues the node's name: "has 8, none
  /// allocatable".
  enum class Reads : std::uint8_t { by_itself, behind_name } reads{};
  bool is_vague = false;        ///< no plugin registered, for no known reason
  std::int64_t units = 0;       ///< of gpu_unhealthy: what the node should have
  std::string other_name = {};  ///< the one name under which the node offers the GPUs, if it does
  std::string offers = {};      ///< what it has in place: "whole GPUs", "other MIG slices"
};

}  // namespace gpu::diagnose
