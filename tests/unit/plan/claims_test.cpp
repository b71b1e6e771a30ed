#include "plan/claims.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_claims_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::plan;
using namespace gpu::scheduler;

namespace {

Snapshot with_template() {
  Snapshot snapshot = make::cluster({make::node("a", 0)});
  ClaimTemplate one{.ns = "ml", .name = "one"};
  one.requests = {{.name = "gpu", .device_class = "gpu.nvidia.com", .count = 2}};
  snapshot.scheduling.claim_templates = {one};
  snapshot.scheduling.coverages["resourceclaimtemplates"] = Coverage::whole;
  return snapshot;
}

Pod planned(std::string claim_template) {
  Pod pod = make::waiting("p");
  pod.claim_references = 1;
  pod.claim_slots = {{.name = "gpu", .claim_template = std::move(claim_template)}};
  return pod;
}

}  // namespace

TEST_CASE("claims are made from templates, and belong to the pod") {
  Snapshot snapshot = with_template();
  snapshot.claims = {{.ns = "ml", .name = "p-gpu"}};
  Pod pod = planned("one");
  make_claims(pod, snapshot);
  REQUIRE(snapshot.claims.size() == 2);
  CHECK(pod.claim_slots[0].claim == "p-gpu-x");
  CHECK(pod.claims == std::vector<std::string>{"p-gpu-x"});
  const ResourceClaim* const claim = Cluster(snapshot).claim("ml", "p-gpu-x");
  REQUIRE(claim != nullptr);
  CHECK(claim->owner_uid == pod.uid);
  CHECK(claim->requests.at(0).count == 2);
  CHECK_FALSE(lacks_claim_template(Cluster(snapshot), pod, {}));
}

TEST_CASE("a template that does not exist is the reason, and one that was not read is unknown") {
  Snapshot snapshot = with_template();
  Pod pod = planned("onee");
  make_claims(pod, snapshot);
  CHECK(snapshot.claims.empty());
  const auto missing = lacks_claim_template(Cluster(snapshot), pod, {});
  REQUIRE(missing);
  CHECK(missing->code == Code::claim_missing);
  CHECK_THAT(missing->summary,
             Contains("the ResourceClaimTemplate onee does not exist in namespace ml"));
  CHECK(missing->advice.at(0).summary == "name the template one");
  snapshot.scheduling.coverages.clear();
  CHECK(lacks_claim_template(Cluster(snapshot), pod, {})->code == Code::not_modelled);
}

TEST_CASE("what is there already is not planned again") {
  std::vector<ClaimTemplate> all = {{.ns = "ml", .name = "b", .requests = {{.name = "old"}}}};
  insert_planned(all, ClaimTemplate{.ns = "ml", .name = "b"});
  insert_planned(all, ClaimTemplate{.ns = "ml", .name = "a"});
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "a");
  CHECK(all[1].requests.size() == 1);
}

}  // namespace plan_claims_test
