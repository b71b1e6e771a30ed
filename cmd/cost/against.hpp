#pragma once

#include "cmd/cost/cost_flags.hpp"
#include "cmd/cost/question.hpp"
#include "cmd/shell/env.hpp"
#include "cost/prices/price_book.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// `cost --against`: where OpenCost's figures differ from ours, and why. The exit code. Throws
/// Error for an answer that is none, or of another cluster.
int cost_against(const CostFlags& flags, const CostQuestion& question,
                 const cost::PriceBook& prices, Env& env);

/// How machines read it: CostDifferenceList.
report::AnswerForm difference_form();

}  // namespace gpu::cmd
