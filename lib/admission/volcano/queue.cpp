#include "admission/volcano/queue.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::admission {
namespace {

VolcanoHold without_queue(const scheduler::Cluster& cluster, std::string_view name) {
  std::vector<std::string_view> names;
  for (const VolcanoQueue& each : cluster.snapshot().scheduling.volcano_queues)
    names.emplace_back(each.name);
  const auto near = nearest_name(name, names);
  return {.summary = fmt::format("Volcano's Queue {} does not exist{}", name,
                                 near ? fmt::format("; there is a Queue {}", *near) : ""),
          .nearest = fmt::format("Queue {} does not exist", name)};
}

std::optional<VolcanoHold> closed(const VolcanoQueue& queue) {
  if (queue.state != "Closed" && queue.state != "Closing") return std::nullopt;
  return VolcanoHold{
      .summary = fmt::format("Volcano's Queue {} is {}: it takes no new jobs", queue.name,
                             queue.state == "Closed" ? "closed" : "closing"),
      .nearest = fmt::format("Queue {} is not open", queue.name)};
}

std::optional<VolcanoHold> full(const VolcanoQueue& queue, const ResourceList& taken,
                                const ResourceList& requests) {
  for (const auto& [name, most] : queue.capability) {
    const Quantity more = amount_of(requests, name);
    const Quantity held = amount_of(taken, name);
    if (!(Quantity{} < more) || !(most < held + more)) continue;
    const Quantity left = held < most ? most - held : Quantity{};
    return VolcanoHold{
        .summary = fmt::format("the pod requests {} {}, and Volcano's Queue {} has {} left of its "
                               "capability of {}",
                               quantity_text(name, more), name, queue.name,
                               left == Quantity{} ? "none" : quantity_text(name, left),
                               quantity_text(name, most)),
        .nearest = fmt::format("Queue {} is at its capability", queue.name)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<VolcanoAnswer> volcano_answer(const scheduler::Cluster& cluster, const Pod& pod) {
  if (!is_of_volcano(pod)) return std::nullopt;
  const auto& index = cluster.shared<VolcanoIndex>();
  const std::string_view name = index.queue_of(pod);
  const SchedulingFacts& facts = cluster.snapshot().scheduling;
  const bool are_seen = !facts.volcano_queues.empty() &&
                        coverage_of(facts, "queues.scheduling.volcano.sh") == Coverage::whole;
  VolcanoAnswer answer;
  const VolcanoQueue* const own = index.queue(name);
  if (own == nullptr) {
    if (are_seen)
      answer.hold = without_queue(cluster, name);
    else
      answer.not_checked.push_back(
          fmt::format("Volcano's Queue {}, which was not read: it may be closed or full", name));
    return answer;
  }
  const ResourceList requests = effective_requests(pod);
  for (const VolcanoQueue* queue : index.chain(*own)) {
    if (!answer.hold) answer.hold = closed(*queue);
    const auto taken = index.taken(*queue);
    if (!taken && !queue->capability.empty())
      answer.not_checked.push_back(
          fmt::format("what is allocated of the capability of Volcano's Queue {}", queue->name));
    if (taken && !answer.hold) answer.hold = full(*queue, *taken, requests);
  }
  answer.not_checked.push_back(fmt::format(
      "weight, deserved and guarantee of Volcano's Queue {}, and which of its jobs comes first",
      name));
  return answer;
}

}  // namespace gpu::admission
