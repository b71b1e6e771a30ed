#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// Room for sums and products of 64-bit counts; ISO C++ has no such type.
__extension__ using Int128 = __int128;

/// A Kubernetes quantity, exact, in billionths ("1500m", "0.5Gi", "1e3", "8"). The rules are those
/// of k8s.io/apimachinery/pkg/api/resource: finer than a billionth is rounded up (away from zero),
/// and a magnitude over 2^63-1 is capped to it.
class Quantity {
 public:
  constexpr Quantity() = default;

  /// Nothing for text that the API server would refuse.
  static std::optional<Quantity> parse(std::string_view text);
  static constexpr Quantity of(std::int64_t whole) { return Quantity{Int128{whole} * kUnit}; }
  static constexpr Quantity of_milli(std::int64_t milli) {
    return Quantity{Int128{milli} * (kUnit / 1000)};
  }

  /// Whole units, rounded up: what the scheduler counts for devices, bytes, and pods.
  [[nodiscard]] std::int64_t value() const;
  /// Thousandths, rounded up: what the scheduler counts for cpu.
  [[nodiscard]] std::int64_t milli_value() const;

  Quantity& operator+=(Quantity other) {
    nanos_ += other.nanos_;
    return *this;
  }
  Quantity& operator-=(Quantity other) {
    nanos_ -= other.nanos_;
    return *this;
  }
  friend Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.nanos_ == b.nanos_; }
  friend constexpr auto operator<=>(Quantity a, Quantity b) { return a.nanos_ <=> b.nanos_; }
  /// How often `part` goes into `whole`; 0 where either is not above 0, capped at 64 bits.
  friend std::int64_t times_in(Quantity part, Quantity whole);

 private:
  static constexpr std::int64_t kUnit = 1'000'000'000;
  explicit constexpr Quantity(Int128 nanos) : nanos_(nanos) {}
  Int128 nanos_ = 0;
};

/// `a` + `b`, stopped at the ends of 64 bits: counts come from outside, and a cluster may claim
/// any.
std::int64_t capped_sum(std::int64_t a, std::int64_t b);

/// `a` times `b`, stopped at the ends of 64 bits.
std::int64_t capped_product(std::int64_t a, std::int64_t b);

}  // namespace gpu
