#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/money.hpp"
#include "cost/rows/cost_row.hpp"
#include "report/typed_cell.hpp"

namespace gpu::cmd {

/// Hours of a month: 365 days in twelve months.
inline constexpr std::int64_t kHoursOfMonth = 730;

/// Unknown when empty.
report::Cell text_cell(const std::string& text);
report::Cell length_cell(const std::optional<std::chrono::seconds>& length);
/// Unknown where the amount did not fit: Money::is_capped().
report::Cell usd_cell(Money amount);
report::Cell usd_cell(const std::optional<Money>& amount);

/// What it costs an hour; unknown where nothing of it has a price.
std::optional<Money> hour_of(const cost::CostRow& row);
/// The idle part of that; unknown where the use of none of it is known.
std::optional<Money> idle_of(const cost::CostRow& row);
/// What is held, or perhaps held, and whose use is not known; unknown where nothing has a price.
std::optional<Money> unknown_of(const cost::CostRow& row);
/// The busy part of what is held and whose use is known, 0 to 1.
std::optional<double> busy_of(const cost::CostRow& row);

/// `amount` an hour for a month, in whole dollars.
report::Cell month_cell(const std::optional<Money>& amount);

/// What a reader has to know of the rates: "at most: spot price not known", "2 GPUs without a
/// price"; empty where there is nothing to say.
std::string rate_note(const cost::CostRow& row);

/// The same, and what there is to know of what it came to so far: "2 pods are gone: estimated".
std::string total_note(const cost::CostRow& row);

}  // namespace gpu::cmd
