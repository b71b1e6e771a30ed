#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace gpu::kube {

using Clock = std::chrono::steady_clock;

/// How long a client may wait on 429 and on 5xx with Retry-After, in all. Waits that overlap, as
/// those of parallel requests do, count once.
class RetryBudget {
 public:
  explicit RetryBudget(std::chrono::milliseconds budget) : left_(budget) {}

  /// When to ask again after an answer of `status` at `now`; nothing: do not ask again, because the
  /// status does not ask for it, the budget is spent, or the wait would pass `deadline`.
  std::optional<Clock::time_point> retry_at(int status, std::string_view retry_after,
                                            Clock::time_point now,
                                            std::optional<Clock::time_point> deadline);

 private:
  Clock::duration left_;
  Clock::time_point waiting_until_{};
};

/// The seconds that an answer asks to wait, at least 1; nothing when it does not ask. Only whole
/// seconds count, as in client-go: a date does not.
std::optional<std::chrono::seconds> asked_wait(int status, std::string_view retry_after);

}  // namespace gpu::kube
