#include "model/objects/gap.hpp"

#include <algorithm>

namespace gpu {

const Gap* gap_of(const std::vector<Gap>& gaps, Missing missing) {
  const auto found = std::find_if(gaps.begin(), gaps.end(),
                                  [&](const Gap& gap) { return gap.missing == missing; });
  return found == gaps.end() ? nullptr : &*found;
}

}  // namespace gpu
