#pragma once

#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"

namespace gpu::diagnose {

/// The one reason of a pod that fits on no node, and its headline.
struct Cause {
  Code code{};
  std::string summary;
  std::string nearest;    ///< for the table of all pods: "gpu-a4, if uncordoned"
  std::string next = {};  ///< what rules the nearest node out after this is fixed; may be empty
  std::vector<Remark> remarks = {};
  std::vector<Advice> advice = {};
};

}  // namespace gpu::diagnose
