#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// Pods that selectors cannot distinguish: the same namespace and the same labels.
struct PodClass {
  struct Place {
    std::uint32_t node = 0;
    std::int32_t pods = 0;
    std::int32_t terminating = 0;  ///< of them
  };
  const Pod* pod = nullptr;  ///< one of them
  std::vector<Place> places;
};

/// The pods on nodes, by class. For Cluster::shared().
class PodClasses {
 public:
  explicit PodClasses(const Cluster& cluster);
  [[nodiscard]] const std::vector<PodClass>& all() const { return classes_; }
  /// Those of a namespace, as places in all().
  [[nodiscard]] const std::vector<std::uint32_t>& in(std::string_view ns) const;

 private:
  std::vector<PodClass> classes_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_namespace_;
};

}  // namespace gpu::scheduler
