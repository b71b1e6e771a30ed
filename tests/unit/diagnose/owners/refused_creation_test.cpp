#include "diagnose/owners/refused_creation.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace owners_refused_creation_test {

using namespace gpu::diagnose;

namespace {

Explanation refused(const std::string& message) {
  Explanation answer{.ns = "ml", .name = "train"};
  explain_refusal(answer, "Error creating: pods \"train-x\" is forbidden: " + message);
  return answer;
}

}  // namespace

TEST_CASE("a full quota is told by its name and numbers") {
  const Explanation it = refused(
      "exceeded quota: gpus, requested: requests.nvidia.com/gpu=4, used: "
      "requests.nvidia.com/gpu=7, limited: requests.nvidia.com/gpu=8");
  CHECK(it.code == Code::quota_exceeded);
  CHECK(it.summary ==
        "the quota gpus is used up: 7 of 8 requests.nvidia.com/gpu are taken, and the pod requests "
        "4");
  REQUIRE(it.advice.size() == 1);
  CHECK(it.advice.front().command == "kubectl describe resourcequota -n ml");
  CHECK(refused("exceeded quota: gpus, in other words").summary ==
        "the quota gpus is used up: in other words");
}

TEST_CASE("what a quota, a LimitRange or anything else refuses is told in the server's words") {
  const Explanation needs = refused("failed quota: compute: must specify limits.cpu for: main");
  CHECK(needs.code == Code::quota_needs_requests);
  CHECK(needs.summary ==
        "the quota compute lets in no pods without requests: must specify limits.cpu for: main");
  const Explanation range =
      refused("maximum memory usage per Container is 64Gi, but limit is 256Gi");
  CHECK(range.code == Code::limit_range);
  REQUIRE(range.advice.size() == 1);
  CHECK(range.advice.front().command == "kubectl describe limitrange -n ml");
  const Explanation other = refused("pod rejected: RuntimeClass \"nvidia\" not found");
  CHECK(other.code == Code::admission_rejected);
  CHECK(other.summary ==
        "the API server refuses its pods: pod rejected: RuntimeClass \"nvidia\" not found");
}

TEST_CASE("what is not the template's fault is not mended there") {
  const auto advice = [](const std::string& message) {
    Explanation answer{.ns = "ml", .name = "train"};
    explain_refusal(answer, "Error creating: " + message);
    return answer.advice.at(0);
  };
  const Advice webhook = advice(
      "Internal error occurred: failed calling webhook \"mpod.kb.io\": failed to call webhook: "
      "Post \"https://kueue-webhook-service.kueue-system.svc:443/mutate--v1-pod?timeout=10s\": no "
      "endpoints available for service \"kueue-webhook-service\"");
  CHECK(webhook.command ==
        "kubectl get endpointslices -n kueue-system -l "
        "kubernetes.io/service-name=kueue-webhook-service");
  CHECK(webhook.summary.find("template") == std::string::npos);
  CHECK(advice("Internal error occurred: failed calling webhook \"x\": Post "
               "\"https://policy.example.com/v\": timeout")
            .command.find("webhookconfigurations") != std::string::npos);
  const Advice account = advice(
      "pods \"x\" is forbidden: error looking up service account ml/trainer: "
      "serviceaccount \"trainer\" not found");
  CHECK(account.command == "kubectl get serviceaccounts -n ml");
  CHECK(account.summary.starts_with("create the ServiceAccount trainer, or correct"));
  CHECK(advice("no PriorityClass with name high was found").command ==
        "kubectl get priorityclasses");
  CHECK(advice("pods \"x\" is forbidden: unable to create new content in namespace ml because it "
               "is being terminated")
            .command == "kubectl describe namespace ml");
  CHECK(advice("etcdserver: request timed out").summary.starts_with("wait: "));
  // A webhook that answers means what it says.
  CHECK(advice("admission webhook \"x\" denied the request: no latest tags").summary ==
        "change the pod template as the message says");
}

}  // namespace owners_refused_creation_test
