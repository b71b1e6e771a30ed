#include "plan/fit/missing.hpp"

#include <algorithm>
#include <utility>

#include "plan/fit/run.hpp"

namespace gpu::plan {
namespace {

Missing missing_of(const std::vector<PartRun>& parts, const std::vector<AskedObject>& objects) {
  Missing missing;
  for (const AskedObject& object : objects)
    for (const AskedPods& each : object.parts) {
      const std::int64_t count = std::min(each.planned.count, kMostTriedPods);
      const PartRun& part = parts[each.row];
      missing.pods += count - part.started;
      missing.without_room += count - std::max(part.started, part.room_for);
    }
  return missing;
}

bool has_more(const Missing& a, const Missing& b) {
  return std::pair(a.pods, a.without_room) > std::pair(b.pods, b.without_room);
}

}  // namespace

Missing missing_in(Filling& filling, const std::vector<AskedObject>& objects,
                   const diagnose::ExplainOptions& options) {
  constexpr std::size_t kWays = 3;
  Missing most;
  for (std::size_t way = 0; way < kWays && most.pods == 0; ++way) {
    const std::vector<PartRun> parts =
        run_through(filling, objects, TieBreak::of_run(way), Detail::starts, options);
    const Missing missing = missing_of(parts, objects);
    if (has_more(missing, most)) most = missing;
    const bool is_by_chance = std::any_of(parts.begin(), parts.end(),
                                          [](const PartRun& part) { return part.is_by_chance; });
    if (!is_by_chance) break;
  }
  return most;
}

}  // namespace gpu::plan
