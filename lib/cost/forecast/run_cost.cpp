#include "cost/forecast/run_cost.hpp"

#include <algorithm>

#include "base/quantity.hpp"

namespace gpu::cost {
namespace {

std::chrono::seconds times(std::chrono::seconds length, std::int64_t count) {
  return std::chrono::seconds(capped_product(length.count(), count));
}

/// How often all of it may run.
std::int64_t attempts_of(const RunBounds& bounds) { return capped_sum(bounds.restarts, 1); }

void add_rates(RunCost& cost, const PricedRun& run) {
  cost.hour = cost.hour + times(run.pod_hour, run.bounds.pods_at_once);
  cost.restarts = std::max(cost.restarts, run.bounds.restarts);
  cost.ends = cost.ends && run.bounds.ends;
  cost.retries = cost.retries && run.bounds.retries
                     ? std::optional(capped_sum(*cost.retries, *run.bounds.retries))
                     : std::nullopt;
}

void add_deadline(RunCost& cost, const PricedRun& run) {
  if (!cost.by_deadline) return;
  if (!run.bounds.deadline) {
    cost.by_deadline.reset();
    cost.deadline.reset();
    return;
  }
  const std::chrono::seconds all = times(*run.bounds.deadline, attempts_of(run.bounds));
  cost.deadline = std::max(cost.deadline.value_or(all), all);
  const MoneyRange rate = times(run.pod_hour, run.bounds.pods_at_once);
  cost.by_deadline = *cost.by_deadline + total_over(rate, all);
}

void add_total(RunCost& cost, const PricedRun& run, std::chrono::seconds run_for) {
  const MoneyRange one = total_over(run.pod_hour, run_for);
  const MoneyRange all = times(one, run.bounds.pods_in_all);
  cost.total = *cost.total + all;
  // What does not end is not retried beyond the hours that are asked about.
  const std::optional<std::int64_t> retries =
      run.bounds.ends ? run.bounds.retries : std::optional<std::int64_t>(0);
  if (!retries) cost.worst.reset();
  if (!cost.worst) return;
  const std::int64_t attempts = run.bounds.ends ? attempts_of(run.bounds) : 1;
  cost.worst = *cost.worst + times(all + times(one, *retries), attempts);
}

/// Nothing costs more than by its deadline.
void cap(std::optional<MoneyRange>& amount, const std::optional<MoneyRange>& bound) {
  if (!amount || !bound) return;
  if (amount->low && bound->low) amount->low = std::min(*amount->low, *bound->low);
  if (amount->high && bound->high) amount->high = std::min(*amount->high, *bound->high);
}

}  // namespace

std::string_view name_of(BoundBy by) {
  switch (by) {
    case BoundBy::nothing:
      return {};
    case BoundBy::deadline:
      return "deadline";
    case BoundBy::hours:
      return "hours";
  }
  return {};
}

BoundBy RunCost::bound_by() const {
  if (by_deadline) return BoundBy::deadline;
  return total ? BoundBy::hours : BoundBy::nothing;
}

std::optional<MoneyRange> RunCost::bound() const { return by_deadline ? by_deadline : worst; }

RunCost run_cost(const std::vector<PricedRun>& runs,
                 const std::optional<std::chrono::seconds>& run_for) {
  RunCost cost{.hour = kNoMoney, .by_deadline = kNoMoney, .ends = true, .retries = 0};
  if (run_for) cost.total = cost.worst = kNoMoney;
  bool has_gpus = false;
  for (const PricedRun& run : runs) {
    if (!run.has_gpus) continue;
    has_gpus = true;
    add_rates(cost, run);
    add_deadline(cost, run);
    if (run_for) add_total(cost, run, *run_for);
  }
  if (!has_gpus) cost.by_deadline.reset();
  cap(cost.total, cost.by_deadline);
  cap(cost.worst, cost.by_deadline);
  if (!cost.ends) cost.retries.reset();
  return cost;
}

}  // namespace gpu::cost
