#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"

namespace gpu {

/// A parsed `-l` selector: requirements that must all hold.
class LabelSelector {
 public:
  LabelSelector() = default;
  /// "a=b,c!=d,e in (x,y),f notin (z),g,!h,i>5,j<9", as apimachinery's labels.Parse reads it.
  /// Throws Error{usage} that shows the place.
  static LabelSelector parse(std::string_view text);

  /// Whether all requirements hold.
  [[nodiscard]] bool matches(const StringMap& labels) const;
  /// Whether it asks for nothing, and so matches everything.
  [[nodiscard]] bool empty() const { return requirements_.empty(); }

 private:
  enum class Operator { exists, not_exists, in, not_in, greater, less };
  struct Requirement {
    std::string key;
    Operator op = Operator::exists;
    std::vector<std::string> values;
  };
  class Parser;
  static bool holds(const Requirement& requirement, const StringMap& labels);
  std::vector<Requirement> requirements_;
};

}  // namespace gpu
