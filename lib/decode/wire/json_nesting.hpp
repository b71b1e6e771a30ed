#pragma once

#include <array>

namespace gpu::decode {

/// Moves `at` behind the closing quote of a JSON string and says true; or to `end`, or to a control
/// character, which no string may hold, and says false. `escaped` is kept between the parts.
bool scan_string(const char*& at, const char* end, bool& escaped);

/// Follows the brackets and strings of one JSON array or object, fed in parts.
class JsonNesting {
 public:
  /// What stopped a scan.
  enum class Stop { out_of_bytes, closed, too_deep, mismatch, control_character };
  static constexpr unsigned kMostDepth = 200;

  /// Starts before an opening bracket that is inside `outer` others.
  void begin(unsigned outer);
  /// Moves `at` behind the bracket that closes all, to the byte that is wrong, or to `end`.
  Stop scan(const char*& at, const char* end);

 private:
  Stop on_bracket(char bracket);

  std::array<char, kMostDepth> closing_{};
  unsigned depth_ = 0;
  unsigned most_depth_ = kMostDepth;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace gpu::decode
