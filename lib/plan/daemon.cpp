#include "plan/daemon.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "admission/api/quota.hpp"
#include "diagnose/nodes/node_groups.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "plan/explain_planned.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::plan {
namespace {

/// Where the controller makes no pod at all: taints of a cordon and of the node's health are
/// tolerated by each.
bool is_passed_over(const scheduler::NodeVerdict& node, const scheduler::Verdict& verdict) {
  const std::vector<scheduler::FilterFailure>& blockers = verdict.blockers_of(node);
  return node.is_left_out ||
         std::any_of(blockers.begin(), blockers.end(), [](const scheduler::FilterFailure& blocker) {
           return blocker.filter == scheduler::Filter::node_name ||
                  blocker.filter == scheduler::Filter::node_affinity ||
                  blocker.filter == scheduler::Filter::taint_toleration;
         });
}

std::string nodes_text(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "node" : "nodes");
}

/// "too few free GPUs on g1, g2 and 3 more".
std::string text_of(const diagnose::NodeGroup& group) {
  constexpr std::size_t kMostNames = 3;
  std::vector<std::string> titles;
  titles.reserve(group.blockers.size());
  for (const diagnose::GroupBlocker& blocker : group.blockers) titles.push_back(blocker.title);
  std::vector<std::string> names;
  for (const diagnose::NearNode& node : group.nodes)
    if (names.size() < kMostNames) names.push_back(node.name);
  std::string text = fmt::format("{} on {}", fmt::join(titles, ", "), fmt::join(names, ", "));
  if (group.nodes.size() > kMostNames)
    text += fmt::format(" and {} more", group.nodes.size() - kMostNames);
  return text;
}

/// The verdict on those nodes alone that would have a pod.
scheduler::Verdict of_reached_nodes(scheduler::Verdict verdict) {
  std::erase_if(verdict.nodes,
                [&](const scheduler::NodeVerdict& node) { return is_passed_over(node, verdict); });
  return verdict;
}

/// The quota that refuses one of so many pods, and how many it lets in before.
struct DaemonRefusal {
  std::size_t let_in = 0;
  admission::QuotaRefusal quota;
};
std::optional<DaemonRefusal> refusal_of(const SchedulingFacts& facts, const Pod& pod,
                                        std::size_t count) {
  SchedulingFacts counted;
  for (const ResourceQuota& quota : facts.quotas)
    if (quota.ns == pod.ns) counted.quotas.push_back(quota);
  if (counted.quotas.empty()) return std::nullopt;
  for (std::size_t let_in = 0; let_in < count; ++let_in) {
    if (auto refusal = admission::quota_opinion(pod, counted).refusal)
      return DaemonRefusal{let_in, *std::move(refusal)};
    admission::count_in_quotas(counted, pod);
  }
  return std::nullopt;
}

}  // namespace

diagnose::Explanation explain_daemons(const scheduler::Cluster& cluster, const Pod& pod,
                                      const diagnose::ExplainOptions& options) {
  diagnose::Explanation answer = explain_planned(cluster, pod, options);
  if (cluster.snapshot().node_coverage != Coverage::whole) return answer;
  const scheduler::Verdict whole = judge(cluster, pod);
  const bool is_decided = whole.fitting() == whole.decided();
  if (!whole.rejections.empty() || whole.error || !is_decided) return answer;
  const scheduler::Verdict verdict = of_reached_nodes(whole);
  const std::size_t reached = verdict.nodes.size();
  const std::size_t passed_over = whole.nodes.size() - reached;
  // Whoever refuses it, refuses the pods of all nodes.
  const bool is_refused = answer.is_blocked && whole.fitting() > 0;
  if (reached == 0) {
    answer.headline.reset();
    answer.summary = "it would create no pods: " + answer.summary;
    return answer;
  }
  if (passed_over > 0)
    answer.remarks.push_back({fmt::format(
        "it creates no pod on {} other {}, which it does not select or whose taints it does not "
        "tolerate",
        passed_over, passed_over == 1 ? "node" : "nodes")});
  if (is_refused) return answer;
  answer.headline.reset();
  if (const auto refusal = refusal_of(cluster.snapshot().scheduling, pod, reached)) {
    answer.is_blocked = true;
    answer.code = refusal->quota.code;
    answer.summary = fmt::format("{} of its {} pods would be made; the next: {}", refusal->let_in,
                                 reached, refusal->quota.text);
    return answer;
  }
  const std::size_t starts = verdict.fitting();
  if (starts == reached) {
    answer.summary = fmt::format("it would start on {}{} that it creates pods for",
                                 reached == 1 ? "the " : "all ", nodes_text(reached));
    return answer;
  }
  const diagnose::NodeReasons reasons(cluster, pod, verdict);
  std::vector<std::string> why;
  answer.groups = groups_of(cluster, pod, verdict, reasons);
  std::erase_if(answer.groups,
                [](const diagnose::NodeGroup& group) { return group.blockers.empty(); });
  why.reserve(answer.groups.size());
  for (const diagnose::NodeGroup& group : answer.groups) why.push_back(text_of(group));
  if (!answer.is_blocked && !answer.groups.empty())
    answer.code = answer.groups.front().blockers.front().code;
  answer.is_blocked = true;
  answer.summary = fmt::format("it would start on {} of the {} that it creates pods for; {}",
                               starts, nodes_text(reached), fmt::join(why, "; "));
  return answer;
}

}  // namespace gpu::plan
