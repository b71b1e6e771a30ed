#include "model/objects/scheduling_facts.hpp"

namespace gpu {

Coverage coverage_of(const SchedulingFacts& facts, std::string_view plural) {
  const auto found = facts.coverages.find(plural);
  return found == facts.coverages.end() ? Coverage::none : found->second;
}

}  // namespace gpu
