#pragma once

#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpu::scheduler {

/// A regular expression of CEL's matches(): RE2's syntax, found anywhere in the text.
class CelPattern {
 public:
  /// Null for one that cannot be read.
  static std::shared_ptr<const CelPattern> compile(std::string_view pattern);
  explicit CelPattern(std::unique_ptr<const re2::RE2> compiled);
  ~CelPattern();
  CelPattern(const CelPattern&) = delete;
  CelPattern& operator=(const CelPattern&) = delete;

  [[nodiscard]] bool is_in(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace gpu::scheduler
