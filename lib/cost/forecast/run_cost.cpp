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
  const std::optional<std::int64_t> most = pods_at_most(run.bounds);
  if (!most) cost.grown_hour.reset();
  if (cost.grown_hour) cost.grown_hour = *cost.grown_hour + times(run.pod_hour, *most);
  cost.restarts = std::max(cost.restarts, run.bounds.restarts);
  cost.ends = cost.ends && run.bounds.ends;
}

void add_deadline(RunCost& cost, const PricedRun& run) {
  if (!cost.by_deadline) return;
  const std::optional<std::int64_t> most = pods_at_most(run.bounds);
  if (!run.bounds.deadline || !most) {
    cost.by_deadline.reset();
    cost.deadline.reset();
    return;
  }
  const std::chrono::seconds all = times(*run.bounds.deadline, attempts_of(run.bounds));
  cost.deadline = std::max(cost.deadline.value_or(all), all);
  cost.by_deadline = *cost.by_deadline + total_over(times(run.pod_hour, *most), all);
}

/// Retries of pods: of a template, or of all templates of the object together. What does not end is
/// not retried beyond the hours that are asked about.
struct Retries {
  std::optional<std::int64_t> own, shared;  ///< nothing: nobody counts them
};

Retries retries_of(const RunBounds& bounds) {
  if (!bounds.ends) return {.own = 0, .shared = 0};
  if (bounds.shares_retries) return {.own = 0, .shared = bounds.retries};
  return {.own = bounds.retries, .shared = 0};
}

/// The larger at each end; an end that one of them does not have, neither has.
MoneyRange larger(const MoneyRange& a, const MoneyRange& b) {
  const auto each = [](const std::optional<Money>& one, const std::optional<Money>& other) {
    return one && other ? std::optional(std::max(*one, *other)) : std::nullopt;
  };
  return {each(a.low, b.low), each(a.high, b.high)};
}

void add_total(RunCost& cost, const PricedRun& run, std::chrono::seconds run_for) {
  const MoneyRange one = total_over(run.pod_hour, run_for);
  const MoneyRange all = times(one, run.bounds.pods_in_all);
  cost.total = *cost.total + all;
  const std::optional<std::int64_t> retries = retries_of(run.bounds).own;
  const std::optional<std::int64_t> most = pods_at_most(run.bounds);
  if (!retries || !most) cost.worst.reset();
  if (!cost.worst) return;
  const MoneyRange grown = times(one, std::max(run.bounds.pods_in_all, *most));
  const std::int64_t attempts = run.bounds.ends ? attempts_of(run.bounds) : 1;
  cost.worst = *cost.worst + times(grown + times(one, *retries), attempts);
}

/// How many there are, and what those cost that templates share: the dearest pod of them may be
/// what fails each time.
void add_retries(RunCost& cost, const std::vector<PricedRun>& runs,
                 const std::optional<std::chrono::seconds>& run_for) {
  std::optional<std::int64_t> most = 0;
  MoneyRange dearest = kNoMoney;
  for (const PricedRun& run : runs) {
    if (!run.has_gpus) continue;
    const Retries retries = retries_of(run.bounds);
    cost.retries = cost.retries && retries.own
                       ? std::optional(capped_sum(*cost.retries, *retries.own))
                       : std::nullopt;
    if (retries.shared == 0) continue;
    most = most && retries.shared ? std::optional(std::max(*most, *retries.shared)) : std::nullopt;
    dearest = larger(dearest, run.pod_hour);
  }
  cost.retries =
      cost.retries && most ? std::optional(capped_sum(*cost.retries, *most)) : std::nullopt;
  if (!most) cost.worst.reset();
  if (cost.worst && run_for) cost.worst = *cost.worst + times(total_over(dearest, *run_for), *most);
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

std::optional<std::int64_t> pods_at_most(const RunBounds& bounds) {
  if (!bounds.growth) return bounds.pods_at_once;
  if (!bounds.growth->most) return std::nullopt;
  return std::max(bounds.pods_at_once, *bounds.growth->most);
}

RunCost run_cost(const std::vector<PricedRun>& runs,
                 const std::optional<std::chrono::seconds>& run_for) {
  RunCost cost{.hour = kNoMoney,
               .grown_hour = kNoMoney,
               .by_deadline = kNoMoney,
               .ends = true,
               .retries = 0};
  if (run_for) cost.total = cost.worst = kNoMoney;
  bool has_gpus = false;
  for (const PricedRun& run : runs) {
    if (!run.has_gpus) continue;
    has_gpus = true;
    add_rates(cost, run);
    add_deadline(cost, run);
    if (run_for) add_total(cost, run, *run_for);
  }
  add_retries(cost, runs, run_for);
  if (!has_gpus) cost.by_deadline.reset();
  cap(cost.total, cost.by_deadline);
  cap(cost.worst, cost.by_deadline);
  if (!cost.ends) cost.retries.reset();
  return cost;
}

}  // namespace gpu::cost
