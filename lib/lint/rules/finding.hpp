#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rules/rule.hpp"

namespace gpu::lint {

/// A change of the text that mends a finding, and nothing beside it.
struct Edit {
  enum class Kind {
    set,     ///< the value at `at`; where there is none, its key is added
    quote,   ///< the scalar at `at`, as it is written: `yes` to "yes"
    append,  ///< `value` to the list at `at`; where there is none, the list is added
    rename,  ///< the last key of `at` to the text `value`
    remove,  ///< what stands at `at`
  };
  Kind kind = Kind::set;
  nlohmann::json::json_pointer at;  ///< in the document
  nlohmann::json value;
};

/// A mistake in a document. Refers to its rule, which lives as long as the program.
struct Finding {
  const Rule* rule = nullptr;
  nlohmann::json::json_pointer at;  ///< in the document: the field, or where it would stand
  std::string message;              ///< a sentence without a full stop
  std::string fix;                  ///< what to write: "write kubeflow.org/v1"
  std::optional<Edit> edit = {};    ///< where the fix is mechanical
};

/// What the checks of one document find.
class Findings {
 public:
  void add(const Rule& rule, nlohmann::json::json_pointer at, std::string message,
           std::string fix = {}, std::optional<Edit> edit = {}) {
    all_.push_back({.rule = &rule,
                    .at = std::move(at),
                    .message = std::move(message),
                    .fix = std::move(fix),
                    .edit = std::move(edit)});
  }
  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

/// "spec.containers[0].resources.limits["nvidia.com/gpu"]": a key that has a dot or a slash stands
/// in quotes, so that the path says what is meant.
std::string path_text(const nlohmann::json::json_pointer& pointer);

}  // namespace gpu::lint
