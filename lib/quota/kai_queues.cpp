#include "quota/kai_queues.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "admission/kai/bound.hpp"
#include "admission/kai/index.hpp"
#include "admission/kai/request.hpp"
#include "model/snapshot/kai.hpp"

namespace gpu::quota {
namespace {

using admission::KaiBound;
using admission::KaiIndex;
using admission::KaiShare;

struct Sum {
  std::int64_t pods = 0;
  std::optional<Quantity> units = Quantity{};  ///< nothing: of some pod it is not known
};

std::map<std::string_view, Sum> waiting_in(const scheduler::Cluster& cluster) {
  const auto& index = cluster.shared<KaiIndex>();
  std::map<std::string_view, Sum> sums;
  for (const Pod& pod : cluster.snapshot().pods) {
    const KaiQueue* const own = waits_for_kai(pod) ? index.queue(kai_queue_of(pod)) : nullptr;
    if (own == nullptr) continue;
    const auto units = admission::kai_amount(cluster, pod, KaiShare::gpus);
    if (units == Quantity{}) continue;
    for (const KaiQueue* each : index.chain(*own)) {
      Sum& sum = sums[each->name];
      ++sum.pods;
      if (units && sum.units)
        *sum.units += *units;
      else
        sum.units.reset();
    }
  }
  return sums;
}

void set_state(QuotaRow& row) {
  if (!row.used)
    row.state = State::unknown;
  else if (row.limit && *row.limit < *row.used)
    row.state = State::over;
  else if (row.limit && *row.used == *row.limit)
    row.state = State::full;
}

}  // namespace

bool waits_for_kai(const Pod& pod) {
  return is_of_kai(pod) && pod.node_name.empty() && !is_finished(pod);
}

std::vector<QuotaRow> kai_rows(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  const auto& index = cluster.shared<KaiIndex>();
  const std::map<std::string_view, Sum> waiting = waiting_in(cluster);
  std::vector<QuotaRow> rows;
  for (const KaiQueue& queue : snapshot.scheduling.kai_queues) {
    const KaiAllowance& allowance = queue.allowances.front();
    QuotaRow row{.limiter = Limiter::kai_queue,
                 .name = queue.name,
                 .resource = allowance.resource,
                 .key = "resources.gpu.limit",
                 .parent = queue.parent,
                 .limit = allowance.limit,
                 .deserved = allowance.quota};
    if (queue.allocated) row.reported.used = amount_of(*queue.allocated, allowance.resource);
    if (snapshot.pod_coverage == Coverage::whole)
      row.counted.used = admission::gpus_of(index.holders(queue.name));
    // KAI goes by the pods, of which those are missed here that take their Queue from their owner.
    row.used = admission::kai_room(cluster, queue, KaiShare::gpus, KaiBound::limit).allocated;
    if (row.limit && row.used) row.free = std::max(Quantity{}, *row.limit - *row.used);
    if (snapshot.waiting) {
      const auto found = waiting.find(queue.name);
      row.waiting = found == waiting.end() ? 0 : found->second.pods;
      row.waiting_units = found == waiting.end() ? Quantity{} : found->second.units;
    }
    set_state(row);
    const bool is_plain =
        !row.limit && !row.deserved && row.used.value_or(Quantity{}) == Quantity{};
    if (!is_plain || row.waiting.value_or(0) > 0) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gpu::quota
