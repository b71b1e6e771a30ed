#include <fmt/format.h>

#include <algorithm>

#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "base/time.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::checkup {
namespace {

/// Samples of a day are a moment short of it.
constexpr std::chrono::minutes kLong{24 * 60 - 10};

/// Prometheus tells of averages and maxima, and not for long enough to say what was idle.
bool is_too_short(const Snapshot& snapshot) {
  return std::any_of(snapshot.samples.begin(), snapshot.samples.end(),
                     [](const Sample& sample) { return tells_of_the_past(sample.measures); });
}

bool knows_the_past(const Snapshot& snapshot) {
  for (const Sample& sample : snapshot.samples)
    if (sample.measures.idle_for) return true;
  return false;
}

}  // namespace

CheckResults check_idle(const CheckContext& context) {
  if (!knows_the_past(context.snapshot) && is_too_short(context.snapshot))
    return {{.state = CheckState::skipped,
             .says = "Prometheus does not reach back 24 hours, so it is not known how long GPUs "
                     "have been idle"}};
  if (!knows_the_past(context.snapshot))
    return {{.state = CheckState::skipped,
             .says = "without Prometheus it is not known how long GPUs have been idle",
             .is_out_of_sight = true}};
  const auto& window = context.snapshot.sample_window;
  if (window && *window < kLong)
    return {{.state = CheckState::skipped,
             .says = fmt::format("what is reported about the past looks back {}, and not 24 hours",
                                 typed_duration(*window))}};
  std::vector<usage::PodUsage> idle;
  std::vector<std::string> pods;
  for (const usage::PodUsage& row : usage::pod_usage(context.inventory)) {
    if (row.pod == nullptr || !row.use.idle_for || *row.use.idle_for < kLong) continue;
    idle.push_back(row);
    pods.push_back(row.pod->ns + "/" + row.pod->name);
  }
  const std::int64_t gpus = usage::units_of(idle);
  if (pods.empty()) return {{.says = "no pod has held a GPU idle for 24 hours"}};
  return {{.state = CheckState::warning,
           .says = fmt::format("{} {} been idle for 24 hours in {}", counted(gpus, "GPU"),
                               gpus == 1 ? "has" : "have", few_and_rest(pods, 3)),
           .help = "ask their owners, or see them all",
           .command = "kubectl gpu top pods --idle 24h"}};
}

}  // namespace gpu::checkup
