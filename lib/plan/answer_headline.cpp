#include "plan/answer_headline.hpp"

#include <utility>

namespace gpu::plan {

void set_headline(diagnose::Explanation& answer, diagnose::Headline headline) {
  answer.summary = diagnose::headline_text(headline);
  answer.headline = std::move(headline);
}

void doubt_start(diagnose::Explanation& answer) {
  if (answer.is_blocked || !answer.headline) return;
  answer.headline->certainty = diagnose::Certainty::as_far_as_checked;
  answer.summary = diagnose::headline_text(*answer.headline);
}

}  // namespace gpu::plan
