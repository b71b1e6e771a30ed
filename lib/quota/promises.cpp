#include "quota/promises.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gpu::quota {
namespace {

using Sums = std::map<std::string, Quantity>;  // by resource

/// Two quotas without scopes hold together: the smaller one. Those with scopes count other pods
/// each.
Sums of_resource_quotas(const std::vector<QuotaRow>& rows) {
  struct Namespace {
    std::optional<Quantity> least;
    Quantity scoped;
  };
  std::map<std::pair<std::string_view, std::string_view>, Namespace> namespaces;
  for (const QuotaRow& row : rows) {
    if (row.limiter != Limiter::resource_quota || row.state == State::no_effect) continue;
    Namespace& own = namespaces[{row.ns, row.resource}];
    if (!row.scopes.empty())
      own.scoped += *row.limit;
    else
      own.least = own.least ? std::min(*own.least, *row.limit) : *row.limit;
  }
  Sums sums;
  for (const auto& [key, own] : namespaces) {
    const Quantity most = own.least ? *own.least : own.scoped;
    sums[std::string(key.second)] += most;
  }
  return sums;
}

bool is_at_top(const QuotaRow& row) { return row.parent.empty() || row.parent == "root"; }

Sums of_queues(const std::vector<QuotaRow>& rows, Limiter limiter) {
  std::map<std::string, std::pair<Quantity, Quantity>> sums;  // deserved, limits
  for (const QuotaRow& row : rows) {
    if (row.limiter != limiter || !is_at_top(row) || row.name == "root") continue;
    auto& [deserved, limits] = sums[row.resource];
    deserved += row.deserved.value_or(Quantity{});
    limits += row.limit.value_or(Quantity{});
  }
  Sums all;
  for (const auto& [resource, sum] : sums)
    if (const Quantity most = sum.first == Quantity{} ? sum.second : sum.first; most != Quantity{})
      all[resource] = most;
  return all;
}

class Promises {
 public:
  Promises(const SchedulingFacts& facts, const Cards& cards) : facts_(facts), cards_(cards) {}

  void add(Limiter limiter, const Sums& sums) {
    for (const auto& [resource, sum] : sums)
      add({.limiter = limiter, .resource = resource, .promised = sum}, cards_.of(resource));
  }

  void add_kueue(const std::vector<QuotaRow>& rows) {
    std::map<std::pair<std::string, std::string>, Quantity> by_flavor;  // resource, flavor
    for (const QuotaRow& row : rows)
      if (row.limiter == Limiter::cluster_queue)
        by_flavor[{row.resource, row.flavor}] += *row.limit;
    for (const Cohort& cohort : facts_.cohorts)
      for (const FlavorQuota& quota : cohort.quotas)
        if (counts_gpus(quota.resource)) by_flavor[{quota.resource, quota.flavor}] += quota.nominal;
    std::map<std::string, std::pair<Quantity, int>> by_resource;
    for (const auto& [key, sum] : by_flavor) {
      auto& [all, flavors] = by_resource[key.first];
      all += sum;
      ++flavors;
      const ResourceFlavor* const flavor = flavor_named(facts_, key.second);
      Promise promise{.limiter = Limiter::cluster_queue,
                      .resource = key.first,
                      .flavor = key.second,
                      .promised = sum};
      // Without the flavor, nobody knows which nodes it means.
      if (flavor == nullptr)
        all_.push_back(std::move(promise));
      else
        add(std::move(promise), cards_.of(key.first, *flavor));
    }
    for (const auto& [resource, sum] : by_resource)
      if (sum.second > 1)
        add({.limiter = Limiter::cluster_queue, .resource = resource, .promised = sum.first},
            cards_.of(resource));
  }

  std::vector<Promise> take() { return std::move(all_); }

 private:
  void add(Promise promise, const Existing& existing) {
    if (cards_.is_known() && existing.is_whole) promise.existing = existing.units;
    promise.models = existing.models;
    promise.unit = existing.unit;
    all_.push_back(std::move(promise));
  }

  const SchedulingFacts& facts_;
  const Cards& cards_;
  std::vector<Promise> all_;
};

}  // namespace

bool is_too_much(const Promise& promise) {
  return promise.existing && Quantity::of(*promise.existing) < promise.promised;
}

std::vector<Promise> promises_of(const std::vector<QuotaRow>& rows, const SchedulingFacts& facts,
                                 const Cards& cards) {
  Promises all(facts, cards);
  all.add(Limiter::resource_quota, of_resource_quotas(rows));
  all.add_kueue(rows);
  all.add(Limiter::volcano_queue, of_queues(rows, Limiter::volcano_queue));
  all.add(Limiter::kai_queue, of_queues(rows, Limiter::kai_queue));
  return all.take();
}

}  // namespace gpu::quota
