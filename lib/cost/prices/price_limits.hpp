#pragma once

#include "base/money.hpp"

namespace gpu::cost {

/// Above these a price an hour is a mistake.
constexpr Money kMostOfGpu{100'000'000'000'000};      // 100,000 USD
constexpr Money kMostOfNode{10'000'000'000'000'000};  // 10 million USD

}  // namespace gpu::cost
