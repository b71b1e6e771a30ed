#include "scheduler/cycle/verdict.hpp"

#include <algorithm>

namespace gpu::scheduler {

std::size_t Verdict::fitting() const {
  if (error || !rejections.empty()) return 0;
  return static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(), [](const NodeVerdict& node) { return node.lets_in(); }));
}

std::size_t Verdict::decided() const {
  const auto undecided = std::count_if(nodes.begin(), nodes.end(), [](const NodeVerdict& node) {
    return node.lets_in() && node.is_undecided;
  });
  return fitting() == 0 ? 0 : fitting() - static_cast<std::size_t>(undecided);
}

bool Verdict::fits() const { return decided() > 0; }

std::vector<FilterFailure> first_of(const std::vector<FilterFailure>& blockers) {
  std::vector<FilterFailure> first;
  for (const FilterFailure& blocker : blockers)
    if (blocker.filter == blockers.front().filter) first.push_back(blocker);
  return first;
}

}  // namespace gpu::scheduler
