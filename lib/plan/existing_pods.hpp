#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "diagnose/answer/explanation.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::plan {

/// What is in the cluster already of what manifests would make: pods that run or wait, by who they
/// belong to.
class ExistingPods {
 public:
  /// `snapshot` holds the planned pods, too: they are passed over by their uid.
  ExistingPods(const Snapshot& snapshot, const PlannedObjects& planned);

  /// Says that the object of that name exists, and that its pods are counted. Nothing where it has
  /// no pods.
  [[nodiscard]] std::optional<diagnose::Remark> remark_on(const Pod& planned) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;  ///< kind, namespace, name
  std::map<Key, std::int64_t> counts_;
};

}  // namespace gpu::plan
