#include "diagnose/owners/suspended_owner.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "diagnose/owners/named_owner.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kQueueLabel = "kueue.x-k8s.io/queue-name";

bool has_queues(const SchedulingFacts& facts) {
  return !facts.workloads.empty() || !facts.local_queues.empty() || !facts.cluster_queues.empty();
}

/// `kubectl` to take the suspension away.
Advice resuming(const Explanation& answer, std::string_view kind, bool has_run_policy) {
  const std::string_view patch = has_run_policy ? R"({"spec":{"runPolicy":{"suspend":false}}})"
                                                : R"({"spec":{"suspend":false}})";
  return {.summary = "resume it",
          .command = fmt::format("kubectl patch {} {} -n {} --type merge -p '{}'", kind,
                                 shell_quoted(answer.name), shell_quoted(answer.ns), patch)};
}

/// One that Kueue would look after, if it did.
void explain_queue(Explanation& answer, const SchedulingFacts& facts, std::string_view queue) {
  answer.summary = fmt::format("the {} is suspended for Kueue's queue {}", answer.kind, queue);
  answer.nearest = "Kueue has not admitted it";
  if (coverage_of(facts, "workloads") != Coverage::whole) {
    answer.not_checked.emplace_back("Kueue's Workloads, which could not be read");
    answer.advice.push_back(
        {.summary = "see what Kueue says of its Workload, and of the queue",
         .command = "kubectl describe workloads -n " + shell_quoted(answer.ns)});
    return;
  }
  answer.summary += ", and Kueue has made no Workload for it";
  answer.advice.push_back(
      {.summary = "see whether Kueue runs, and looks after this kind (integrations.frameworks)",
       .command = "kubectl get pods -n kueue-system"});
}

}  // namespace

void explain_suspended(Explanation& answer, const SchedulingFacts& facts,
                       const WorkloadObject* object) {
  answer.code = Code::held_by_queue;
  const std::string_view queue =
      object == nullptr ? std::string_view() : value_of(object->labels, kQueueLabel);
  if (!queue.empty()) return explain_queue(answer, facts, queue);
  const bool has_run_policy = object != nullptr && object->kind.ends_with("Job") &&
                              object->api_version.starts_with("kubeflow.org/");
  answer.summary = fmt::format("the {} is suspended (spec.{}suspend: true)", answer.kind,
                               has_run_policy ? "runPolicy." : "");
  answer.nearest = "it is suspended";
  const std::string kind = object == nullptr ? lower_case(answer.kind) : kubectl_kind(*object);
  answer.advice.push_back(resuming(answer, kind, has_run_policy));
  if (coverage_of(facts, "workloads") != Coverage::whole)
    answer.not_checked.emplace_back("Kueue's Workloads, which could not be read");
  if (!has_queues(facts) || answer.kind == "CronJob") return;
  if (coverage_of(facts, "workloads") == Coverage::whole)
    answer.summary += ", and Kueue has no Workload for it";
  answer.remarks.push_back(
      {"Kueue looks after Jobs that have the label "
       "kueue.x-k8s.io/queue-name; others are resumed by whoever suspended "
       "them"});
  answer.advice.push_back(
      {.summary = "or give it a queue",
       .command = fmt::format("kubectl label {} {} -n {} kueue.x-k8s.io/queue-name=QUEUE", kind,
                              shell_quoted(answer.name), shell_quoted(answer.ns))});
}

const Event* suspension(const scheduler::Cluster& cluster, std::string_view ns,
                        const Owner& owner) {
  const Event* newest = nullptr;
  for (const Event& event : cluster.snapshot().scheduling.events) {
    if (event.kind != owner.kind || event.object != owner.name || event.ns != ns) continue;
    if (event.reason != "Suspended" && event.reason != "Resumed") continue;
    if (newest == nullptr || event.last.value_or(Time::min()) >= newest->last.value_or(Time::min()))
      newest = &event;
  }
  return newest != nullptr && newest->reason == "Suspended" ? newest : nullptr;
}

}  // namespace gpu::diagnose
