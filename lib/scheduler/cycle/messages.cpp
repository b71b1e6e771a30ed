#include "scheduler/cycle/messages.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "scheduler/cluster/rules.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::scheduler {
namespace {

std::set<std::string_view> names_of(const std::vector<Filter>& filters) {
  std::set<std::string_view> names;
  for (const Filter filter : filters) names.insert(name_of(filter));
  return names;
}

/// The pod's own nominated node is filtered apart, and the filter that refuses it there is then
/// named with those that left nodes out.
std::string left_out_text(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  std::vector<Filter> filters = verdict.leaving_out;
  const std::optional<std::size_t> nominated = cluster.node_named(pod.nominated_node);
  for (const NodeVerdict& node : verdict.nodes)
    if (nominated == node.node && node.is_refused())
      filters.push_back(verdict.blockers_of(node).front().filter);
  return "node(s) didn't satisfy plugin(s) " + list_of(filters);
}

Histogram reasons_of(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  std::vector<std::size_t> nodes(verdict.blocker_lists.size());
  std::size_t left_out = 0;
  for (const NodeVerdict& node : verdict.nodes)
    ++(node.is_left_out ? left_out : nodes[node.blockers]);
  std::vector<std::size_t> counts(verdict.reasons.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const FilterFailure& blocker : first_of(verdict.blocker_lists[i]))
      counts[blocker.reason] += nodes[i];
  Histogram reasons;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) reasons[verdict.reasons[i]] += counts[i];
  if (left_out > 0 && cluster.rules().counts_left_out)
    reasons[left_out_text(cluster, pod, verdict)] += left_out;
  return reasons;
}

/// Whether DynamicResources' PostFilter, which is asked before preemption, says something of a pod.
bool has_word_of_claims(const Rules& rules, const Pod& pod) {
  return rules.has_devices && (!rules.is_silent_without_claims || !pod.claim_slots.empty());
}

std::string after(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  const PreemptionVerdict preemption = preempt(cluster, pod, verdict);
  const auto with_preemption = [&](std::string_view text) {
    if (preemption.message.empty()) return std::string{};  // victims are found
    if (preemption.is_error || text.empty()) return " preemption: " + preemption.message;
    return " " + std::string(text) + ", preemption: " + preemption.message;
  };
  if (!has_word_of_claims(cluster.rules(), pod)) return with_preemption({});
  switch (verdict.claims) {
    case Verdict::Claims::none:
      return with_preemption("no new claims to deallocate");
    case Verdict::Claims::pending:
      return with_preemption("still not schedulable");
    case Verdict::Claims::deallocatable:
      return with_preemption("deallocation of ResourceClaim completed");
    case Verdict::Claims::deleted:
      return with_preemption("deletion of ResourceClaim completed");
    case Verdict::Claims::not_reached:
      return " not found";  // DynamicResources misses what its PreFilter would have left
  }
  return {};
}

}  // namespace

const PodRejection* decisive_rejection(const Verdict& verdict) {
  const auto unresolvable = std::find_if(
      verdict.rejections.begin(), verdict.rejections.end(),
      [](const PodRejection& each) { return each.rejection == Rejection::unresolvable; });
  if (unresolvable != verdict.rejections.end()) return &*unresolvable;
  return verdict.rejections.empty() ? nullptr : &verdict.rejections.back();
}

std::string list_of(const std::vector<Filter>& filters) {
  std::string list;
  for (const std::string_view name : names_of(filters)) {
    list += list.empty() ? "[" : " ";
    list += name;
  }
  return list.empty() ? "[]" : list + "]";
}

std::string nothing_left_text(const std::vector<Filter>& filters) {
  if (names_of(filters).size() == 1)
    return "node(s) didn't satisfy plugin " + std::string(name_of(filters.front()));
  return "node(s) didn't satisfy plugin(s) " + list_of(filters) + " simultaneously";
}

std::string unavailable_head(std::size_t nodes) {
  return "0/" + std::to_string(nodes) + " nodes are available:";
}

std::string unavailable_body(const Histogram& reasons) {
  std::vector<std::string> lines;
  for (const auto& [reason, count] : reasons) lines.push_back(std::to_string(count) + " " + reason);
  std::sort(lines.begin(), lines.end());
  std::string body;
  for (const std::string& line : lines) body += (body.empty() ? " " : ", ") + line;
  return body.empty() ? body : body + ".";
}

std::string predicted_message(const Cluster& cluster, const Pod& pod, const Verdict& verdict) {
  const bool is_queued =
      std::none_of(verdict.rejections.begin(), verdict.rejections.end(),
                   [](const PodRejection& each) { return each.is_before_queue; });
  if (!is_queued) return {};
  const std::size_t nodes = cluster.nodes().size();
  if (nodes == 0) return "no nodes available to schedule pods";
  if (verdict.fitting() > 0) return {};
  if (const PodRejection* const rejection = decisive_rejection(verdict); rejection != nullptr)
    return unavailable_head(nodes) + " " + rejection->message + "." + after(cluster, pod, verdict);
  if (verdict.error) return *verdict.error;
  return unavailable_head(nodes) + unavailable_body(reasons_of(cluster, pod, verdict)) +
         after(cluster, pod, verdict);
}

}  // namespace gpu::scheduler
