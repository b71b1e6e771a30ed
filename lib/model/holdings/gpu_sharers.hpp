#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// The pods that share GPUs under KAI or Run:ai. A reservation pod holds each of these GPUs for
/// them: it stands for its users, and is no holder beside them.
class GpuSharers {
 public:
  explicit GpuSharers(const Snapshot& snapshot);
  /// Those that share the GPU that `reservation` holds, in the order of the snapshot; none for any
  /// other pod, and for one whose users were not read.
  [[nodiscard]] std::vector<const Pod*> of(const Pod& reservation) const;

 private:
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Pod*>> by_group_;
};

}  // namespace gpu
