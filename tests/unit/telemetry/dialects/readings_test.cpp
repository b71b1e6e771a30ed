#include "telemetry/dialects/readings.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

namespace dialects_readings_test {

using namespace gpu;
using telemetry::Aspect;
using telemetry::DialectSample;
using telemetry::Measure;
using telemetry::Metric;
using telemetry::Readings;
using telemetry::Series;
using telemetry::Unit;

namespace {

constexpr Time kNow{std::chrono::seconds(1790000000)};

/// Readings to which `metric` told `value`.
void add(Readings& readings, const Metric& metric, double value, std::size_t rank = 0,
         Aspect aspect = Aspect::now, std::optional<Time> at = kNow) {
  const Series series{.name = std::string(metric.name), .value = value};
  readings.add(metric, DialectSample{&series, rank, aspect, at});
}

std::optional<double> kept(Measure measure, Unit unit, double value) {
  Readings readings;
  add(readings, {"m", measure, unit}, value);
  CHECK(readings.doubts().empty() == readings.has(measure));
  return readings.value(measure);
}

}  // namespace

TEST_CASE("units") {
  CHECK(kept(Measure::utilization, Unit::percent, 29) == 0.29);
  CHECK(kept(Measure::utilization, Unit::ratio, 0.29) == 0.29);
  CHECK(kept(Measure::memory_used, Unit::mebibytes, 3) == 3145728);
  CHECK(kept(Measure::memory_used, Unit::megabytes, 3) == 3000000);
  CHECK(kept(Measure::memory_used, Unit::bytes, 3) == 3);
  CHECK(kept(Measure::power, Unit::milliwatts, 95000) == 95);
}

TEST_CASE("ends of ranges") {
  CHECK(kept(Measure::utilization, Unit::percent, 100) == 1.0);
  CHECK(kept(Measure::utilization, Unit::percent, 100.5) == std::nullopt);
  CHECK(kept(Measure::sm_active, Unit::ratio, 1.01) == 1.0);
  CHECK(kept(Measure::sm_active, Unit::ratio, 1.011) == std::nullopt);
  CHECK(kept(Measure::temperature, Unit::celsius, -50) == -50);
  CHECK(kept(Measure::temperature, Unit::celsius, 150) == 150);
  CHECK(kept(Measure::power, Unit::watts, 5000) == 5000);
  CHECK(kept(Measure::power, Unit::watts, 0) == std::nullopt);
  CHECK(kept(Measure::memory_used, Unit::bytes, 0) == 0);
  CHECK(kept(Measure::memory_total, Unit::bytes, 0) == std::nullopt);
  CHECK(kept(Measure::memory_total, Unit::mebibytes, 1e14) == std::nullopt);
  CHECK(kept(Measure::last_xid, Unit::count, 0) == 0);
}

TEST_CASE("the number of DCGM for no 32-bit value may be a number of bytes") {
  CHECK(kept(Measure::memory_used, Unit::bytes, 2147483632) == 2147483632);
  CHECK(kept(Measure::memory_used, Unit::mebibytes, 2147483632) == std::nullopt);
  CHECK(kept(Measure::memory_used, Unit::bytes, 9.3e18) == std::nullopt);
}

TEST_CASE("the metric that stands first counts, whichever comes first") {
  const Metric first{"first", Measure::power, Unit::watts};
  const Metric second{"second", Measure::power, Unit::watts};
  Readings readings;
  add(readings, second, 200, 1);
  add(readings, first, 100, 0);
  add(readings, second, 300, 1);
  CHECK(readings.value(Measure::power) == 100);
  CHECK(readings.doubts().empty());

  Readings blank;
  add(blank, first, -1, 0);
  add(blank, second, 200, 1);
  CHECK(blank.value(Measure::power) == 200);
}

TEST_CASE("a value that is told twice") {
  const Metric metric{"m", Measure::power, Unit::watts};
  Readings near;
  add(near, metric, 100);
  add(near, metric, 101);
  CHECK(near.value(Measure::power) == 101);
  CHECK(near.doubts().empty());
  Readings far;
  add(far, metric, 103);
  add(far, metric, 100);
  CHECK(far.value(Measure::power) == 103);
  CHECK(far.doubts().empty());
  CHECK(far.suspect() ==
        std::vector<std::string>{"m is reported twice and differs: the higher is shown"});
  Readings newer;
  add(newer, metric, 50, 0, Aspect::now, kNow);
  add(newer, metric, 100, 0, Aspect::now, kNow - std::chrono::seconds(1));
  CHECK(newer.value(Measure::power) == 50);
  CHECK(newer.doubts().empty());
}

TEST_CASE("idle times that cannot be are unknown") {
  const Metric metric{"m", Measure::utilization, Unit::percent};
  for (const double value : {-1.0, 1e300, 1e11}) {
    Readings readings;
    add(readings, metric, value, 0, Aspect::idle);
    CHECK(readings.measures(UtilizationKind::core).idle_for == std::nullopt);
    CHECK(readings.doubts().size() == 1);
  }
}

TEST_CASE("doubts are few and each stands once") {
  Readings readings;
  for (int i = 0; i < 1000; ++i) readings.doubt("same");
  CHECK(readings.doubts().size() == 1);
  for (int i = 0; i < 1000; ++i)
    add(readings, {"m", Measure::power, Unit::watts}, 1e6 + static_cast<double>(i));
  CHECK(readings.doubts().size() == 20);
}

TEST_CASE("the mean of engine_active counts before a sample of a moment") {
  Readings readings;
  add(readings, {"u", Measure::utilization, Unit::ratio}, 0.5);
  CHECK(readings.measures(UtilizationKind::core) ==
        Measures{.utilization = 0.5, .kind = UtilizationKind::core});
  add(readings, {"e", Measure::engine_active, Unit::ratio}, 0.25);
  CHECK(readings.measures(UtilizationKind::core) ==
        Measures{.utilization = 0.25, .kind = UtilizationKind::engine_active});
  readings.forget(Measure::utilization);
  readings.forget(Measure::engine_active);
  CHECK(readings.measures(UtilizationKind::core).utilization == std::nullopt);
}

TEST_CASE("tensor activity stands in only where a dialect says so, and nothing else is told") {
  using StandIn = Readings::StandIn;
  Readings readings;
  add(readings, {"t", Measure::tensor_active, Unit::ratio}, 0.25);
  CHECK(readings.measures(UtilizationKind::duty_cycle).utilization == std::nullopt);
  CHECK(readings.measures(UtilizationKind::duty_cycle, StandIn::tensor_active) ==
        Measures{.utilization = 0.25, .kind = UtilizationKind::tensor_core, .tensor_active = 0.25});
  add(readings, {"d", Measure::utilization, Unit::ratio}, 0.75);
  CHECK(readings.measures(UtilizationKind::duty_cycle, StandIn::tensor_active) ==
        Measures{.utilization = 0.75, .kind = UtilizationKind::duty_cycle, .tensor_active = 0.25});
}

}  // namespace dialects_readings_test
