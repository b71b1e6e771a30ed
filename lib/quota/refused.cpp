#include "quota/refused.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "admission/api/quota.hpp"
#include "admission/api/quota_scopes.hpp"
#include "base/split.hpp"
#include "quota/resource_quotas.hpp"

namespace gpu::quota {
namespace {

/// What the API server says of a pod that a quota refuses: `exceeded quota: gpus, requested:
/// requests.nvidia.com/gpu=4, used: requests.nvidia.com/gpu=8, limited: ...`.
struct Refusal {
  std::string_view quota;
  std::vector<std::pair<std::string_view, Quantity>> requested;
};

std::optional<Refusal> refusal_in(std::string_view message) {
  constexpr std::string_view kLead = "exceeded quota: ";
  constexpr std::string_view kRequested = ", requested: ";
  constexpr std::string_view kUsed = ", used: ";
  const std::size_t lead = message.find(kLead);
  if (lead == std::string_view::npos) return std::nullopt;
  message.remove_prefix(lead + kLead.size());
  const std::size_t name = message.find(kRequested);
  const std::size_t end = message.find(kUsed);
  if (name == std::string_view::npos || end == std::string_view::npos || end < name)
    return std::nullopt;
  Refusal refusal{.quota = message.substr(0, name), .requested = {}};
  const std::size_t start = name + kRequested.size();
  if (end < start) return std::nullopt;
  for (const std::string_view each : split(message.substr(start, end - start), ',')) {
    const std::size_t equals = each.find('=');
    if (equals == std::string_view::npos) continue;
    if (const auto amount = Quantity::parse(each.substr(equals + 1)))
      refusal.requested.emplace_back(each.substr(0, equals), *amount);
  }
  return refusal;
}

using Object = std::tuple<std::string_view, std::string_view, std::string_view>;

/// The newest event about making pods, of each object: they stand oldest first.
std::map<Object, const Event*> newest_of(const std::vector<Event>& events) {
  std::map<Object, const Event*> newest;
  for (const Event& event : events)
    if (event.reason == "FailedCreate" || event.reason == "SuccessfulCreate")
      newest[{event.ns, event.kind, event.object}] = &event;
  return newest;
}

/// Pods that the quota counts, most units first.
void add_holders(Wait& wait, const Snapshot& snapshot, const QuotaRow& row) {
  const auto& quotas = snapshot.scheduling.quotas;
  const auto quota = std::find_if(quotas.begin(), quotas.end(), [&](const ResourceQuota& each) {
    return each.ns == row.ns && each.name == row.name;
  });
  if (quota == quotas.end()) return;
  for (const Pod& pod : snapshot.pods) {
    if (pod.ns != row.ns || is_finished(pod) || admission::counts(*quota, pod) != true) continue;
    const Quantity units = amount_of(admission::quota_usage(pod), row.key);
    if (units == Quantity{}) continue;
    wait.holders.push_back({.ns = pod.ns,
                            .kind = "Pod",
                            .name = pod.name,
                            .queue = wait.queue,
                            .units = units,
                            .since = since(pod.created, snapshot.taken_at)});
  }
  keep_largest(wait);
}

}  // namespace

std::vector<Wait> count_refused(const scheduler::Cluster& cluster, std::vector<QuotaRow>& rows) {
  const Snapshot& snapshot = cluster.snapshot();
  if (coverage_of(snapshot.scheduling, "events") != Coverage::whole) return {};
  const std::map<Object, const Event*> newest = newest_of(snapshot.scheduling.events);
  std::vector<Wait> waits;
  for (QuotaRow& row : rows) {
    if (!limits_pods(row)) continue;
    row.waiting = 0;
    row.waiting_units = Quantity{};
    Wait wait{
        .limiter = Limiter::resource_quota, .queue = full_name(row), .resource = row.resource};
    for (const auto& [object, event] : newest) {
      const auto refusal = event->ns == row.ns && event->reason == "FailedCreate"
                               ? refusal_in(event->message)
                               : std::nullopt;
      if (!refusal || refusal->quota != row.name || !row.used) continue;
      for (const auto& [key, units] : refusal->requested) {
        if (key != row.key || *row.used + units <= *row.limit) continue;
        ++*row.waiting;
        *row.waiting_units += units;
        wait.waiting.push_back({.ns = event->ns,
                                .kind = event->kind,
                                .name = event->object,
                                .queue = wait.queue,
                                .units = units,
                                .since = since(event->first, snapshot.taken_at),
                                .reason = event->message});
      }
    }
    if (wait.waiting.empty()) continue;
    add_holders(wait, snapshot, row);
    waits.push_back(std::move(wait));
  }
  return waits;
}

}  // namespace gpu::quota
