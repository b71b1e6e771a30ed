#include "decode/scheduling_object.hpp"

#include <nlohmann/json.hpp>

namespace gpu::decode {

Taken take_scheduling_object(const nlohmann::json& /*object*/, SchedulingFacts& /*facts*/) {
  return Taken::no;
}

void sort_facts(SchedulingFacts& /*facts*/) {}

}  // namespace gpu::decode
