#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Why a cloud did not create the node that an autoscaler requested.
struct CloudRefusal {
  enum class Why : std::uint8_t { quota, stock, other } why = Why::other;
  std::string zone;  ///< "us-central1-c", several with commas; empty: not reported
};

/// Reads the cloud's message, which an autoscaler repeats: "GCE quota exceeded",
/// "InsufficientInstanceCapacity".
CloudRefusal cloud_refusal(std::string_view message);

/// The words after "the cloud refuses a new one": " for want of quota in us-central1-c".
std::string reason_text(const CloudRefusal& refusal);

/// What helps: a quota to raise, with the GPU and the region, or another zone or GPU.
std::string advice_text(const CloudRefusal& refusal, std::string_view message, const Pod& pod);

}  // namespace gpu::diagnose
