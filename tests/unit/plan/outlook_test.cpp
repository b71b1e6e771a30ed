#include "plan/outlook.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "manifest/read/manifest.hpp"

namespace plan_outlook_test {

using namespace gpu;
using namespace gpu::plan;

namespace {

Snapshot with_nodes(std::vector<Node> nodes) {
  Snapshot snapshot;
  for (Node& each : nodes) Fold(snapshot).add(std::move(each));
  Fold(snapshot).finish();
  snapshot.node_coverage = snapshot.pod_coverage = Coverage::whole;
  return snapshot;
}

std::optional<Outlook> outlook(const std::string& manifest, std::vector<Node> nodes) {
  return outlook_of(manifest::read_manifest(manifest, "", "ml"), with_nodes(std::move(nodes)),
                    std::nullopt);
}

constexpr const char* kPod =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n"
    "    image: x\n    resources: {limits: {nvidia.com/gpu: 2}}\n";

}  // namespace

TEST_CASE("an outlook names the nodes on which the pods would start", "[plan]") {
  const auto found = outlook(kPod, {make::node("a", 4), make::node("b", 1), make::node("c", 2)});
  REQUIRE(found);
  CHECK(found->start == Outlook::Start::now);
  CHECK(found->text.find("it fits on a and c") != std::string::npos);
}

TEST_CASE("of many nodes an outlook names one", "[plan]") {
  const auto found = outlook(
      kPod, {make::node("a", 4), make::node("b", 4), make::node("c", 4), make::node("d", 4)});
  REQUIRE(found);
  CHECK(found->text.find("it fits on 4 nodes, such as a") != std::string::npos);
}

TEST_CASE("an outlook says what the pods would wait for", "[plan]") {
  const auto found = outlook(kPod, {make::node("a", 1)});
  REQUIRE(found);
  CHECK(found->start == Outlook::Start::waits);
  CHECK(found->text.find("it would wait today: pod needs 2 GPUs on one node") == 0);
}

TEST_CASE("where pods were not read, whether a pod would start is not known", "[plan]") {
  Snapshot snapshot = with_nodes({make::node("a", 4)});
  snapshot.pod_coverage = Coverage::none;
  const auto found =
      outlook_of(manifest::read_manifest(kPod, "", "ml"), std::move(snapshot), std::nullopt);
  REQUIRE(found);
  CHECK(found->start == Outlook::Start::unknown);
  CHECK(found->text.find("whether it would start is not known: ") == 0);
}

TEST_CASE("what makes no pods has no outlook", "[plan]") {
  CHECK(!outlook("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n", {make::node("a", 1)}));
}

namespace {

constexpr const char* kPodWithClaim =
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\n"
    "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n---\n"
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n"
    "    image: x\n    resources: {limits: {nvidia.com/gpu: 2}}\n"
    "  volumes:\n  - name: v\n    persistentVolumeClaim: {claimName: c}\n";

/// Of a pod with a claim that names no class, where there is this class.
Outlook with_class(const StorageClass& made) {
  Snapshot snapshot = with_nodes({make::node("a", 4)});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.storage_classes = {made};
  for (const char* plural : {"storageclasses", "persistentvolumeclaims", "persistentvolumes",
                             "csinodes", "csidrivers", "volumeattachments", "csistoragecapacities"})
    facts.coverages[plural] = Coverage::whole;
  return outlook_of(manifest::read_manifest(kPodWithClaim, "", "ml"), std::move(snapshot),
                    std::nullopt)
      .value();
}

}  // namespace

TEST_CASE("a claim that names no class gets the default one", "[plan]") {
  const Outlook found = with_class({.name = "fast",
                                    .provisioner = "example.com/p",
                                    .waits_for_consumer = true,
                                    .is_default = true});
  CHECK(found.start == Outlook::Start::now);
}

TEST_CASE("without a default class a claim that names none keeps its pod waiting", "[plan]") {
  const Outlook found =
      with_class({.name = "fast", .provisioner = "example.com/p", .waits_for_consumer = true});
  CHECK(found.start == Outlook::Start::waits);
  CHECK(found.text.find("no StorageClass is the default one") != std::string::npos);
}

TEST_CASE("the volume of a planned claim that is made at once may be anywhere", "[plan]") {
  const Outlook found =
      with_class({.name = "fast", .provisioner = "example.com/p", .is_default = true});
  CHECK(found.start == Outlook::Start::now);
  CHECK(found.text.find("as far as could be checked") != std::string::npos);
}

}  // namespace plan_outlook_test
