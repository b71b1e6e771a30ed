#include "diagnose/explain/explain_named_pod.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace explain_explain_named_pod_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;

namespace {

Pod in_namespace(std::string ns, Pod pod) {
  pod.ns = std::move(ns);
  return pod;
}

/// train-0 waits in ml; web waits there, and in dev.
Snapshot example() {
  return make::cluster({make::node("a", 4)}, {make::waiting("train-0", 8), make::waiting("web", 8),
                                              in_namespace("dev", make::waiting("web", 8))});
}

std::string refusal(const Snapshot& snapshot, const PodQuestion& question) {
  try {
    explain_named_pod(scheduler::Cluster(snapshot), question, {});
  } catch (const Error& error) {
    return error.message() + " | " + error.help();
  }
  return "it is explained";
}

}  // namespace

TEST_CASE("a pod is explained by its name, where only one has it without its namespace") {
  const Snapshot snapshot = example();
  const scheduler::Cluster cluster(snapshot);
  CHECK(explain_named_pod(cluster, {.ns = "", .name = "train-0"}, {}).ns == "ml");
  CHECK(explain_named_pod(cluster, {.ns = "dev", .name = "web"}, {}).ns == "dev");
  CHECK_THAT(refusal(snapshot, {.ns = "", .name = "web"}), Contains("2 pods are named `web`"));
}

TEST_CASE("who names a pod that does not exist is told the nearest, or where it is") {
  CHECK_THAT(refusal(example(), {.ns = "ml", .name = "train-1"}),
             Contains("no pod `train-1` in namespace ml | a similar one is `train-0`"));
  CHECK_THAT(refusal(example(), {.ns = "dev", .name = "train-0"}),
             Contains("a pod of that name is in ml"));
}

TEST_CASE("who names an owner without its kind is told the kind") {
  Pod owned = make::waiting("train-0", 8);
  owned.owners = {{.kind = "Job", .name = "train", .api_version = "batch/v1", .controller = true}};
  CHECK_THAT(refusal(make::cluster({make::node("a", 4)}, {owned}), {.ns = "ml", .name = "train"}),
             Contains("kubectl gpu why-pending job/train -n ml"));
}

TEST_CASE("a namespace that does not exist is named before the pod") {
  Snapshot snapshot = example();
  CHECK_THAT(refusal(snapshot, {.ns = "mi", .name = "train-1", .origin = Origin::files}),
             Contains("there is no namespace `mi` | a similar one is `ml`"));
  // A cluster that tells no namespaces may have it.
  CHECK_THAT(refusal(snapshot, {.ns = "mi", .name = "train-1"}), Contains("there is no pod"));
  // That the pod is elsewhere says more.
  CHECK_THAT(refusal(snapshot, {.ns = "mi", .name = "train-0", .origin = Origin::files}),
             Contains("a pod of that name is in ml"));
}

TEST_CASE("pods that could not be read are not pods that do not exist") {
  Snapshot snapshot = make::cluster({make::node("a", 4)});
  snapshot.pod_coverage = Coverage::none;
  CHECK_THAT(refusal(snapshot, {.ns = "ml", .name = "train-0"}), Contains("cannot be read"));
}

}  // namespace explain_explain_named_pod_test
