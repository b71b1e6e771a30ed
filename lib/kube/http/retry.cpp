#include "kube/http/retry.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace gpu::kube {

std::optional<std::chrono::seconds> asked_wait(int status, std::string_view retry_after,
                                               int attempts) {
  constexpr int kMostDoublings = 5;                   // 32 s
  constexpr std::int64_t kLongest = 365 * 24 * 3600;  // a year
  if (status != 429 && (status < 500 || status > 599)) return std::nullopt;
  std::int64_t seconds = 0;
  const char* const end = retry_after.data() + retry_after.size();
  const auto [stopped, failed] = std::from_chars(retry_after.data(), end, seconds);
  // Longer than anybody counts in seconds: as long as can be said.
  if (failed == std::errc::result_out_of_range && stopped == end && status == 429)
    return retry_after.starts_with('-')
               ? std::chrono::seconds(1 << std::min(attempts, kMostDoublings))
               : std::chrono::hours(24 * 365);
  const bool is_number = failed == std::errc() && stopped == end && !retry_after.empty();
  if (!is_number && status != 429) return std::nullopt;
  if (is_number && seconds > 0) return std::chrono::seconds(std::min(seconds, kLongest));
  // No time that could be meant: twice as long each time.
  return std::chrono::seconds(1 << std::min(attempts, kMostDoublings));
}

std::optional<Clock::time_point> RetryBudget::retry_at(int status, std::string_view retry_after,
                                                       Clock::time_point now,
                                                       std::optional<Clock::time_point> deadline,
                                                       int attempts) {
  const auto wait = asked_wait(status, retry_after, attempts);
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
