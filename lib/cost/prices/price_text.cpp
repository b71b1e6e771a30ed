#include "cost/prices/price_text.hpp"

#include <fmt/format.h>

namespace gpu::cost {

std::string hourly_text(Money per_hour) {
  constexpr std::int64_t kNano = 1'000'000'000;
  std::string decimals = fmt::format("{:09}", per_hour.nano % kNano);
  while (decimals.size() > 2 && decimals.back() == '0') decimals.pop_back();
  return fmt::format("{}.{} $/h", per_hour.nano / kNano, decimals);
}

}  // namespace gpu::cost
