#include "diagnose/fix/holder_advice.hpp"
#include "diagnose/explain/explain.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_holder_advice_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod held_by(Pod pod, const std::string& kind, const std::string& name) {
  pod.owners = {{.kind = kind,
                 .name = name,
                 .uid = "u-" + name,
                 .api_version = "kubeflow.org/v1",
                 .controller = true}};
  return pod;
}

std::string first_advice(const Snapshot& snapshot, const Pod& pod,
                         const ExplainOptions& options = {}) {
  const Explanation answer = explain(Cluster(snapshot), pod, options);
  return answer.advice.empty() ? std::string() : answer.advice.front().summary;
}

}  // namespace

TEST_CASE("who holds the GPUs is named where nobody knows how to end it") {
  Pod holder = held_by(make::running("jo-0", "a", {}, 8), "Notebook", "jo");
  holder.started = Time{} + std::chrono::hours(1);
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, {holder});
  const ExplainOptions options{.now = Time{} + std::chrono::hours(5), .idle_pods = {"uid-jo-0"}};
  CHECK(first_advice(snapshot, make::waiting("p", 4), options) ==
        "delete or scale down notebook/jo in ml, whose pod jo-0 holds 8 GPUs on a, started 4h ago "
        "and is "
        "idle; the pod then fits on a");
}

TEST_CASE("of several pods of one owner the sum is named") {
  const Snapshot snapshot = make::cluster(
      {make::node("a", 8)}, {held_by(make::running("w-0", "a", {}, 4), "PyTorchJob", "big"),
                             held_by(make::running("w-1", "a", {}, 4), "PyTorchJob", "big")});
  CHECK_THAT(first_advice(snapshot, make::waiting("p", 8)),
             Contains("pytorchjob/big in ml, which has 2 running pods of pytorchjob/big (8 GPUs)"));
}

TEST_CASE("nobody is named where it would not help, or is its own") {
  const Pod holder = held_by(make::running("w-0", "a", {}, 8), "PyTorchJob", "big");
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, {holder});
  CHECK_THAT(first_advice(snapshot, make::waiting("p", 9)), !Contains("delete or scale down"));
  const Pod sibling = held_by(make::waiting("w-1", 8), "PyTorchJob", "big");
  CHECK_THAT(first_advice(snapshot, sibling), !Contains("delete or scale down"));
  Snapshot leaving = snapshot;
  leaving.pods.at(0).deleted = Time{};
  CHECK_THAT(first_advice(leaving, make::waiting("p", 8)), !Contains("delete or scale down"));
}

}  // namespace fix_holder_advice_test
