#pragma once

#include <cstdint>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "plan/filling.hpp"
#include "plan/fit/ask.hpp"

namespace gpu::plan {

/// What did not start, as one run or several have it.
struct Missing {
  std::int64_t pods = 0;
  std::int64_t without_room = 0;  ///< of these; the others are of groups that are not complete
};

/// Of the ways in which the scheduler may choose, one in which something does not start.
Missing missing_in(Filling& filling, const std::vector<AskedObject>& objects,
                   const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
