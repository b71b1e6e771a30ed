#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/quantity.hpp"

namespace gpu {

/// An amount of a resource as a person writes it: cpu "32" or "500m", bytes "256Gi" where that is
/// exact, all else a whole number.
std::string quantity_text(std::string_view resource, Quantity amount);

/// The same for an amount as the scheduler counts it: cpu in thousandths, as the annotation
/// gpu-fraction, which is no resource; gpu-memory is in MiB.
std::string amount_text(std::string_view resource, std::int64_t compared);

}  // namespace gpu
