#include "admission/api/quota.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace api_quota_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::admission;
using namespace gpu::diagnose;

namespace {

constexpr const char* kGpus = "requests.nvidia.com/gpu";

Pod planned(std::int64_t gpus) {
  Pod pod = make::pod("p", "", gpus);
  pod.containers[0].limits = pod.containers[0].requests;
  return pod;
}

SchedulingFacts with(ResourceList hard, ResourceList used) {
  SchedulingFacts facts;
  facts.quotas = {{.ns = "ml", .name = "team", .hard = std::move(hard), .used = std::move(used)}};
  return facts;
}

std::string refusal(const Pod& pod, const SchedulingFacts& facts) {
  const QuotaOpinion opinion = quota_opinion(pod, facts);
  return opinion.refusal ? opinion.refusal->text : "";
}

}  // namespace

TEST_CASE("what a quota counts of a pod") {
  Pod pod = planned(2);
  pod.containers[0].requests.set("cpu", Quantity::of(1));
  pod.containers[0].limits.set("cpu", Quantity::of(2));
  pod.containers[0].requests.set("hugepages-2Mi", Quantity::of(1024));
  pod.overhead.set("cpu", Quantity::of_milli(100));
  CHECK(quota_usage(pod) == ResourceList{{"count/pods", Quantity::of(1)},
                                         {"cpu", Quantity::of_milli(1100)},
                                         {"hugepages-2Mi", Quantity::of(1024)},
                                         {"limits.cpu", Quantity::of_milli(2100)},
                                         {"pods", Quantity::of(1)},
                                         {"requests.cpu", Quantity::of_milli(1100)},
                                         {"requests.hugepages-2Mi", Quantity::of(1024)},
                                         {kGpus, Quantity::of(2)}});
}

TEST_CASE("a pod that would exceed a quota is refused, with the numbers") {
  const SchedulingFacts facts = with({{kGpus, Quantity::of(8)}}, {{kGpus, Quantity::of(6)}});
  CHECK(refusal(planned(2), facts).empty());
  CHECK(refusal(planned(4), facts) ==
        "the quota team of namespace ml has no room for it: 6 of 8 requests.nvidia.com/gpu are "
        "taken, and the pod requests 4");
  CHECK(quota_opinion(planned(4), facts).refusal->code == Code::quota_exceeded);
  Pod elsewhere = planned(4);
  elsewhere.ns = "web";
  CHECK(refusal(elsewhere, facts).empty());
  // A quota that is over its limit lets in what asks for none of it.
  CHECK(refusal(planned(0), with({{kGpus, Quantity::of(8)}}, {{kGpus, Quantity::of(9)}})).empty());
}

TEST_CASE("each pod counts") {
  SchedulingFacts facts = with({{"pods", Quantity::of(3)}, {kGpus, Quantity::of(4)}},
                               {{"pods", Quantity::of(1)}, {kGpus, Quantity::of(0)}});
  count_in_quotas(facts, planned(2));
  CHECK(refusal(planned(2), facts).empty());
  count_in_quotas(facts, planned(2));
  CHECK(refusal(planned(2), facts) ==
        "the quota team of namespace ml has no room for it: 3 of 3 pods are taken, and the pod "
        "requests 1; 4 of 4 requests.nvidia.com/gpu are taken, and the pod requests 2");
}

TEST_CASE("quotas of cpu and memory ask each container for them") {
  const SchedulingFacts facts =
      with({{"limits.cpu", Quantity::of(8)}, {"memory", Quantity::of(8)}, {kGpus, {}}},
           {{"limits.cpu", {}}, {"memory", {}}, {kGpus, {}}});
  Pod pod = planned(0);
  pod.init_containers = {{.name = "init"}};
  const QuotaOpinion opinion = quota_opinion(pod, facts);
  REQUIRE(opinion.refusal);
  CHECK(opinion.refusal->code == Code::quota_needs_requests);
  CHECK(opinion.refusal->text ==
        "the quota team of namespace ml lets in no pods without requests: must specify limits.cpu "
        "for: init,main; memory for: init,main");
  pod.pod_requests = ResourceList{{"memory", Quantity::of(1)}};
  CHECK(refusal(pod, facts).empty());
}

TEST_CASE("what makes the pod counts, too") {
  Pod pod = planned(1);
  pod.owners = {{.kind = "Job", .name = "train", .api_version = "batch/v1"}};
  CHECK(refusal(pod, with({{"count/jobs.batch", Quantity::of(5)}},
                          {{"count/jobs.batch", Quantity::of(5)}})) ==
        "the quota team of namespace ml has no room for it: 5 of 5 count/jobs.batch are taken, and "
        "what creates the pod requests 1");
  pod.owners = {{.kind = "Deployment", .name = "web", .api_version = "apps/v1"}};
  CHECK_THAT(refusal(pod, with({{"count/replicasets.apps", Quantity::of(1)}},
                               {{"count/replicasets.apps", Quantity::of(1)}})),
             Contains("1 of 1 count/replicasets.apps"));
}

TEST_CASE("what cannot be told of a quota is named") {
  SchedulingFacts beside = with({{kGpus, Quantity::of(1)}}, {{kGpus, Quantity::of(1)}});
  beside.quotas[0].scopes = {{"CrossNamespacePodAffinity", "Exists", {}}};
  CHECK_FALSE(quota_opinion(planned(1), beside).refusal);
  CHECK(quota_opinion(planned(1), beside).not_checked ==
        std::vector<std::string>{"the quota team, which counts pods that would rather run beside "
                                 "those of other namespaces"});
  const QuotaOpinion uncounted = quota_opinion(planned(9), with({{kGpus, Quantity::of(1)}}, {}));
  CHECK_FALSE(uncounted.refusal);
  CHECK_THAT(uncounted.not_checked.at(0), Contains("is not counted yet"));
  Pod claims = planned(0);
  claims.claim_slots = {{.name = "gpu", .claim_template = "one"}};
  const std::string devices = "gpu.nvidia.com.deviceclass.resource.k8s.io/devices";
  const SchedulingFacts facts = with({{devices, Quantity::of(1)}}, {{devices, Quantity::of(1)}});
  CHECK_THAT(quota_opinion(claims, facts).not_checked.at(0), Contains("on the claims"));
  CHECK(quota_opinion(planned(1), facts).not_checked.empty());
}

TEST_CASE("a quota with scopes counts the pods that these take, and nothing else") {
  SchedulingFacts facts = with({{kGpus, Quantity::of(1)}, {"count/jobs.batch", Quantity::of(0)}},
                               {{kGpus, Quantity::of(1)}, {"count/jobs.batch", Quantity::of(0)}});
  Pod pod = planned(1);
  pod.priority_class = "low";
  pod.owners = {{.kind = "Job", .name = "train", .api_version = "batch/v1"}};
  ResourceQuota& quota = facts.quotas[0];
  quota.scopes = {{"PriorityClass", "In", {"high"}}};
  CHECK(refusal(pod, facts).empty());
  CHECK(quota_opinion(pod, facts).not_checked.empty());
  count_in_quotas(facts, pod);
  CHECK(*quota.used.find(kGpus) == Quantity::of(1));
  pod.priority_class = "high";
  CHECK_THAT(refusal(pod, facts), Contains("1 of 1 requests.nvidia.com/gpu are taken"));
  count_in_quotas(facts, pod);
  CHECK(*quota.used.find(kGpus) == Quantity::of(2));
}

}  // namespace api_quota_test
