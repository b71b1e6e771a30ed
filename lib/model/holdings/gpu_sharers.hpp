#pragma once

#include <map>
#include <set>
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
  /// Those that share GPUs of `node` which no reservation pod in sight holds: a list for each GPU.
  [[nodiscard]] std::vector<std::vector<const Pod*>> unreserved_on(std::string_view node) const;

 private:
  using Groups = std::map<std::pair<std::string_view, std::string_view>, std::vector<const Pod*>>;
  Groups by_group_;  ///< by node and group
  std::set<std::pair<std::string_view, std::string_view>> reserved_;
};

}  // namespace gpu
