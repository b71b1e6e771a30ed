#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpu::scheduler {

/// A semantic version 2.0.0, as CEL's semver() reads and compares it. The part after a plus is
/// ignored.
class CelVersion {
 public:
  static std::optional<CelVersion> parse(std::string_view text);
  /// semver(text, true): "v1.2" is 1.2.0, and zeros at the front of numbers do not matter.
  static std::optional<CelVersion> parse_tolerantly(std::string_view text);

  [[nodiscard]] std::uint64_t major() const { return numbers_[0]; }
  [[nodiscard]] std::uint64_t minor() const { return numbers_[1]; }
  [[nodiscard]] std::uint64_t patch() const { return numbers_[2]; }

  friend std::strong_ordering operator<=>(const CelVersion& a, const CelVersion& b);
  friend bool operator==(const CelVersion& a, const CelVersion& b) { return std::is_eq(a <=> b); }

 private:
  std::vector<std::uint64_t> numbers_;
  std::vector<std::string> before_;  ///< the part after a minus: "rc", "1"
};

}  // namespace gpu::scheduler
