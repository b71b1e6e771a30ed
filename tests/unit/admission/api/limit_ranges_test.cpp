#include "admission/api/limit_ranges.hpp"

#include <catch2/catch.hpp>

#include "admission/api/admission.hpp"
#include "make.hpp"

namespace api_limit_ranges_test {

using namespace gpu;
using namespace gpu::admission;

namespace {

Quantity gib(std::int64_t amount) { return Quantity::of(amount << 30); }

SchedulingFacts with(std::vector<LimitRangeItem> items) {
  SchedulingFacts facts;
  facts.limit_ranges = {{.ns = "ml", .name = "bounds", .limits = std::move(items)}};
  return facts;
}

Pod pod_of(ResourceList requests, ResourceList limits) {
  Pod pod = make::pod("p", "", 0);
  pod.containers[0].requests = std::move(requests);
  pod.containers[0].limits = std::move(limits);
  return pod;
}

std::string refusal(const Pod& pod, LimitRangeItem item) {
  const auto refused = limit_refusal(pod, with({std::move(item)}));
  return refused ? refused->why : "";
}

}  // namespace

TEST_CASE("a LimitRange gives containers what they do not say, and nothing else") {
  const SchedulingFacts facts =
      with({{.type = "Container",
             .default_limits = {{"cpu", Quantity::of(2)}},
             .default_requests = {{"cpu", Quantity::of_milli(500)}, {"memory", gib(1)}}},
            {.type = "Pod", .default_limits = {{"cpu", gib(1)}}}});
  Pod pod = pod_of({{"memory", gib(4)}}, {});
  pod.init_containers = {{.name = "init", .limits = {{"cpu", Quantity::of(1)}}}};
  Pod elsewhere = pod;
  elsewhere.ns = "web";
  admit(pod, facts);
  CHECK(pod.containers[0].requests ==
        ResourceList{{"cpu", Quantity::of_milli(500)}, {"memory", gib(4)}});
  CHECK(pod.containers[0].limits == ResourceList{{"cpu", Quantity::of(2)}});
  // A limit of its own is its request before any LimitRange is looked at.
  CHECK(amount_of(pod.init_containers[0].requests, "cpu") == Quantity::of(1));
  CHECK(amount_of(pod.init_containers[0].limits, "cpu") == Quantity::of(1));
  admit(elsewhere, facts);
  CHECK_FALSE(elsewhere.containers[0].requests.contains("cpu"));
}

TEST_CASE("limits of a pod as a whole are its requests before a LimitRange is looked at") {
  const SchedulingFacts facts =
      with({{.type = "Container", .default_requests = {{"cpu", Quantity::of_milli(500)}}}});
  Pod pod = pod_of({{"memory", gib(2)}}, {});
  pod.pod_limits = ResourceList{{"cpu", Quantity::of(4)}, {"memory", gib(8)}};
  admit(pod, facts);
  CHECK(pod.pod_requests == ResourceList{{"cpu", Quantity::of(4)}, {"memory", gib(2)}});
  CHECK(amount_of(pod.containers[0].requests, "cpu") == Quantity::of_milli(500));
}

TEST_CASE("a container has to be within its bounds") {
  const LimitRangeItem most{.type = "Container", .max = {{"cpu", Quantity::of(2)}}};
  CHECK(refusal(pod_of({}, {{"cpu", Quantity::of(4)}}), most) ==
        "maximum cpu usage per Container is 2, but limit is 4");
  CHECK(refusal(pod_of({{"cpu", Quantity::of(1)}}, {}), most) ==
        "maximum cpu usage per Container is 2.  No limit is specified");
  CHECK(refusal(pod_of({{"cpu", Quantity::of(1)}}, {{"cpu", Quantity::of(2)}}), most).empty());
  const LimitRangeItem least{.type = "Container", .min = {{"memory", gib(1)}}};
  CHECK(refusal(pod_of({}, {}), least) ==
        "minimum memory usage per Container is 1Gi.  No request is specified");
  CHECK(refusal(pod_of({{"memory", Quantity::of(512 << 20)}}, {}), least) ==
        "minimum memory usage per Container is 1Gi, but request is 512Mi");
  CHECK(refusal(pod_of({{"memory", gib(1)}}, {}), least).empty());
  Pod beside = pod_of({{"memory", gib(2)}}, {});
  beside.init_containers = {{.name = "init"}};
  CHECK(refusal(beside, least) ==
        "minimum memory usage per Container is 1Gi.  No request is specified");
}

TEST_CASE("how far a limit may be above a request") {
  const LimitRangeItem ratio{.type = "Container",
                             .max_limit_request_ratio = {{"cpu", Quantity::of_milli(1500)}}};
  const auto told = [&](std::int64_t request, std::int64_t limit) {
    return refusal(
        pod_of({{"cpu", Quantity::of_milli(request)}}, {{"cpu", Quantity::of_milli(limit)}}),
        ratio);
  };
  CHECK(told(1000, 1500).empty());
  CHECK(told(1000, 1600) ==
        "cpu max limit to request ratio per Container is 1500m, but provided ratio is 1.600000");
  CHECK(refusal(pod_of({}, {{"cpu", Quantity::of(1)}}), ratio) ==
        "cpu max limit to request ratio per Container is 1500m, but no request is specified or "
        "request is 0");
  CHECK(refusal(pod_of({{"cpu", Quantity::of(1)}}, {}), ratio) ==
        "cpu max limit to request ratio per Container is 1500m, but no limit is specified or "
        "limit is 0");
}

TEST_CASE("a pod is bounded as a whole: sums, the largest init container, pod-level amounts") {
  const LimitRangeItem most{.type = "Pod", .max = {{"nvidia.com/gpu", Quantity::of(4)}}};
  Pod pod = pod_of({{"nvidia.com/gpu", Quantity::of(3)}}, {{"nvidia.com/gpu", Quantity::of(3)}});
  CHECK(refusal(pod, most).empty());
  pod.containers.push_back(pod.containers[0]);
  CHECK(refusal(pod, most) == "maximum nvidia.com/gpu usage per Pod is 4, but limit is 6");
  pod.containers.pop_back();
  pod.init_containers = {{.name = "init", .limits = {{"nvidia.com/gpu", Quantity::of(5)}}}};
  CHECK(refusal(pod, most) == "maximum nvidia.com/gpu usage per Pod is 4, but limit is 5");
  // A sidecar runs beside the others.
  pod.init_containers[0] = {
      .name = "side", .limits = {{"nvidia.com/gpu", Quantity::of(2)}}, .restarts_always = true};
  CHECK(refusal(pod, most) == "maximum nvidia.com/gpu usage per Pod is 4, but limit is 5");
  const LimitRangeItem cpu{.type = "Pod", .max = {{"cpu", Quantity::of(2)}}};
  Pod whole = pod_of({}, {});
  whole.pod_limits = ResourceList{{"cpu", Quantity::of(3)}};
  CHECK(refusal(whole, cpu) == "maximum cpu usage per Pod is 2, but limit is 3");
}

TEST_CASE("several bounds are told together, and the LimitRange by its name") {
  const SchedulingFacts facts =
      with({{.type = "Container", .max = {{"cpu", Quantity::of(1)}, {"memory", gib(1)}}}});
  const Pod pod = pod_of({}, {{"cpu", Quantity::of(2)}, {"memory", gib(2)}});
  const auto refused = limit_refusal(pod, facts);
  REQUIRE(refused);
  CHECK(refused->limit_range == "bounds");
  CHECK(refused->why ==
        "[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per "
        "Container is 1Gi, but limit is 2Gi]");
  Pod elsewhere = pod;
  elsewhere.ns = "web";
  CHECK_FALSE(limit_refusal(elsewhere, facts));
}

}  // namespace api_limit_ranges_test
