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
  /// `attempts` were made before.
  std::optional<Clock::time_point> retry_at(int status, std::string_view retry_after,
                                            Clock::time_point now,
                                            std::optional<Clock::time_point> deadline,
                                            int attempts = 0);

 private:
  Clock::duration left_;
  Clock::time_point waiting_until_{};
};

/// The seconds that an answer asks to wait, at least 1; nothing when it does not ask. Only whole
/// seconds count, as in client-go: a date does not. Where none are named, or none that can be
/// waited (0, -1), it is twice as long after each of `attempts`.
std::optional<std::chrono::seconds> asked_wait(int status, std::string_view retry_after,
                                               int attempts = 0);

}  // namespace gpu::kube
