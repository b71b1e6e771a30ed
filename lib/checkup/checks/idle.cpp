#include <fmt/format.h>

#include <map>

#include "base/duration.hpp"
#include "base/phrase.hpp"
#include "base/time.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "usage/rows/pool_use.hpp"

namespace gpu::checkup {
namespace {

/// Samples of a day are a moment short of it.
constexpr std::chrono::minutes kLong{24 * 60 - 10};

bool knows_the_past(const Snapshot& snapshot) {
  for (const Sample& sample : snapshot.samples)
    if (sample.measures.idle_for) return true;
  return false;
}

}  // namespace

CheckResults check_idle(const CheckContext& context) {
  if (!knows_the_past(context.snapshot))
    return {{.state = CheckState::skipped,
             .says = "without Prometheus it is not known how long GPUs have been idle"}};
  std::int64_t gpus = 0;
  std::vector<std::string> pods;
  for (const Holding& holding : context.inventory.holdings) {
    if (holding.pods.size() != 1) continue;
    const usage::HeldUse held =
        usage::held_use(context.inventory.devices[holding.pool], holding, holding.pods.front());
    if (!held.use.idle_for || *held.use.idle_for < kLong) continue;
    gpus += holding.units;
    pods.push_back(holding.pods.front()->ns + "/" + holding.pods.front()->name);
  }
  if (pods.empty()) return {{.says = "no pod has held a GPU idle for 24 hours"}};
  return {{.state = CheckState::warning,
           .says = fmt::format("{} {} been idle for 24 hours in {}", counted(gpus, "GPU"),
                               gpus == 1 ? "has" : "have", few_and_rest(pods, 3)),
           .help = "ask their owners, or see them all",
           .command = "kubectl gpu top pods --idle 24h"}};
}

}  // namespace gpu::checkup
