#pragma once

#include <cstdint>
#include <optional>

namespace gpu::cost {

/// A sum of amounts of which some may not be known. It adds the known ones, and counts the others.
template <class T>
struct Tally {
  T sum{};
  std::int64_t known = 0;
  std::int64_t missing = 0;

  void add(const std::optional<T>& amount) {
    if (!amount) {
      ++missing;
      return;
    }
    sum += *amount;
    ++known;
  }
  /// The sum; nothing if no amount is known and some are not.
  [[nodiscard]] std::optional<T> value() const {
    return known == 0 && missing > 0 ? std::nullopt : std::optional<T>(sum);
  }
};

}  // namespace gpu::cost
