#include "admission/kueue/quota_holders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "admission/kueue/index.hpp"
#include "model/objects/quantity_text.hpp"
#include "scheduler/cluster/amounts.hpp"

namespace gpu::admission {
namespace {

/// Holders of quota beyond these are only counted.
constexpr std::size_t kMostNames = 5;

/// Whether Kueue says that it is short of this.
bool names(std::string_view words, const FlavorQuota& quota) {
  const std::string text = quota.resource + " in flavor " + quota.flavor;
  const std::size_t at = words.find(text);
  if (at == std::string_view::npos) return false;
  // Not of flavor "a100" where "a100-large" is meant.
  const std::size_t end = at + text.size();
  return end == words.size() || words[end] == ',' || words[end] == ' ' || words[end] == '.';
}

std::string reserved_text(const ClusterQueue& queue, const FlavorQuota& quota) {
  return fmt::format("of ClusterQueue {}, {} of {} {} in flavor {} are reserved", queue.name,
                     quantity_text(quota.resource, *quota.reserved),
                     quantity_text(quota.resource, quota.nominal), quota.resource, quota.flavor);
}

/// ClusterQueues of the same tree of cohorts that have more than their own.
void add_borrowers(std::vector<diagnose::Remark>& remarks, const scheduler::Cluster& cluster,
                   const ClusterQueue& queue, const FlavorQuota& short_of) {
  const auto& index = cluster.shared<KueueIndex>();
  for (const ClusterQueue& other : cluster.snapshot().scheduling.cluster_queues) {
    if (other.name == queue.name || !index.share_quota(queue, other)) continue;
    for (const FlavorQuota& quota : other.quotas)
      if (quota.flavor == short_of.flavor && quota.resource == short_of.resource &&
          quota.reserved && quota.nominal < *quota.reserved)
        remarks.push_back({fmt::format(
            "ClusterQueue {} of {} has borrowed: {} are reserved there, and {} are "
            "its own",
            other.name, other.cohort == queue.cohort ? "the same cohort" : "cohort " + other.cohort,
            quantity_text(quota.resource, *quota.reserved),
            quantity_text(quota.resource, quota.nominal))});
  }
}

std::int64_t amount_asked(const QueuedWorkload& workload, const std::string& resource) {
  std::int64_t sum = 0;
  for (const PodSet& set : workload.pod_sets)
    sum = capped_sum(
        sum, capped_product(scheduler::compared_amount(resource, amount_of(set.requests, resource)),
                            set.count));
  return sum;
}

/// Who holds how much of a resource in a ClusterQueue's cohort, told once: Cluster::shared().
class QuotaHolders {
 public:
  explicit QuotaHolders(const scheduler::Cluster& cluster) : cluster_(cluster) {}

  /// "ml/train (8), ml/eval (4, by ClusterQueue b)"; empty: nobody.
  const std::string& text(const ClusterQueue& queue, const std::string& resource) const {
    const auto [known, is_new] = texts_.try_emplace({queue.name, resource});
    if (is_new) known->second = text_of(holders(queue, resource), queue, resource);
    return known->second;
  }

 private:
  struct Holder {
    std::int64_t amount = 0;
    std::string name;
    std::string_view from;
  };

  [[nodiscard]] std::vector<Holder> holders(const ClusterQueue& queue,
                                            const std::string& resource) const {
    std::vector<Holder> found;
    for (const QueuedWorkload& workload : cluster_.snapshot().scheduling.workloads) {
      const auto& conditions = workload.conditions;
      if (is_true(conditions, "Finished") || !is_true(conditions, "QuotaReserved")) continue;
      const auto& index = cluster_.shared<KueueIndex>();
      const auto* const from = index.cluster_queue(workload.cluster_queue);
      if (from == nullptr || !index.share_quota(queue, *from)) continue;
      if (const std::int64_t amount = amount_asked(workload, resource); amount > 0)
        found.push_back({amount, shown_name(workload), from->name});
    }
    std::sort(found.begin(), found.end(), [](const Holder& a, const Holder& b) {
      return std::tuple(-a.amount, a.name) < std::tuple(-b.amount, b.name);
    });
    return found;
  }

  static std::string text_of(const std::vector<Holder>& holders, const ClusterQueue& queue,
                             const std::string& resource) {
    std::string text;
    for (std::size_t i = 0; i < std::min(holders.size(), kMostNames); ++i) {
      const Holder& each = holders[i];
      text += fmt::format(
          "{}{} ({}{})", i == 0 ? "" : ", ", each.name, amount_text(resource, each.amount),
          each.from == queue.name ? "" : fmt::format(", by ClusterQueue {}", each.from));
    }
    if (holders.size() > kMostNames)
      text += fmt::format(", and {} more", holders.size() - kMostNames);
    return text;
  }

  const scheduler::Cluster& cluster_;
  mutable std::map<std::pair<std::string, std::string>, std::string> texts_;
};

}  // namespace

std::string shown_name(const QueuedWorkload& workload) {
  return workload.ns + "/" +
         (workload.owners.empty() ? workload.name : workload.owners.front().name);
}

std::vector<diagnose::Remark> quota_remarks(const scheduler::Cluster& cluster,
                                            const ClusterQueue& queue, std::string_view words) {
  std::vector<diagnose::Remark> remarks;
  std::vector<std::string> resources;
  for (const FlavorQuota& quota : queue.quotas) {
    if (!names(words, quota)) continue;
    if (quota.reserved) remarks.push_back({reserved_text(queue, quota)});
    add_borrowers(remarks, cluster, queue, quota);
    if (std::find(resources.begin(), resources.end(), quota.resource) == resources.end())
      resources.push_back(quota.resource);
  }
  for (const std::string& resource : resources)
    if (const auto& text = cluster.shared<QuotaHolders>().text(queue, resource); !text.empty())
      remarks.push_back({"quota there is held by " + text});
  return remarks;
}

}  // namespace gpu::admission
