#pragma once

#include <string>

#include "base/money.hpp"

namespace gpu::cost {

/// "18.00 $/h", "0.1315 $/h": exact, with two decimals or more.
std::string hourly_text(Money per_hour);

}  // namespace gpu::cost
