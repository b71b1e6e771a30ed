#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "usage/rows/pod_usage.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {

/// What a namespace holds of one resource and model.
struct NamespaceUsage {
  std::string ns;
  const Pool* pool = nullptr;  ///< one of them: the same resource, source, model and unit
  std::int64_t units = 0;      ///< each claim counted once
  std::set<const Pod*> pods;
  Use use;
};

/// `rows` by namespace; in each, most units first, cards before slices.
std::vector<NamespaceUsage> namespace_usage(const std::vector<PodUsage>& rows);

/// All that one namespace holds: one row for people.
struct NamespaceGroup {
  std::string ns;
  std::vector<NamespaceUsage> kinds;  ///< never empty
  std::int64_t cards = 0;             ///< units that are whole devices
  std::int64_t parts = 0;             ///< all others
  std::int64_t pods = 0;              ///< each once
  Use use;                            ///< of cards and parts together, each by its own weight
};

/// Whether each kind has a row of its own.
enum class Kinds { apart, together };

/// `usages` as groups: together, the namespace with most cards first.
std::vector<NamespaceGroup> namespace_groups(const std::vector<NamespaceUsage>& usages,
                                             Kinds kinds);

/// "14 H100-80G", "1 H100-80G + 1 L4-24G + 9 mig": at most three amounts, then "+ 2 kinds".
std::string kinds_text(const NamespaceGroup& group);

}  // namespace gpu::usage
