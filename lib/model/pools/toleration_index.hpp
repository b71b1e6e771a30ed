#pragma once

#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// Tolerations made ready for many taints: what tolerates() says, without looking at each. Refers
/// to the tolerations.
class TolerationIndex {
 public:
  explicit TolerationIndex(const std::vector<Toleration>& tolerations);
  [[nodiscard]] bool tolerates(const Taint& taint) const;

 private:
  using Key = std::tuple<std::string_view, std::string_view>;
  using KeyAndValue = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::set<Key> exists_;         ///< keys and effects; empty: any
  std::set<KeyAndValue> equal_;  ///< keys, effects and values
};

}  // namespace gpu
