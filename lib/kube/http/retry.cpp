#include "kube/http/retry.hpp"

#include <algorithm>
#include <charconv>

namespace gpu::kube {

std::optional<std::chrono::seconds> asked_wait(int status, std::string_view retry_after) {
  if (status != 429 && (status < 500 || status > 599)) return std::nullopt;
  int seconds = 0;
  const char* const end = retry_after.data() + retry_after.size();
  const auto [stopped, failed] = std::from_chars(retry_after.data(), end, seconds);
  const bool is_number = failed == std::errc() && stopped == end && !retry_after.empty();
  if (!is_number && status != 429) return std::nullopt;
  return std::chrono::seconds(is_number ? std::max(seconds, 1) : 1);
}

std::optional<Clock::time_point> RetryBudget::retry_at(int status, std::string_view retry_after,
                                                       Clock::time_point now,
                                                       std::optional<Clock::time_point> deadline) {
  const auto wait = asked_wait(status, retry_after);
  if (!wait) return std::nullopt;
  const Clock::time_point until = now + *wait;
  if (deadline && until >= *deadline) return std::nullopt;
  const auto more = std::max(until - std::max(now, waiting_until_), Clock::duration::zero());
  if (more > left_) return std::nullopt;
  left_ -= more;
  waiting_until_ = std::max(until, waiting_until_);
  return until;
}

}  // namespace gpu::kube
