#include "diagnose/fix/holder_text.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_holder_text_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

constexpr Time kNow{std::chrono::hours{10}};

Pod holder(std::string name, std::int64_t gpus, std::int32_t priority,
           std::optional<int> hours_ago = std::nullopt) {
  Pod made = make::running(std::move(name), "a", {}, gpus);
  made.priority = priority;
  if (hours_ago) made.started = kNow - std::chrono::hours{*hours_ago};
  return made;
}

/// What is told of pods to one that waits with that priority.
template <class Tell>
std::string told(const std::vector<Pod>& pods, std::int32_t asked, Tell tell) {
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  const scheduler::Cluster cluster(snapshot);
  Pod pod = make::waiting("p", 8);
  pod.priority = asked;
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  ExplainOptions options;
  options.now = kNow;
  options.idle_pods = {"uid-idle"};
  std::vector<const Pod*> kept;
  for (const scheduler::BoundPod& bound : cluster.nodes().front().pods) kept.push_back(bound.pod);
  return tell(HolderText(cluster, pod, reasons, options), kept);
}

std::string held(const Pod& pod, std::int32_t asked = 0) {
  return told({pod}, asked,
              [](const HolderText& text, const auto& pods) { return text.held(*pods.front()); });
}

std::string brief(const Pod& pod, std::int32_t asked = 0) {
  return told({pod}, asked,
              [](const HolderText& text, const auto& pods) { return text.brief(*pods.front()); });
}

std::string running(const std::vector<Pod>& pods) {
  return told(pods, 0, [](const HolderText& text, const auto& kept) {
    return text.running(kept, "job/train");
  });
}

std::string most_priority(const std::vector<Pod>& pods, std::int32_t asked = 0) {
  return told(pods, asked,
              [](const HolderText& text, const auto& kept) { return text.most_priority(kept); });
}

}  // namespace

TEST_CASE("who holds what is told with its GPUs, its priority, its age and whether it is idle") {
  CHECK(held(holder("q", 1, 0)) == "it holds 1 GPU on a");
  CHECK(held(holder("q", 2, 5)) == "it holds 2 GPUs on a and has priority 5");
  CHECK(held(holder("idle", 2, 5, 3)) ==
        "it holds 2 GPUs on a, has priority 5, started 3h ago and is idle");
  CHECK(held(holder("q", 0, 0)) == "it runs on a");
  CHECK(held(holder("q", 1, 0, -1)) == "it holds 1 GPU on a");
  CHECK(brief(holder("q", 0, 0)) == "ml/q");
  CHECK(brief(holder("q", 1, 0)) == "ml/q (1 GPU)");
  CHECK(brief(holder("idle", 4, -3)) == "ml/idle (4 GPUs, priority -3, idle)");
}

TEST_CASE("a priority of 0 is told only to a pod of a lower one") {
  CHECK(brief(holder("q", 1, 0), -1) == "ml/q (1 GPU, priority 0)");
  CHECK(brief(holder("q", 1, 0), 0) == "ml/q (1 GPU)");
  CHECK(brief(holder("q", 1, 0), 1) == "ml/q (1 GPU)");
  CHECK(brief(holder("q", 1, 5), 9) == "ml/q (1 GPU, priority 5)");
}

TEST_CASE("pods that a change restarts are counted, with all their GPUs and the oldest") {
  CHECK(running({holder("q", 0, 0)}) == "1 running pod of job/train");
  CHECK(running({holder("q", 1, 0, 2)}) == "1 running pod of job/train (1 GPU, started 120m ago)");
  CHECK(running({holder("q", 1, 0, 2), holder("r", 2, 0, 5), holder("s", 1, 0, 3)}) ==
        "3 running pods of job/train (4 GPUs, the oldest started 5h ago)");
}

TEST_CASE("of several pods the highest priority is told") {
  CHECK(most_priority({}).empty());
  CHECK(most_priority({holder("q", 1, 0), holder("r", 1, 0)}).empty());
  CHECK(most_priority({holder("q", 1, 3), holder("r", 1, 7), holder("s", 1, 5)}) ==
        ", of priority up to 7");
}

TEST_CASE("a pod that ends is overdue once its time is over") {
  const auto leaving = [](std::chrono::minutes before_now) {
    Pod pod = holder("q", 1, 0);
    pod.deleted = kNow - before_now;
    return told({pod}, 0, [](const HolderText& text, const auto& pods) {
      const auto advice = text.overdue(*pods.front());
      return text.leaving(*pods.front()) + (advice ? " $ " + advice->command : "");
    });
  };
  CHECK(leaving(std::chrono::minutes{-1}) == "ml/q on a is terminating");
  CHECK(leaving(std::chrono::minutes{0}) == "ml/q on a is terminating");
  CHECK(
      leaving(std::chrono::minutes{20}) ==
      "ml/q on a is terminating, and should have ended 20m ago $ kubectl get pod q -n ml -o yaml");
}

}  // namespace fix_holder_text_test
