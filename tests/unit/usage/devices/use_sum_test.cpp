#include "usage/devices/use_sum.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace devices_use_sum_test {

using namespace gpu;
using namespace gpu::usage;
using namespace std::chrono_literals;

namespace {

Use told(double utilization) {
  return {.utilization = utilization,
          .memory_used_bytes = 10,
          .memory_total_bytes = 20,
          .power_watts = 100,
          .highest_utilization = utilization,
          .idle_for = 60s,
          .sample_age = 5s,
          .kind = UtilizationKind::kernel_time,
          .source = MetricSource::exporter,
          .devices = 1,
          .measured = 1};
}

}  // namespace

TEST_CASE("means go by weight, amounts are added, of times the worst counts") {
  UseSum sum;
  sum.add(told(1.0), 3);
  Use other = told(0.5);
  other.idle_for = 10s;
  other.sample_age = 70s;
  sum.add(other, 1);
  const Use use = sum.sum();
  CHECK(use.utilization == 0.875);
  CHECK(use.memory_used_bytes == 20);
  CHECK(use.memory_total_bytes == 40);
  CHECK(use.power_watts == 200);
  CHECK(use.highest_utilization == 1.0);
  CHECK(use.idle_for == 10s);
  CHECK(use.sample_age == 70s);
  CHECK(use.kind == UtilizationKind::kernel_time);
  CHECK(use.devices == 2);
  CHECK(use.measured == 2);
}

TEST_CASE("what one part does not tell is unknown of all, whichever comes first") {
  for (const bool is_first : {false, true}) {
    UseSum sum;
    Use silent{.memory_total_bytes = 20, .devices = 1};
    if (is_first) sum.add(silent, 1);
    sum.add(told(0.5), 1);
    if (!is_first) sum.add(silent, 1);
    const Use use = sum.sum();
    CHECK_FALSE(use.utilization);
    CHECK_FALSE(use.memory_used_bytes);
    CHECK_FALSE(use.power_watts);
    CHECK_FALSE(use.highest_utilization);
    CHECK_FALSE(use.idle_for);
    CHECK(use.memory_total_bytes == 40);
    CHECK(use.measured == 1);
    CHECK(use.devices == 2);
  }
}

TEST_CASE("nothing, and a part without weight, are no sum") {
  UseSum sum;
  sum.add(told(0.5), 0);
  CHECK_FALSE(sum.sum().utilization);
  CHECK_FALSE(sum.sum().memory_used_bytes);
  CHECK(sum.sum().devices == 0);
}

TEST_CASE("different kinds and sources are not named") {
  UseSum sum;
  sum.add(told(0.5), 1);
  Use other = told(0.5);
  other.kind = UtilizationKind::engine_active;
  other.source = MetricSource::prometheus;
  sum.add(other, 1);
  CHECK_FALSE(sum.sum().kind);
  CHECK_FALSE(sum.sum().source);
}

TEST_CASE("a pod's own use is the sum of its containers', never the device's") {
  const Pod pod = make::pod("x", "a", 1);
  const Pod other = make::pod("y", "a", 1);
  DeviceUse device{.sample = make::card("a", 0, 0.9)};
  CHECK_FALSE(own_use(device, pod).utilization);
  CHECK(own_use(device, pod).devices == 1);
  device.users = {{.pod = &pod, .own = {.utilization = 0.7, .memory_used_bytes = 5}},
                  {.pod = &other, .own = {.utilization = 0.1, .memory_used_bytes = 3}},
                  {.pod = &pod, .own = {.utilization = 0.6, .memory_used_bytes = 2}}};
  CHECK(own_use(device, pod).utilization == 1.0);
  CHECK(own_use(device, pod).memory_used_bytes == 7);
  CHECK_FALSE(own_use(device, pod).memory_total_bytes);
  CHECK_FALSE(own_use(device, pod).power_watts);
  device.users.back().own.utilization.reset();
  CHECK_FALSE(own_use(device, pod).utilization);
  CHECK_FALSE(own_use(device, pod).kind);
}

}  // namespace devices_use_sum_test
