#pragma once

#include <vector>

#include "cmd/cost/answer.hpp"
#include "report/report.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// The answer, for every form of output.
report::Report cost_report(const CostAnswer& answer);

/// How machines read it: CostList.
report::AnswerForm cost_form();

/// What prices the numbers rest on, and how old they are: one sentence; empty where nothing has a
/// price.
std::string prices_text(const CostAnswer& answer);

/// Warnings about prices: none for some nodes, old ones, bounds.
std::vector<Gap> price_gaps(const CostAnswer& answer);

}  // namespace gpu::cmd
