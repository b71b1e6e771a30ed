#include "plan/explain_planned.hpp"

#include <utility>

#include "diagnose/explain/explain.hpp"
#include "diagnose/lifecycle/before_scheduling.hpp"
#include "plan/answer_headline.hpp"
#include "plan/api_refusal.hpp"
#include "plan/claims.hpp"
#include "plan/group_queue.hpp"
#include "plan/node.hpp"
#include "plan/preemption.hpp"

namespace gpu::plan {
namespace {

/// What the Queue of a scheduler of groups means for a pod that it lets through.
void add_group_queue(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                     const Pod& pod) {
  std::optional<GroupQueueAnswer> found = group_queue_answer(cluster, pod);
  if (!found) return;
  for (diagnose::Remark& each : found->remarks) answer.remarks.push_back(std::move(each));
  for (std::string& each : found->not_checked) answer.not_checked.push_back(std::move(each));
}

}  // namespace

diagnose::Explanation explain_planned(const scheduler::Cluster& cluster, const Pod& pod,
                                      const diagnose::ExplainOptions& options) {
  auto held = bound_by_name(cluster, pod, options);
  if (!held) held = before_scheduling(cluster, pod, options);
  if (!held) held = lacks_claim_template(cluster, pod, options);
  if (!held) held = held_by_group_queue(cluster, pod, options);
  diagnose::Explanation answer = held ? *std::move(held) : explain_request(cluster, pod, options);
  if (!held) start_by_preemption(answer, cluster, pod);
  if (!held) add_group_queue(answer, cluster, pod);
  answer.manifest = options.manifest;
  answer.template_at = options.template_at;
  answer.not_checked.push_back(unseen_admission(cluster.snapshot().scheduling));
  add_api_opinion(answer, cluster, pod);
  const bool is_whole =
      sees_quotas(cluster.snapshot().scheduling) && (held || answer.not_checked.size() == 1);
  if (answer.is_blocked || !pod.node_name.empty()) return answer;
  if (!answer.headline && answer.fits_on)
    set_headline(answer, {.nodes = answer.fits_on, .first_nodes = answer.first_nodes});
  if (!is_whole) doubt_start(answer);
  return answer;
}

}  // namespace gpu::plan
