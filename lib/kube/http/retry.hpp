#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace gpu::kube {

using Clock = std::chrono::steady_clock;

/// How long a client may wait after 429 and 5xx with Retry-After, in all. Waits that overlap, as
/// those of parallel requests do, count once.
class RetryBudget {
 public:
  explicit RetryBudget(std::chrono::milliseconds budget) : left_(budget) {}

  /// When to send a request again after an answer of `status` at `now`. Nothing: do not send it
  /// again, because the status does not request it, the budget is spent, or the wait would pass
  /// `deadline`. `attempts` were sent before.
  std::optional<Clock::time_point> retry_at(int status, std::string_view retry_after,
                                            Clock::time_point now,
                                            std::optional<Clock::time_point> deadline,
                                            int attempts = 0);

 private:
  Clock::duration left_;
  Clock::time_point waiting_until_{};
};

/// How long an answer tells the client to wait, at least 1 s; nothing if it does not. Only whole
/// seconds count, as in client-go: a date does not. If it names no usable time (0, -1), the wait
/// doubles with each of `attempts`.
std::optional<std::chrono::seconds> asked_wait(int status, std::string_view retry_after,
                                               int attempts = 0);

}  // namespace gpu::kube
