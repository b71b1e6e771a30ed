#include "diagnose/explain/own_answer.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace explain_own_answer_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// What pods of the same request share: no node has room.
Explanation blocked() {
  Explanation made;
  made.code = Code::insufficient_gpus;
  made.summary = "no node has room";
  made.nearest = "n1 (0 free)";
  made.advice = {{.summary = "add nodes", .command = {}, .kind = AdviceKind::add_node}};
  return made;
}

Explanation fitting(Certainty certainty) {
  Explanation made;
  made.is_blocked = false;
  made.code = Code::starting;
  made.fits_on = 2;
  made.certainty = certainty;
  made.summary = fits_text(2, {}, certainty, OtherReason::none);
  return made;
}

Pod waiting() {
  Pod pod = make::waiting("train-0", 1);
  pod.created = Time{std::chrono::seconds{0}};
  return pod;
}

Event says(const std::string& reporter, const std::string& reason, const std::string& message) {
  Event made{.ns = "ml", .type = "Warning", .reason = reason, .message = message};
  made.kind = "Pod";
  made.object = "train-0";
  made.reporter = reporter;
  return made;
}

const std::string kLimit = "all available instance types exceed limits for nodepool: \"gpus\"";
const Time kLater{std::chrono::hours{6}};

}  // namespace

TEST_CASE("without a word on the pod itself, the answer is that of its request") {
  const Snapshot snapshot = make::cluster({make::node("n1", 1)});
  const Explanation it = own_answer(blocked(), Cluster(snapshot), waiting(), {});
  CHECK(it.summary == "no node has room");
  CHECK(it.nearest == "n1 (0 free)");
  CHECK(it.advice.size() == 1);
  CHECK(it.remarks.empty());
}

TEST_CASE("the first explainer that has a reason has the answer, and all have their remarks") {
  Snapshot snapshot = make::cluster({make::node("n1", 1)});
  snapshot.scheduling.events = {says("karpenter", "FailedScheduling", kLimit)};
  const Cluster cluster(snapshot);
  Pod pod = waiting();
  const Explanation limited = own_answer(blocked(), cluster, pod, {});
  CHECK(limited.code == Code::autoscaler_limit);
  CHECK(limited.nearest == "n1 (0 free)");
  REQUIRE(limited.advice.size() == 1);
  CHECK(limited.advice.front().command == "kubectl edit nodepool gpus");

  pod.nominated_node = "n1";
  const Explanation coming = own_answer(blocked(), cluster, pod, {});
  CHECK(coming.code == Code::preemption_pending);
  CHECK(coming.nearest == "n1, when its pods have ended");
  CHECK(coming.advice.front().command == "kubectl edit nodepool gpus");
}

TEST_CASE("an autoscaler's refusal is a remark where more nodes would be no answer") {
  Snapshot snapshot = make::cluster({make::node("n1", 1)});
  snapshot.scheduling.events = {says("karpenter", "FailedScheduling", kLimit)};
  Explanation request = blocked();
  request.code = Code::volume_unbound;
  const Explanation it = own_answer(request, Cluster(snapshot), waiting(), {});
  CHECK(it.code == Code::volume_unbound);
  CHECK(it.summary == "no node has room");
  CHECK(it.remarks.size() == 1);
}

TEST_CASE("that no fix was found is not said beside other advice") {
  const Snapshot snapshot = make::cluster({make::node("n1", 1)});
  Explanation request = blocked();
  request.remarks = {{.text = "no fix", .kind = RemarkKind::no_change_found}};
  CHECK(own_answer(request, Cluster(snapshot), waiting(), {}).remarks.empty());
  request.advice.clear();
  CHECK(own_answer(request, Cluster(snapshot), waiting(), {}).remarks.size() == 1);
}

TEST_CASE("of a pod that fits, its scheduler knows better, or says nothing") {
  Snapshot snapshot = make::cluster({make::node("n1", 1), make::node("n2", 1)});
  const Explanation silent =
      own_answer(fitting(Certainty::as_far_as_checked), Cluster(snapshot), waiting(), kLater);
  CHECK(silent.is_blocked);
  CHECK(silent.code == Code::unknown_scheduler);
  CHECK(silent.remarks.front().text ==
        "nothing else that could be checked keeps it waiting now: it fits on 2 nodes");

  snapshot.scheduling.events = {says("default-scheduler", "FailedScheduling",
                                     "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")};
  const Explanation refused =
      own_answer(fitting(Certainty::sure), Cluster(snapshot), waiting(), kLater);
  CHECK(refused.is_blocked);
  CHECK(refused.code == Code::not_modelled);
  CHECK(refused.summary ==
        "nothing keeps it waiting now: it fits on 2 nodes, but the scheduler has not bound it");
  REQUIRE(refused.remarks.size() == 1);
  CHECK(refused.remarks.front().is_warning);
}

}  // namespace explain_own_answer_test
