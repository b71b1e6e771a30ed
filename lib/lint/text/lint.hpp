#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rules/finding.hpp"

namespace gpu::lint {

/// A finding with its place in a file.
struct PlacedFinding {
  Finding finding;
  std::size_t document = 1;  ///< of the file, counted from 1
  std::size_t line = 1;      ///< of the file
  std::size_t column = 1;    ///< in bytes
};

/// What was looked at in a text.
struct FileFindings {
  std::vector<PlacedFinding> findings;  ///< by place
  std::size_t objects = 0;              ///< of Kubernetes; Lists count as what they hold
};

/// All mistakes in a text of YAML or JSON, of several documents too. A text that is neither has one
/// finding, `not-yaml`. Of objects whose kinds no rule knows, only their templates of pods are
/// judged. Says nothing of a cluster.
FileFindings lint_text(std::string_view text);

/// All rules, in the order of the files that declare them.
std::vector<const Rule*> rules();
/// Null where there is none.
const Rule* rule_named(std::string_view id);

}  // namespace gpu::lint
