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

/// What evaluations of a whole cluster's devices took together: expressions that loop are given up
/// when it is too much, plain ones never.
struct CelEffort {
  std::int64_t steps = 0;  ///< of those that are not plain
};

/// A selector of devices, as DRA's requests and classes have them: a CEL expression over `device`.
/// It understands what such selectors use, and says so of the rest, never a wrong answer.
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
