#include "usage/devices/holding_time.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace devices_holding_time_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

Time at(int seconds) { return Time(std::chrono::seconds(1'000'000 + seconds)); }

/// A pod whose container runs since then.
Pod running_since(int seconds) {
  Pod pod = make::pod("p", "a", 1);
  pod.container_statuses.push_back({.name = "main", .running_since = at(seconds)});
  return pod;
}

/// Read at 100, by an exporter that measures every `interval`.
DeviceUse told(std::chrono::milliseconds interval) {
  DeviceUse device{.node = "a"};
  device.sample = make::card("a", 0, 0.98);
  device.sample.at = at(100);
  device.sample.interval = interval;
  return device;
}

}  // namespace

TEST_CASE("what is told is of before a pod that began within the exporter's interval") {
  using std::chrono::seconds;
  const auto is_before = [](const DeviceUse& device, const Pod& pod) {
    return is_of_before(device, {&pod});
  };
  CHECK(is_before(told(seconds(30)), running_since(97)));
  CHECK(is_before(told(seconds(30)), running_since(71)));
  CHECK_FALSE(is_before(told(seconds(30)), running_since(70)));
  CHECK_FALSE(is_before(told(seconds(1)), running_since(97)));
  CHECK(is_before(told(std::chrono::milliseconds(2500)), running_since(98)));
  // A source that measures when it is asked, and what Prometheus has of before the pod.
  CHECK_FALSE(is_before(told(seconds(0)), running_since(100)));
  CHECK(is_before(told(seconds(0)), running_since(101)));
}

TEST_CASE("of several holders one that is old enough does") {
  const Pod young = running_since(99);
  const Pod old = running_since(5);
  CHECK_FALSE(is_of_before(told(std::chrono::seconds(30)), {&young, &old}));
  CHECK_FALSE(is_of_before(told(std::chrono::seconds(30)), {}));
}

TEST_CASE("since when a pod has used its devices") {
  Pod pod = running_since(50);
  pod.started = at(10);
  CHECK(held_since(pod) == at(50));  // pulling images, it did nothing
  pod.container_statuses.front().last_started_at = at(20);
  CHECK(held_since(pod) == at(20));  // it runs again
  pod.container_statuses.clear();
  CHECK(held_since(pod) == at(10));
  pod.started.reset();
  CHECK_FALSE(held_since(pod));
  pod.created = at(8);
  CHECK(held_since(pod) == at(8));
}

TEST_CASE("without times nothing is called older than the pod") {
  DeviceUse device = told(std::chrono::seconds(30));
  const Pod unknown = make::pod("p", "a", 1);
  CHECK_FALSE(is_of_before(device, {&unknown}));
  device.sample.at.reset();
  const Pod young = running_since(99);
  CHECK_FALSE(is_of_before(device, {&young}));
}

}  // namespace devices_holding_time_test
