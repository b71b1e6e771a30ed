#include "quota/resource_quotas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "admission/api/quota.hpp"
#include "admission/api/quota_scopes.hpp"
#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "model/snapshot/quota_key.hpp"

namespace gpu::quota {
namespace {

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kOfClass = ".deviceclass.resource.k8s.io/devices";

/// What a key of spec.hard says of GPUs.
struct Key {
  std::string resource;
  Problem problem = Problem::none;
  std::string suggestion = {};
};

/// "PriorityClass In high,urgent".
std::string scope_text(const QuotaScope& scope) {
  if (scope.name != "PriorityClass") return scope.name;
  std::string text = scope.name + " " + scope.op;
  if (!scope.values.empty()) text += " " + joined(scope.values, ",");
  return text;
}

class Keys {
 public:
  Keys(const scheduler::Cluster& cluster, const Cards& cards) : cluster_(cluster), cards_(cards) {}

  /// Nothing for a key that is not about GPUs.
  [[nodiscard]] std::optional<Key> read(std::string_view key, Quantity hard) const {
    if (key.ends_with(kOfClass)) return of_class(key.substr(0, key.size() - kOfClass.size()));
    const std::optional<QuotaKey> known = quota_key(key);
    if (key.starts_with(kRequests)) return of_requests(key.substr(kRequests.size()), hard, known);
    if (!known) return std::nullopt;
    Key made{known->resource, Problem::without_requests, known->suggestion};
    if (known->fault == QuotaKeyFault::limits_of_extended)
      made.problem = Problem::limits_of_extended;
    if (known->fault == QuotaKeyFault::wrong_group) made.problem = Problem::wrong_group;
    // A name that nodes do have is no slip.
    if (made.problem != Problem::wrong_group && cards_.is_offered(known->resource))
      made.suggestion = std::string(kRequests) + known->resource;
    return made;
  }

 private:
  [[nodiscard]] std::optional<Key> of_requests(std::string_view resource, Quantity hard,
                                               const std::optional<QuotaKey>& known) const {
    const bool is_missing = cards_.is_known() && !cards_.is_offered(resource);
    // A known name that is near to another one is no slip: a slice of another size, another model.
    const std::string near = is_missing && !known ? cards_.nearest(resource) : std::string();
    const bool is_typo = !near.empty() && resource.find('/') != std::string_view::npos;
    if (!known && !is_typo) return std::nullopt;
    Key key{.resource = std::string(resource)};
    // A limit of 0 keeps away what may come one day.
    if (!is_missing || hard == Quantity{}) return key;
    key.problem = Problem::not_advertised;
    if (is_typo)
      key.suggestion = std::string(kRequests) + near;
    else
      key.suggestion = known->suggestion;
    return key;
  }

  [[nodiscard]] std::optional<Key> of_class(std::string_view name) const {
    if (!cards_.is_of_gpus(name)) return std::nullopt;
    Key key{.resource = std::string(name)};
    const bool is_read =
        coverage_of(cluster_.snapshot().scheduling, "deviceclasses") == Coverage::whole;
    if (is_read && cluster_.device_class(name) == nullptr) key.problem = Problem::no_such_class;
    return key;
  }

  const scheduler::Cluster& cluster_;
  const Cards& cards_;
};

/// HAMi's scheduler reads limits.* itself where its own amounts stand beside.
bool is_of_hami(const ResourceQuota& quota) {
  return std::any_of(quota.hard.begin(), quota.hard.end(), [](const auto& each) {
    return contains(each.first, "gpumem") || contains(each.first, "gpucores");
  });
}

using PodsByNamespace = std::map<std::string_view, std::vector<const Pod*>>;

/// Whether a quota counts a pod that is to end: it does not once the grace time has passed twice,
/// and that time is not kept. Source: QuotaV1Pod of the evaluator.
std::optional<bool> is_live(const Pod& pod, const std::optional<Time>& now) {
  if (is_finished(pod)) return false;
  if (!pod.deleted || (now && *now <= *pod.deleted)) return true;
  if (now && *now - *pod.deleted > std::chrono::hours{1}) return false;
  return std::nullopt;
}

/// Nothing where the scopes, or the end, of some pod are not known, or amounts are not of pods.
std::optional<Quantity> counted_for(const ResourceQuota& quota, const std::string& key,
                                    const PodsByNamespace& pods, const std::optional<Time>& now) {
  if (key.ends_with(kOfClass)) return std::nullopt;
  Quantity sum;
  const auto own = pods.find(quota.ns);
  if (own == pods.end()) return sum;
  for (const Pod* pod : own->second) {
    const std::optional<bool> lives = is_live(*pod, now);
    const std::optional<bool> counts = admission::counts(quota, *pod);
    if (lives == false || counts == false) continue;
    const Quantity amount = amount_of(admission::quota_usage(*pod), key);
    if (amount == Quantity{}) continue;
    if (!lives || !counts) return std::nullopt;
    sum += amount;
  }
  return sum;
}

/// Whether a key counts nothing, whatever pods request.
bool is_dead(Problem problem) {
  return problem == Problem::limits_of_extended || problem == Problem::without_requests ||
         problem == Problem::wrong_group;
}

void set_state(QuotaRow& row) {
  if (is_dead(row.problem))
    row.state = State::no_effect;
  else if (!row.used)
    row.state = State::unknown;
  else if (*row.limit < *row.used)
    row.state = State::over;
  else if (*row.used == *row.limit)
    row.state = State::full;
}

}  // namespace

bool limits_pods(const QuotaRow& row) {
  return row.limiter == Limiter::resource_quota && row.state != State::no_effect;
}

bool is_of_claims(const QuotaRow& row) { return row.key.ends_with(kOfClass); }

std::vector<QuotaRow> resource_quota_rows(const scheduler::Cluster& cluster, const Cards& cards) {
  const Snapshot& snapshot = cluster.snapshot();
  PodsByNamespace pods;
  for (const Pod& pod : snapshot.pods) pods[pod.ns].push_back(&pod);
  const Keys keys(cluster, cards);
  std::vector<QuotaRow> rows;
  for (const ResourceQuota& quota : snapshot.scheduling.quotas)
    for (const auto& [name, hard] : quota.hard) {
      std::optional<Key> key = keys.read(name, hard);
      if (!key) continue;
      const bool is_read_by_hami = key->problem == Problem::limits_of_extended && is_of_hami(quota);
      if (is_read_by_hami) *key = {.resource = key->resource};
      QuotaRow row{.limiter = Limiter::resource_quota,
                   .ns = quota.ns,
                   .name = quota.name,
                   .resource = std::move(key->resource),
                   .key = name,
                   .limit = hard,
                   .problem = key->problem,
                   .suggestion = std::move(key->suggestion)};
      for (const QuotaScope& scope : quota.scopes) row.scopes.push_back(scope_text(scope));
      if (const Quantity* const used = quota.used.find(name)) row.reported.used = *used;
      const bool counts = !is_dead(key->problem);
      if (snapshot.pod_coverage == Coverage::whole && counts && !is_read_by_hami)
        row.counted.used = counted_for(quota, name, pods, snapshot.taken_at);
      if (counts) {
        row.used = row.reported.used && !is_read_by_hami ? row.reported.used : row.counted.used;
        if (row.used) row.free = std::max(Quantity{}, hard - *row.used);
      }
      set_state(row);
      rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace gpu::quota
