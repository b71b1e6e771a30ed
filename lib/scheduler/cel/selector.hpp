#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "scheduler/cel/value.hpp"

namespace gpu::scheduler {

struct CelExpression;

/// What a selector says of a device.
struct CelOutcome {
  enum class Kind : std::uint8_t {
    no,
    yes,
    error,        ///< a run-time error of CEL, in `text`: it ends the scheduling cycle
    not_checked,  ///< the expression has parts that are not understood here
  };
  Kind kind = Kind::not_checked;
  std::string text;
};

/// The effort of all evaluations for a cluster. If it is too much, evaluations of expressions that
/// loop give up; plain expressions are always evaluated.
struct CelEffort {
  std::int64_t steps = 0;  ///< of those that are not plain
};

/// A selector of devices, as in DRA's requests and classes: a CEL expression over `device`. It
/// supports what such selectors use, and returns not_checked for the rest, never a wrong result.
class CelSelector {
 public:
  explicit CelSelector(std::string_view expression);

  /// Whether the expression was read. If not, every outcome is not_checked.
  [[nodiscard]] bool is_understood() const { return expression_ != nullptr; }
  [[nodiscard]] CelOutcome evaluate(const CelDevice& device) const;
  [[nodiscard]] CelOutcome evaluate(const CelDevice& device, CelEffort& effort) const;

 private:
  std::shared_ptr<const CelExpression> expression_;
};

}  // namespace gpu::scheduler
