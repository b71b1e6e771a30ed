#include "cost/forecast/autoscaling.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "cost/forecast/make_forecast.hpp"

namespace gpu::cost::forecast_autoscaling_test {
namespace {

PlannedAutoscaler scaler(std::int64_t least, std::optional<std::int64_t> most,
                         std::string target = "train") {
  return {.object = "hpa/x",
          .ns = "ml",
          .target_kind = "deployment",
          .target_name = std::move(target),
          .least = least,
          .most = most,
          .by = "maxReplicas of hpa/x"};
}

PlannedPod server(std::int64_t count, std::int64_t per_replica = 1) {
  PlannedPod made = make::planned(make::pod("x", "", 1), "Deployment", count);
  made.bounds.pods_per_replica = per_replica;
  return made;
}

/// "AT ONCE to MOST"; "any" for no limit.
std::string bounds_of(PlannedPod pod, const std::vector<PlannedAutoscaler>& autoscalers) {
  std::vector<PlannedPod> pods = {std::move(pod)};
  apply_autoscalers(pods, autoscalers);
  const RunBounds& bounds = pods.front().bounds;
  std::string text = std::to_string(bounds.pods_at_once);
  if (!bounds.growth) return text;
  return text + " to " + (bounds.growth->most ? std::to_string(*bounds.growth->most) : "any");
}

}  // namespace

TEST_CASE("an autoscaler raises replicas, each of as many pods as it has") {
  CHECK(bounds_of(server(2), {scaler(1, 5)}) == "2 to 5");
  CHECK(bounds_of(server(1), {scaler(3, 5)}) == "3 to 5");
  CHECK(bounds_of(server(8, 4), {scaler(1, 5)}) == "8 to 20");
  CHECK(bounds_of(server(2), {}) == "2");
  CHECK(bounds_of(server(2), {scaler(1, 5, "other")}) == "2");
  CHECK(bounds_of(server(0), {scaler(1, 5)}) == "0 to 5");
}

TEST_CASE("of several autoscalers the one counts that goes furthest, or has no limit") {
  CHECK(bounds_of(server(2), {scaler(1, 5), scaler(1, 9)}) == "2 to 9");
  CHECK(bounds_of(server(2), {scaler(1, 9), scaler(1, 5)}) == "2 to 9");
  CHECK(bounds_of(server(2), {scaler(1, 5), scaler(1, {})}) == "2 to any");
  CHECK(bounds_of(server(2), {scaler(1, {}), scaler(1, 5)}) == "2 to any");
}

TEST_CASE("what has no scale is not scaled, and other namespaces have other objects") {
  PlannedPod fixed = server(2);
  fixed.bounds.pods_per_replica.reset();
  CHECK(bounds_of(fixed, {scaler(1, 5)}) == "2");
  PlannedAutoscaler elsewhere = scaler(1, 5);
  elsewhere.ns = "other";
  CHECK(bounds_of(server(2), {elsewhere}) == "2");
}

TEST_CASE("an autoscaler without its target is named") {
  PlannedObjects planned;
  planned.pods = {server(2)};
  planned.unknown = {"deployment/made-elsewhere"};
  planned.autoscalers = {scaler(1, 5), scaler(1, 5, "made-elsewhere")};
  CHECK(autoscalers_without_target(planned).empty());
  planned.autoscalers.push_back(scaler(1, 5, "other"));
  CHECK(autoscalers_without_target(planned) == std::vector<std::string>{"hpa/x"});
}

}  // namespace gpu::cost::forecast_autoscaling_test
