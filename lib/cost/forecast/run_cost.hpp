#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cost/forecast/money_range.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::cost {

/// What limits the cost of an object.
enum class BoundBy : std::uint8_t {
  nothing,   ///< it runs until someone ends it, and its hours are not given
  deadline,  ///< activeDeadlineSeconds: retries and waiting for nodes included
  hours,     ///< the given hours, and all retries
};

/// "deadline", "hours"; empty for nothing.
std::string_view name_of(BoundBy by);

/// The pods of one template, the cost of one of them, and their limits.
struct PricedRun {
  RunBounds bounds;
  MoneyRange pod_hour;
  bool has_gpus = false;
};

/// The pods of a template that may run at one time, with all that an autoscaler may add; nothing:
/// no limit is known.
std::optional<std::int64_t> pods_at_most(const RunBounds& bounds);

/// What an object costs: by the hour, and in all.
struct RunCost {
  MoneyRange hour;  ///< all pods that start at one time
  /// The same with all that autoscalers may add; nothing: no limit to these is known.
  std::optional<MoneyRange> grown_hour;
  std::optional<MoneyRange> total;  ///< each pod runs once, for the given hours
  /// The same with all retries, and with all that autoscalers may add; nothing: their number is not
  /// known.
  std::optional<MoneyRange> worst;
  /// With all that autoscalers may add; nothing: a pod with GPUs has no deadline, or no limit.
  std::optional<MoneyRange> by_deadline;
  std::optional<std::chrono::seconds> deadline;  ///< the longest, of all its restarts together
  bool ends = false;                             ///< all that has GPUs runs to an end
  std::optional<std::int64_t> retries;           ///< of pods; nothing: not known
  std::int64_t restarts = 0;                     ///< of the object

  [[nodiscard]] BoundBy bound_by() const;
  /// At the most; nothing where it has no bound.
  [[nodiscard]] std::optional<MoneyRange> bound() const;
};

/// `run_for`: how long each pod runs, if the user said so.
RunCost run_cost(const std::vector<PricedRun>& runs,
                 const std::optional<std::chrono::seconds>& run_for);

}  // namespace gpu::cost
