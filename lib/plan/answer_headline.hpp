#pragma once

#include "diagnose/answer/explanation.hpp"

namespace gpu::plan {

/// Makes it the headline of the answer, and its summary with it.
void set_headline(diagnose::Explanation& answer, diagnose::Headline headline);

/// Lets the headline of what would start say that what is not checked may keep it from that.
void doubt_start(diagnose::Explanation& answer);

}  // namespace gpu::plan
