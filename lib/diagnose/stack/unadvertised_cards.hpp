#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Nodes whose exporter reports more cards than their device plugin advertises, by the same rule as
/// the state that `top` shows. Only for snapshots with live use. Cluster::shared().
class UnadvertisedCards {
 public:
  explicit UnadvertisedCards(const scheduler::Cluster& cluster);
  /// The units of the resource that all these cards would have; nothing: no more than advertised.
  [[nodiscard]] std::optional<std::int64_t> units_on(std::string_view node,
                                                     std::string_view resource) const;

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> units_;  ///< by node and resource
};

}  // namespace gpu::diagnose
