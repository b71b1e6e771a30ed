#include "schedule/node_declared_features.hpp"

namespace gpu::schedule {

PreFilterResult before_declared_features(const Rules&, const Pod&) { return {.skips = true}; }

}  // namespace gpu::schedule
