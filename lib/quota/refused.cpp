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
#include "model/objects/own_kind.hpp"
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

Object object_of(const Event& event) { return {event.ns, event.kind, event.object}; }

/// The newest event about creating pods, of each object: they stand oldest first.
std::map<Object, const Event*> newest_of(const std::vector<Event>& events) {
  std::map<Object, const Event*> newest;
  for (const Event& event : events) {
    const bool is_refused = event.reason == "FailedCreate";
    if (!is_refused && event.reason != "SuccessfulCreate") continue;
    const Event*& known = newest[object_of(event)];
    // Of two at once the refusal: how many pods there are tells the rest.
    const bool is_at_once = known != nullptr && event.last && known->last == event.last;
    if (!is_at_once || is_refused) known = &event;
  }
  return newest;
}

/// Those that create pods and were refused: what is known of them, and how many pods they have.
class Owners {
 public:
  explicit Owners(const Snapshot& snapshot)
      : has_all_pods_(snapshot.pod_coverage == Coverage::whole) {
    for (const RefusedOwner& each : snapshot.scheduling.refused_owners)
      owners_.emplace(Object{each.ns, each.kind, each.name}, &each);
    if (owners_.empty()) return;
    for (const Pod& pod : snapshot.pods)
      for (const OwnerReference& each : pod.owners)
        if (each.controller && !is_finished(pod) && !pod.deleted)
          ++pods_[{pod.ns, each.kind, each.name}];
  }

  /// Null where it was not read.
  [[nodiscard]] const RefusedOwner* of(const Event& event) const {
    const auto found = owners_.find(object_of(event));
    return found == owners_.end() ? nullptr : found->second;
  }

  /// How many pods it wants and does not have; nothing: not known.
  [[nodiscard]] std::optional<std::int64_t> missing(const Event& event) const {
    const RefusedOwner* const owner = of(event);
    if (owner == nullptr) return std::nullopt;
    if (owner->is_gone) return 0;
    if (!owner->wanted || !has_all_pods_) return std::nullopt;
    const auto pods = pods_.find(object_of(event));
    const std::int64_t has = pods == pods_.end() ? 0 : pods->second;
    return std::max<std::int64_t>(0, *owner->wanted - has);
  }

 private:
  bool has_all_pods_;
  std::map<Object, const RefusedOwner*> owners_;
  std::map<Object, std::int64_t> pods_;
};

/// A Deployment's ReplicaSet stands for the Deployment.
Party party_of(const Event& event, const RefusedOwner* owner) {
  Party party{.ns = event.ns, .kind = event.kind, .name = event.object, .reason = event.message};
  const bool is_of_deployment =
      owner != nullptr && owner->controller && is_own(*owner->controller, "Deployment");
  if (is_of_deployment) {
    party.kind = owner->controller->kind;
    party.name = owner->controller->name;
  }
  return party;
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

/// Counts the pods of one owner in the row, if its quota is what refuses them.
void add_refused(Wait& wait, QuotaRow& row, const Event& event, const Refusal& refusal,
                 const Owners& owners, const std::optional<Time>& now) {
  const std::optional<std::int64_t> missing = owners.missing(event);
  if (missing == 0) return;
  for (const auto& [key, units] : refusal.requested) {
    if (key != row.key || *row.used + units <= *row.limit) continue;
    const std::int64_t pods = missing.value_or(1);
    Party party = party_of(event, owners.of(event));
    party.queue = wait.queue;
    party.units = times(units, pods);
    party.missing_pods = missing;
    party.since = since(event.first, now);
    *row.waiting = capped_sum(*row.waiting, pods);
    *row.waiting_units += *party.units;
    wait.waiting.push_back(std::move(party));
  }
}

}  // namespace

std::vector<Wait> count_refused(const scheduler::Cluster& cluster, std::vector<QuotaRow>& rows) {
  const Snapshot& snapshot = cluster.snapshot();
  if (coverage_of(snapshot.scheduling, "events") != Coverage::whole) return {};
  const std::map<Object, const Event*> newest = newest_of(snapshot.scheduling.events);
  const Owners owners(snapshot);
  std::vector<Wait> waits;
  for (QuotaRow& row : rows) {
    if (!limits_pods(row) || is_of_claims(row)) continue;
    row.waiting = 0;
    row.waiting_units = Quantity{};
    Wait wait{
        .limiter = Limiter::resource_quota, .queue = full_name(row), .resource = row.resource};
    for (const auto& [object, event] : newest) {
      const auto refusal = event->ns == row.ns && event->reason == "FailedCreate"
                               ? refusal_in(event->message)
                               : std::nullopt;
      if (refusal && refusal->quota == row.name && row.used)
        add_refused(wait, row, *event, *refusal, owners, snapshot.taken_at);
    }
    if (wait.waiting.empty()) continue;
    longest_first(wait);
    add_holders(wait, snapshot, row);
    waits.push_back(std::move(wait));
  }
  return waits;
}

}  // namespace gpu::quota
