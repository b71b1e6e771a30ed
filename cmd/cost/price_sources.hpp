#pragma once

#include "cmd/cost/cost_flags.hpp"
#include "cmd/shell/env.hpp"
#include "cost/prices/price_book.hpp"

namespace gpu::cmd {

/// All prices that are known: --price, then --prices, else the file of KUBECTL_GPU_PRICES, then the
/// built-in table. Throws Error{usage} for a file that cannot be read, or is wrong.
cost::PriceBook price_book(const CostFlags& flags, const Env& env);

/// The same without flags.
cost::PriceBook usual_prices(const Env& env);

}  // namespace gpu::cmd
