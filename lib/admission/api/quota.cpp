#include "admission/api/quota.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "admission/api/pod_limits.hpp"
#include "admission/api/quota_scopes.hpp"
#include "model/objects/quantity_text.hpp"
#include "model/snapshot/requests.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::admission {
namespace {

bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos &&
         (name.find("kubernetes.io/") == std::string_view::npos ||
          name.starts_with("deviceclass.resource.kubernetes.io/"));
}

/// What a container counts for itself: quotas of cpu and memory ask each for it.
ResourceList usage_of(const ResourceList& requests, const ResourceList& limits) {
  ResourceList usage;
  for (const auto& [name, amount] : requests) {
    const bool is_native = name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
                           name.starts_with("hugepages-");
    if (is_native) usage.set(name, amount);
    if (is_native || is_extended(name)) usage.set("requests." + name, amount);
  }
  for (const char* const name : {"cpu", "memory", "ephemeral-storage"})
    if (const Quantity* const limit = limits.find(name))
      usage.set(std::string("limits.") + name, *limit);
  return usage;
}

/// "must specify limits.cpu for: a,b; memory for: a"; empty: all that is asked for is there.
std::string missing_requests(const ResourceQuota& quota, const Pod& pod) {
  static constexpr std::array<std::string_view, 6> kAskedOfEach = {
      "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"};
  if (has_pod_level_resources(pod)) return {};
  std::map<std::string_view, std::set<std::string>> missing;
  for (const auto* list : {&pod.containers, &pod.init_containers})
    for (const Container& container : *list) {
      const ResourceList usage = usage_of(container.requests, container.limits);
      for (const std::string_view name : kAskedOfEach)
        if (quota.hard.contains(name) && !usage.contains(name))
          missing[name].insert(container.name);
    }
  std::string text;
  for (const auto& [name, containers] : missing)
    text += fmt::format("{}{} for: {}", text.empty() ? "must specify " : "; ", name,
                        fmt::join(containers, ","));
  return text;
}

/// By the name without its lead: memory and cpu have units.
std::string amount_in(std::string_view name, Quantity amount) {
  for (const std::string_view lead : {"requests.", "limits."})
    if (name.starts_with(lead)) name.remove_prefix(lead.size());
  return quantity_text(name, amount);
}

/// All that the quota has too little of, in a sentence.
std::string exceeded_by(const ResourceQuota& quota, const ResourceList& more,
                        std::string_view what) {
  std::string text;
  for (const auto& [name, asked] : more) {
    const Quantity* const hard = quota.hard.find(name);
    const Quantity* const used = quota.used.find(name);
    if (hard == nullptr || used == nullptr || asked == Quantity{} || *used + asked <= *hard)
      continue;
    text += fmt::format("{}{} of {} {} are taken, and {} requests {}", text.empty() ? "" : "; ",
                        amount_in(name, *used), amount_in(name, *hard), name, what,
                        amount_in(name, asked));
  }
  return text;
}

/// Whatever makes the pod is an object, too; a Deployment makes a ReplicaSet first.
ResourceList usage_of_maker(const Pod& pod) {
  ResourceList usage;
  if (pod.owners.empty()) return usage;
  const OwnerReference& maker = pod.owners.front();
  const WorkloadKind* const kind = workload_kind(maker.kind, maker.api_version);
  if (kind == nullptr) return usage;
  const auto count = [&](std::string_view plural, std::string_view group) {
    usage.set(fmt::format("count/{}{}{}", plural, group.empty() ? "" : ".", group),
              Quantity::of(1));
  };
  count(kind->plural, kind->group);
  if (kind->kind == "Deployment") count("replicasets", "apps");
  if (kind->kind == "CronJob") count("jobs", "batch");
  return usage;
}

std::optional<QuotaRefusal> refusal_of(const ResourceQuota& quota, const Pod& pod) {
  const std::string lead = fmt::format("the quota {} of namespace {} ", quota.name, quota.ns);
  // A quota with scopes counts pods only.
  const ResourceList maker = quota.scopes.empty() ? usage_of_maker(pod) : ResourceList{};
  if (const std::string text = exceeded_by(quota, maker, "what creates the pod"); !text.empty())
    return QuotaRefusal{diagnose::Code::quota_exceeded, lead + "has no room for it: " + text};
  if (counts(quota, pod) != true) return std::nullopt;
  if (const std::string text = missing_requests(quota, pod); !text.empty())
    return QuotaRefusal{diagnose::Code::quota_needs_requests,
                        lead + "lets in no pods without requests: " + text};
  if (const std::string text = exceeded_by(quota, quota_usage(pod), "the pod"); !text.empty())
    return QuotaRefusal{diagnose::Code::quota_exceeded, lead + "has no room for it: " + text};
  return std::nullopt;
}

/// Until the quota controller has counted what there is, the API server lets all in.
bool is_uncounted(const ResourceQuota& quota) {
  return std::any_of(quota.hard.begin(), quota.hard.end(),
                     [&](const auto& entry) { return !quota.used.contains(entry.first); });
}

/// Claims for devices are made from templates, and counted, after the pod.
bool counts_claims(const ResourceQuota& quota) {
  return std::any_of(quota.hard.begin(), quota.hard.end(), [](const auto& entry) {
    return entry.first == "count/resourceclaims.resource.k8s.io" ||
           entry.first.ends_with(".deviceclass.resource.k8s.io/devices");
  });
}

}  // namespace

ResourceList quota_usage(const Pod& pod) {
  ResourceList usage = usage_of(effective_requests(pod), effective_limits(pod));
  usage.set("pods", Quantity::of(1));
  usage.set("count/pods", Quantity::of(1));
  return usage;
}

QuotaOpinion quota_opinion(const Pod& pod, const SchedulingFacts& facts) {
  QuotaOpinion opinion;
  for (const ResourceQuota& quota : facts.quotas) {
    if (quota.ns != pod.ns) continue;
    const std::optional<bool> is_counted = counts(quota, pod);
    if (is_counted == false) continue;
    if (!is_counted)
      opinion.not_checked.push_back(fmt::format(
          "the quota {}, which counts pods that would rather run beside those of other namespaces",
          quota.name));
    else if (is_uncounted(quota))
      opinion.not_checked.push_back(
          fmt::format("the quota {}: what it counts is not counted yet", quota.name));
    if (!pod.claim_slots.empty() && counts_claims(quota))
      opinion.not_checked.push_back(
          fmt::format("the quota {} on the claims that are made for it", quota.name));
    if (!opinion.refusal) opinion.refusal = refusal_of(quota, pod);
  }
  return opinion;
}

void count_in_quotas(SchedulingFacts& facts, const Pod& pod) {
  const ResourceList usage = quota_usage(pod);
  for (ResourceQuota& quota : facts.quotas) {
    if (quota.ns != pod.ns || counts(quota, pod) != true) continue;
    for (const auto& [name, amount] : usage)
      if (quota.used.contains(name)) quota.used[name] += amount;
  }
}

std::string full_quota(const scheduler::Cluster& cluster, const Pod& pod) {
  const ResourceList more = quota_usage(pod);
  for (const ResourceQuota& quota : cluster.snapshot().scheduling.quotas) {
    if (quota.ns != pod.ns || counts(quota, pod) != true) continue;
    for (const auto& [name, hard] : quota.hard)
      if (const Quantity needed = amount_of(more, name);
          needed > Quantity{} && amount_of(quota.used, name) + needed > hard)
        return quota.name;
  }
  return {};
}

}  // namespace gpu::admission
