#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/code.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// What keeps a bound pod from running, or from ending.
struct Trouble {
  Code code{};
  std::string summary;
  std::vector<Advice> advice = {};
};

/// "`summary`", with `kubectl describe pod`.
Advice look_at_pod(const Pod& pod, std::string summary);

/// Whether a message of the container runtime says that the GPU's part of it is missing or does
/// not work.
bool is_about_gpu_runtime(std::string_view message);

/// What follows from such a message.
Trouble runtime_trouble(const std::string& node, std::string_view message);

}  // namespace gpu::diagnose
