#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/code.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"

namespace gpu::diagnose {

/// Why a bound pod does not run, or does not end.
struct Trouble {
  Code code{};
  std::string summary;
  std::vector<Advice> advice = {};
};

/// "`summary`", with `kubectl describe pod`.
Advice look_at_pod(const Pod& pod, std::string summary);

/// "`lead`, and its owner creates another", with `kubectl delete pod`: what is refused, lost or
/// bound to nothing is not tried again.
Advice create_anew(const Pod& pod, std::string_view lead);

}  // namespace gpu::diagnose
