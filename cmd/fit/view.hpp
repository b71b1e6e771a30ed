#pragma once

#include <vector>

#include "model/objects/gap.hpp"
#include "plan/fit/result.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// The answer as a table, and all of it for machines.
report::Report fit_report(const plan::FitAnswer& answer, const std::vector<Gap>& gaps);

/// The kind of the answer, for docs/schema.
report::AnswerForm fit_form();

}  // namespace gpu::cmd
