#include "diagnose/lifecycle/scheduler_word.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_scheduler_word_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr std::string_view kOurs =
    "0/9 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient nvidia.com/gpu. "
    "no "
    "new claims to deallocate, preemption: 0/9 nodes are available: 1 Preemption is not helpful "
    "for "
    "scheduling, 3 No preemption victims found for incoming pod.";

}  // namespace

TEST_CASE("the same message says the same") { CHECK(says_the_same(kOurs, kOurs)); }

TEST_CASE("old schedulers end with two full stops and know nothing of claims") {
  CHECK(says_the_same(
      "0/9 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient nvidia.com/gpu. "
      "preemption: 0/9 nodes are available: 1 Preemption is not helpful for scheduling, 3 No "
      "preemption victims found for incoming pod..",
      kOurs));
}

TEST_CASE("very old schedulers say nothing of preemption") {
  CHECK(
      says_the_same("0/9 nodes are available: 3 Insufficient nvidia.com/gpu, 1 node(s) had taint "
                    "{dedicated: inference}, that the pod didn't tolerate.",
                    kOurs));
}

TEST_CASE("taints in braces are counted together, whatever their names") {
  CHECK(
      says_the_same("0/3 nodes are available: 1 node(s) had untolerated taint {a: b, c}, 2 node(s) "
                    "had untolerated taint {nvidia.com/gpu: }.",
                    "0/3 nodes are available: 3 node(s) had untolerated taint(s)."));
}

TEST_CASE("other counts, other reasons or another preemption verdict are not the same") {
  CHECK_FALSE(says_the_same("0/9 nodes are available: 2 Insufficient nvidia.com/gpu.", kOurs));
  CHECK_FALSE(
      says_the_same("0/9 nodes are available: 1 node(s) were unschedulable, 3 Insufficient "
                    "nvidia.com/gpu.",
                    kOurs));
  std::string other(kOurs);
  other.replace(other.rfind("3 No"), 1, "2");
  CHECK_FALSE(says_the_same(other, kOurs));
}

TEST_CASE("where the version is not known for sure, the tail is not compared") {
  const auto parts = [](std::string version, std::string kubelet) {
    Node node = make::node("a", 1);
    node.kubelet_version = std::move(kubelet);
    const Snapshot snapshot = make::cluster({node}, {}, std::move(version));
    return compared_parts(Cluster(snapshot));
  };
  CHECK(parts("v1.31.13", "") == MessageParts::all);
  CHECK(parts("v1.29.1", "") == MessageParts::body);  // older than all that are known
  CHECK(parts("v1.37.0", "") == MessageParts::body);
  CHECK(parts("", "v1.36.1") == MessageParts::body);
  CHECK(parts("", "") == MessageParts::body);
  const std::string_view old =
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No "
      "preemption victims found for incoming pod.";
  const std::string_view other = "0/1 nodes are available: 1 Insufficient cpu.";
  std::string changed(old);
  changed.replace(changed.find("1 No"), 1, "2");
  CHECK(says_the_same(changed, old, MessageParts::body));
  CHECK_FALSE(says_the_same(changed, old, MessageParts::all));
  CHECK(says_the_same(other, old, MessageParts::body));
}

TEST_CASE("the end of a message where claims were not reached is a tail, too") {
  const std::string_view now =
      "0/2 nodes are available: persistentvolumeclaim \"x\" not found. not found";
  const std::string_view before =
      "0/2 nodes are available: persistentvolumeclaim \"x\" not found. preemption: 0/2 nodes are "
      "available: 2 Preemption is not helpful for scheduling.";
  CHECK(says_the_same(before, now, MessageParts::body));
  CHECK_FALSE(says_the_same(before, now, MessageParts::all));
  CHECK(reasons_in(now) == std::vector<std::string>{"persistentvolumeclaim \"x\" not found"});
}

TEST_CASE("the condition has the whole text, the event only tells when") {
  Pod pod = make::waiting("p", 1);
  pod.conditions = {{.type = "PodScheduled",
                     .status = "False",
                     .reason = "Unschedulable",
                     .message = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
                     .last_transition = Time{std::chrono::seconds{100}}}};
  Snapshot snapshot = make::cluster({make::node("a", 0)}, {pod});
  snapshot.scheduling.events = {{.ns = "ml",
                                 .type = "Warning",
                                 .reason = "FailedScheduling",
                                 .message = "0/1 nodes are available: 1 Insuff ...",
                                 .kind = "Pod",
                                 .object = "p",
                                 .reporter = "default-scheduler",
                                 .last = Time{std::chrono::seconds{900}}}};
  const Cluster cluster(snapshot);
  const auto word = scheduler_word(cluster, pod, pod.conditions[0].message);
  REQUIRE(word);
  CHECK(word->message == pod.conditions[0].message);
  CHECK(word->time == Time{std::chrono::seconds{900}});
  CHECK(word->agrees == true);
}

TEST_CASE("Karpenter's FailedScheduling is not the scheduler's") {
  const Pod pod = make::waiting("p", 1);
  Snapshot snapshot = make::cluster({make::node("a", 0)}, {pod});
  snapshot.scheduling.events = {{.ns = "ml",
                                 .type = "Warning",
                                 .reason = "FailedScheduling",
                                 .message = "Failed to schedule pod",
                                 .kind = "Pod",
                                 .object = "p",
                                 .reporter = "karpenter"}};
  CHECK_FALSE(scheduler_word(Cluster(snapshot), pod, "x"));
}

TEST_CASE("where messages differ, the reasons that differ are told") {
  CHECK(
      difference_of("0/2 nodes are available: 1 Insufficient cpu, 1 Too many pods.",
                    "0/2 nodes are available: 2 Insufficient cpu.") ==
      "what is computed here has 2 Insufficient cpu, and not 1 Insufficient cpu, 1 Too many pods");
  CHECK(difference_of("0/2 nodes are available: 2 Insufficient cpu, 1 Too many pods.",
                      "0/2 nodes are available: 2 Insufficient cpu.") ==
        "what is computed here lacks 1 Too many pods");
  std::string other(kOurs);
  other.replace(other.rfind("3 No"), 1, "2");
  CHECK(difference_of(other, kOurs) ==
        "of preemption, what is computed here has 3 No preemption victims found for incoming pod, "
        "and not 2 No preemption victims found for incoming pod");
}

TEST_CASE("which of two messages is newer goes by what changed last") {
  enum class DialectSample { by_event, by_condition };
  const auto at = [](int seconds) { return Time{std::chrono::seconds{seconds}}; };
  const auto newer = [&](std::optional<Time> changed, std::optional<Time> looked,
                         DialectSample told) {
    const Pod pod = make::waiting("p", 1);
    Node node = make::node("a", 0);
    node.created = changed;
    Snapshot snapshot = make::cluster({node}, {pod});
    if (told == DialectSample::by_event)
      snapshot.scheduling.events = {{.ns = "ml",
                                     .type = "Warning",
                                     .reason = "FailedScheduling",
                                     .message = "0/1",
                                     .kind = "Pod",
                                     .object = "p",
                                     .reporter = "default-scheduler",
                                     .last = looked}};
    return which_is_newer(Cluster(snapshot), pod, {.message = "x", .time = looked}, at(960));
  };
  CHECK(newer(at(900), at(300), DialectSample::by_event) ==
        "node a was made 60s ago, after it looked: what is computed here is newer");
  CHECK(newer(at(300), at(900), DialectSample::by_event) ==
        "nothing that is seen here has changed since it looked: it is right, unless something has "
        "gone since");
  // A condition's time is that of its status, not of its text.
  CHECK(newer(at(900), at(300), DialectSample::by_condition) ==
        "node a was made 60s ago; whether it has looked since is not known");
  CHECK(newer(at(900), std::nullopt, DialectSample::by_event) ==
        "which of the two is newer is not known: nothing tells when it looked");
  CHECK(newer(std::nullopt, at(900), DialectSample::by_event) ==
        "which of the two is newer is not known: nothing tells when something changed last");
}

}  // namespace lifecycle_scheduler_word_test
