#pragma once

#include <string>

#include "cmd/cost/cost_flags.hpp"
#include "cmd/shell/env.hpp"
#include "cost/prices/price_book.hpp"
#include "report/schema.hpp"

namespace gpu::cmd {

/// Prints every rule that was tried for the price of the node, and which one won. The exit code.
int explain_price(const std::string& node, const cost::PriceBook& prices, const CostFlags& flags,
                  Env& env);

/// How machines read it: PriceStepList.
report::AnswerForm price_step_form();

}  // namespace gpu::cmd
