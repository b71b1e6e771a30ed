#include "diagnose/answer/pod_identity.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace answer_pod_identity_test {

using namespace gpu;
using namespace gpu::diagnose;

TEST_CASE("what leaves only some nodes knows the field that it stands in") {
  Pod pod = make::waiting("p");
  pod.node_selector = {{"pool", "h100"}};
  pod.placement.spread = {{.topology_key = "zone", .when_unsatisfiable = "DoNotSchedule"}};
  const Snapshot snapshot = make::cluster({});
  const Explanation identity = identity_of(scheduler::Cluster(snapshot), pod, std::nullopt);
  REQUIRE(identity.only_on.size() == 2);
  CHECK(identity.only_on[0].text == "pool=h100");
  CHECK(identity.only_on[0].label == "pool");
  CHECK(field_of(identity.only_on[0].origin) == "spec.nodeSelector");
  CHECK(identity.only_on[1].label.empty());
  CHECK(field_of(identity.only_on[1].origin) == "spec.topologySpreadConstraints");
}

}  // namespace answer_pod_identity_test
