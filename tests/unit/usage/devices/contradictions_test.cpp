#include "usage/devices/contradictions.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "make.hpp"
#include "usage/devices/live_use.hpp"

namespace devices_contradictions_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

const std::optional<Time> kNow = parse_time("2026-11-01T10:00:00Z");

Sample told_by(Sample sample, std::string exporter, std::int64_t seconds_ago) {
  sample.exporter = std::move(exporter);
  sample.at = *kNow - std::chrono::seconds(seconds_ago);
  return sample;
}

Sample merged(std::vector<Sample> samples) {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, {});
  snapshot.samples = std::move(samples);
  return LiveUse(snapshot, kNow).devices_on("a").front().sample;
}

}  // namespace

TEST_CASE("two exporters that contradict each other are not believed") {
  const Sample real = told_by(make::card("a", 0, 0.97), "infra/dcgm-x", 2);
  Sample fake = told_by(make::card("a", 0, 0.01), "web/dcgm-exporter", 1);
  const Sample told = merged({real, fake});
  CHECK_FALSE(told.measures.utilization);
  REQUIRE(told.doubts.size() == 1);
  CHECK(told.doubts[0] == "its utilization is 1 % by web/dcgm-exporter and 97 % by infra/dcgm-x");
  fake.measures.utilization = 0.9;
  CHECK(merged({real, fake}).measures.utilization == 0.9);
}

TEST_CASE("an exporter in a usual namespace is believed against others, however new they are") {
  const Sample real = told_by(make::card("a", 0, 0.97), "gpu-operator/dcgm-x", 20);
  Sample fake = told_by(make::card("a", 0, 0.01), "web/dcgm-exporter", 1);
  const Sample told = merged({fake, real});
  CHECK(told.measures.utilization == 0.97);
  CHECK(told.exporter == "gpu-operator/dcgm-x");
  REQUIRE(told.doubts.size() == 1);
  CHECK(told.doubts[0] ==
        "its utilization is 1 % by web/dcgm-exporter and 97 % by gpu-operator/dcgm-x; shown is "
        "gpu-operator/dcgm-x");
  fake.measures.utilization = 0.8;
  CHECK(merged({fake, real}).measures.utilization == 0.97);
}

TEST_CASE("two in usual namespaces that contradict each other are not believed") {
  const Sample one = told_by(make::card("a", 0, 0.97), "gpu-operator/dcgm-x", 2);
  const Sample other = told_by(make::card("a", 0, 0.2), "monitoring/smi", 1);
  CHECK_FALSE(merged({one, other}).measures.utilization);
}

TEST_CASE("power, temperature, activity and memory are compared, too") {
  Sample one = told_by(make::card("a", 0, 0.5), "infra/dcgm-x", 2);
  one.measures.temperature_celsius = 70;
  one.measures.sm_active = 0.9;
  Sample other = told_by(make::card("a", 0, 0.5), "web/x", 1);
  other.measures.temperature_celsius = 20;
  other.measures.sm_active = 0.1;
  other.measures.power_watts = 4000;
  other.measures.memory_used_bytes = std::int64_t{30} << 30;
  const Sample told = merged({one, other});
  CHECK(told.measures.utilization == 0.5);
  CHECK_FALSE(told.measures.temperature_celsius);
  CHECK_FALSE(told.measures.sm_active);
  CHECK_FALSE(told.measures.power_watts);
  CHECK_FALSE(told.measures.memory_used_bytes);
  CHECK(told.measures.memory_total_bytes);
  CHECK(told.doubts.size() == 4);
}

TEST_CASE("of each measure a little apart is no contradiction, and more is told in its unit") {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  struct Apart {
    const char* what;
    double least;
    double most;
    std::function<void(Measures&, double)> set;
    std::string doubt;  ///< empty: none
  };
  const auto dram = [](Measures& told, double to) { told.dram_active = to; };
  const auto used = [](Measures& told, double to) {
    told.memory_used_bytes = static_cast<std::int64_t>(to) * kGib;
  };
  const auto total = [](Measures& told, double to) {
    told.memory_total_bytes = static_cast<std::int64_t>(to) * kGib;
  };
  const auto power = [](Measures& told, double to) { told.power_watts = to; };
  const std::vector<Apart> cases = {
      {"memory activity", 0.1, 0.3, dram, ""},
      {"memory activity", 0, 1, dram, "0 % by web/x and 100 % by infra/x"},
      {"memory in use", 1, 3, used, ""},
      {"memory in use", 1, 4, used, "1 GiB by web/x and 4 GiB by infra/x"},
      {"memory", 76, 80, total, ""},
      {"memory", 75, 80, total, "75 GiB by web/x and 80 GiB by infra/x"},
      {"power", 100, 400, power, ""},
      {"power", 100, 401, power, "100 W by web/x and 401 W by infra/x"},
  };
  for (const Apart& each : cases) {
    INFO(each.what << " " << each.least << " " << each.most);
    Sample one = told_by(make::card("a", 0, 0.5), "infra/x", 2);
    Sample other = told_by(make::card("a", 0, 0.5), "web/x", 1);
    each.set(one.measures, each.most);
    each.set(other.measures, each.least);
    std::vector<std::string> doubts;
    if (!each.doubt.empty())
      doubts.push_back("its " + std::string(each.what) + " is " + each.doubt);
    CHECK(merged({one, other}).doubts == doubts);
  }
}

TEST_CASE("owners that an exporter in a usual namespace names are the only ones") {
  Sample real = told_by(make::used_by(make::card("a", 0, 0.5), {"x"}), "gpu-operator/dcgm-x", 2);
  const Sample fake = told_by(make::used_by(make::card("a", 0, 0.5), {"y"}), "web/x", 1);
  REQUIRE(merged({real, fake}).owners.size() == 1);
  CHECK(merged({real, fake}).owners.front().pod == "x");
  real.owners.clear();
  CHECK(merged({real, fake}).owners.front().pod == "y");
}

}  // namespace devices_contradictions_test
