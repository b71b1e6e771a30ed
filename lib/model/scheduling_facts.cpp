#include "model/scheduling_facts.hpp"

namespace gpu {

Sight sight_of(const SchedulingFacts& facts, std::string_view plural) {
  const auto found = facts.sights.find(plural);
  return found == facts.sights.end() ? Sight::none : found->second;
}

}  // namespace gpu
