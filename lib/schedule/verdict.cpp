#include "schedule/verdict.hpp"

#include <algorithm>

namespace gpu::schedule {

std::size_t Verdict::fitting() const {
  if (error || !rejections.empty()) return 0;
  return static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(),
      [](const NodeVerdict& node) { return node.blockers.empty() && !node.is_left_out; }));
}

bool Verdict::fits() const { return fitting() > 0; }

std::vector<Blocker> first_of(const NodeVerdict& node) {
  std::vector<Blocker> first;
  for (const Blocker& blocker : node.blockers)
    if (blocker.filter == node.blockers.front().filter) first.push_back(blocker);
  return first;
}

}  // namespace gpu::schedule
