#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cmd/why_pending/answers.hpp"
#include "diagnose/answer/explanation.hpp"
#include "model/objects/gap.hpp"
#include "report/diagnostic.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// All of them as a table for people and pipes, and as items for machines.
report::Report pending_report(const PendingAnswers& answers, const std::vector<Gap>& gaps,
                              report::Names names);

/// What docs/schema says of these items.
report::AnswerForm pending_form();

/// GPUs that all who are blocked wait for together.
struct GpusWaitedFor {
  std::int64_t known = 0;
  bool are_all = true;  ///< false: what one of them asks for was not read
};
GpusWaitedFor gpus_waited_for(const PendingAnswers& answers);

/// "4 pods and 2 jobs wait for 15 GPUs": jobs are those that have no pods.
std::string waiting_text(const PendingAnswers& answers);

}  // namespace gpu::cmd
