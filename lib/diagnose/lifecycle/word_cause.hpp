#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnose/answer/code.hpp"

namespace gpu::diagnose {

/// The reason that a scheduler's message gives by itself.
struct WordCause {
  Code code{};
  std::string text;  ///< "no node has enough free nvidia.com/gpu"
};

/// The reason that the scheduler gives for all nodes, or for the pod as such. Nothing if it gives
/// different reasons for different nodes, because the message does not say which one matters, and
/// for reasons that are not kube-scheduler's.
std::optional<WordCause> cause_of_word(std::string_view message);

}  // namespace gpu::diagnose
