#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "quota/row.hpp"
#include "report/typed_cell.hpp"

namespace gpu::cmd {

/// "8", or "0.5" of a part of a card.
std::string units_text(Quantity units);
/// The same as a number; unknown for nothing.
report::Cell units_cell(const std::optional<Quantity>& units);

/// "nvidia.com/gpu", or where its units are no whole cards and its name does not say so
/// "nvidia.com/gpu (share)".
std::string resource_text(const std::string& resource, std::string_view unit);

/// "ClusterQueue", "KAI queue": what people call a limiter.
std::string limiter_text(quota::Limiter limiter);

/// What is the matter with a key, a flavor or a queue, in one or two words; empty for none.
std::string_view problem_words(quota::Problem problem);

}  // namespace gpu::cmd
