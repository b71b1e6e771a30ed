#include "diagnose/owners/owner_forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admission/api/admission.hpp"
#include "diagnose/answer/pod_identity.hpp"
#include "diagnose/nodes/cause.hpp"
#include "model/objects/own_kind.hpp"
#include "model/objects/quantity_text.hpp"
#include "scheduler/cluster/amounts.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/cycle/judge.hpp"

namespace gpu::diagnose {
namespace {

/// The pod that its template `pod` would make, as -f would judge it.
Pod planned_pod(const WorkloadObject& object, Pod pod, const SchedulingFacts& facts) {
  pod.ns = object.ns;
  pod.name = object.name;
  pod.uid = object.uid + "/pod";
  pod.phase = "Pending";
  pod.owners = {{.kind = object.kind,
                 .name = object.name,
                 .uid = object.uid,
                 .api_version = object.api_version,
                 .controller = true}};
  admission::admit(pod, facts);
  return pod;
}

}  // namespace

void add_forecast(Explanation& answer, const scheduler::Cluster& cluster,
                  const WorkloadObject& object) {
  const Snapshot& snapshot = cluster.snapshot();
  if (!answer.is_blocked || !object.pod || is_own(object, "DaemonSet")) return;
  const Pod pod = planned_pod(object, *object.pod, snapshot.scheduling);
  if (answer.requests.empty()) {
    const Explanation identity = identity_of(cluster, pod, {});
    const std::int64_t count = std::max<std::int64_t>(1, object.wanted.value_or(1));
    answer.gpus = capped_product(identity.gpus.value_or(0), count);
    answer.requests = identity.requests;
    if (count > 1 && !answer.requests.empty()) {
      std::string each;
      for (const ResourceRequest& asked : answer.requests)
        each += fmt::format("{}{} {}", each.empty() ? "" : ", ",
                            amount_text(asked.resource, asked.amount), asked.resource);
      answer.remarks.push_back(
          {fmt::format("{} pods remain to be created, and each requests {}", count, each)});
    }
    for (ResourceRequest& asked : answer.requests)
      asked.amount = capped_product(asked.amount, count);
    answer.only_on = identity.only_on;
  }
  if (snapshot.node_coverage != Coverage::whole || !pod.scheduling_gates.empty()) return;
  const scheduler::Verdict verdict = judge(cluster, pod);
  if (const std::size_t nodes = verdict.fitting(); nodes > 0) {
    answer.remarks.push_back(
        {fmt::format("no pod is made yet; {} {} {}",
                     verdict.fits() ? "one made now would fit on"
                                    : "nothing that could be checked keeps one "
                                      "made now off",
                     nodes, nodes == 1 ? "node" : "nodes")});
    return;
  }
  const Cause cause = cause_of(cluster, pod, verdict, NodeReasons(cluster, pod, verdict));
  answer.remarks.push_back({fmt::format("no pod is made yet; one made now would wait: {} ({})",
                                        cause.summary, name_of(cause.code))});
}

void add_missing(Explanation& answer, const scheduler::Cluster& cluster,
                 const WorkloadObject& object) {
  if (!answer.is_blocked || !object.pod || !answer.requests.empty()) return;
  const Explanation identity =
      identity_of(cluster, planned_pod(object, *object.pod, cluster.snapshot().scheduling), {});
  const auto made =
      static_cast<std::int64_t>(cluster.shared<scheduler::OwnedPods>().of(object.uid).size());
  const std::int64_t missing = std::max<std::int64_t>(object.wanted.value_or(1) - made, 1);
  answer.requests = identity.requests;
  answer.gpus = capped_product(identity.gpus.value_or(0), missing);
}

}  // namespace gpu::diagnose
