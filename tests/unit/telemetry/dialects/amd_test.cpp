#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_amd_test {

using gpu::Sample;
using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::asked;
using gpu::telemetry::told::case_text;
using gpu::telemetry::told::samples_in;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

/// One card in CPX mode, cut into two (of eight) partitions: each has a gpu_id of its own.
const char* const kPartitioned = R"(
gpu_gfx_activity{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",pod="a",namespace="ml",container="main"} 40
gpu_gfx_activity{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",pod="b",namespace="ml",container="main"} 0
gpu_gfx_busy_instantaneous{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",xcc_index="0",pod="a",namespace="ml",container="main"} 10
gpu_gfx_busy_instantaneous{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",xcc_index="0",pod="b",namespace="ml",container="main"} 70
gpu_package_power{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",pod="a",namespace="ml",container="main"} 310
gpu_package_power{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",pod="b",namespace="ml",container="main"} 0
gpu_junction_temperature{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",pod="a",namespace="ml",container="main"} 51
gpu_junction_temperature{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",pod="b",namespace="ml",container="main"} 0
gpu_used_vram{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",pod="a",namespace="ml",container="main"} 100
gpu_used_vram{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",pod="b",namespace="ml",container="main"} 200
gpu_total_vram{gpu_id="0",gpu_uuid="u0",gpu_partition_id="0",gpu_compute_partition_type="cpx",pod="a",namespace="ml",container="main"} 24000
gpu_total_vram{gpu_id="1",gpu_uuid="u1",gpu_partition_id="1",gpu_compute_partition_type="cpx",pod="b",namespace="ml",container="main"} 24000
)";

}  // namespace

TEST_CASE("case 09: two AMD cards, VRAM in MiB, and power 0 that is no reading") {
  const auto samples = samples_in(case_text("09-amd-device-metrics-exporter.prom"));
  REQUIRE(samples.size() == 2);
  const Sample& first = samples[0];
  CHECK(first.vendor == Vendor::amd);
  CHECK(first.uuid == "aaaa0000-0000-1000-8000-000000000001");
  CHECK(first.index == 0);
  CHECK(first.partition.empty());
  CHECK(first.node == "n1");
  CHECK(first.host == "amd-node-1");
  CHECK(first.product == "Example [Instinct MI325X VF]");
  CHECK(first.measures.utilization == 0.83);
  CHECK(first.measures.kind == UtilizationKind::gfx_activity);
  // The rows of memory name no UUID: they are of the same card all the same.
  CHECK(first.measures.memory_used_bytes == 181234 * kMiB);
  CHECK(first.measures.memory_total_bytes == 262128 * kMiB);
  REQUIRE(first.owners.size() == 1);
  CHECK(first.owners[0].ns == "team-d");
  CHECK(first.owners[0].pod == "resnet-0");
  CHECK(first.owners[0].container == "pytorch");
  CHECK(first.doubts.empty());

  const Sample& second = samples[1];
  CHECK(second.uuid == "aaaa0000-0000-1000-8000-000000000002");
  CHECK(second.measures.utilization == 0.0);
  CHECK(second.measures.memory_used_bytes == 283 * kMiB);
  CHECK(second.measures.memory_total_bytes == 262128 * kMiB);
  CHECK_FALSE(second.measures.power_watts);
  CHECK(second.owners.empty());
  CHECK(second.doubts ==
        std::vector<std::string>{
            "gpu_average_package_power is 0: the exporter writes that for unknown"});
}

TEST_CASE("any prefix may stand before AMD's names") {
  for (const std::string prefix : {"", "amd_", "site_a_"}) {
    const auto samples = samples_in(prefix + "gpu_gfx_activity{gpu_id=\"3\"} 12\n" + prefix +
                                    "gpu_package_power{gpu_id=\"3\"} 150.5\n");
    REQUIRE(samples.size() == 1);
    CHECK(samples[0].index == 3);
    CHECK(samples[0].measures.utilization == 0.12);
    CHECK(samples[0].measures.power_watts == 150.5);
  }
}

TEST_CASE("of a partition only activity and memory are its own; the rest is the card's") {
  const auto samples = samples_in(kPartitioned);
  REQUIRE(samples.size() == 3);
  const Sample& card = samples[0];
  CHECK(card.partition.empty());
  CHECK(card.index == 0);
  CHECK(card.measures.utilization == 0.4);
  CHECK(card.measures.power_watts == 310);
  CHECK(card.measures.temperature_celsius == 51);
  CHECK_FALSE(card.measures.memory_used_bytes);
  CHECK(card.owners.empty());

  CHECK(samples[1].partition == "0");
  CHECK(samples[1].measures.utilization == 0.1);
  CHECK(samples[1].measures.memory_used_bytes == 100 * kMiB);
  CHECK_FALSE(samples[1].measures.power_watts);
  CHECK_FALSE(samples[1].measures.temperature_celsius);
  REQUIRE(samples[1].owners.size() == 1);
  CHECK(samples[1].owners[0].pod == "a");

  CHECK(samples[2].partition == "1");
  CHECK(samples[2].index == 1);
  CHECK(samples[2].measures.utilization == 0.7);
  CHECK(samples[2].measures.memory_used_bytes == 200 * kMiB);
  CHECK_FALSE(samples[2].measures.power_watts);
  CHECK(samples[2].doubts.empty());
  REQUIRE(samples[2].owners.size() == 1);
  CHECK(samples[2].owners[0].pod == "b");
}

TEST_CASE("a partition without its dies' activity has no utilization, not the 0 of gfx_activity") {
  const auto samples = samples_in(
      "gpu_gfx_activity{gpu_id=\"1\",gpu_partition_id=\"1\",gpu_compute_partition_type=\"qpx\"} 0\n"
      "gpu_used_vram{gpu_id=\"1\",gpu_partition_id=\"1\",gpu_compute_partition_type=\"qpx\"} 5\n");
  REQUIRE(samples.size() == 1);
  CHECK_FALSE(samples[0].measures.utilization);
  CHECK(samples[0].measures.memory_used_bytes == 5 * kMiB);
}

TEST_CASE("a partition of several dies is as busy as they are on the average") {
  const std::string labels =
      "gpu_id=\"2\",gpu_partition_id=\"2\",gpu_compute_partition_type=\"qpx\"";
  const std::string name = "gpu_gfx_busy_instantaneous{" + labels + ",xcc_index=";
  auto samples = samples_in(name + "\"0\"} 100\n" + name + "\"1\"} 0\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.utilization == 0.5);
  CHECK(samples[0].doubts.empty());
  samples = samples_in(name + "\"0\"} 100\n" + name + "\"1\"} 65535\n");
  REQUIRE(samples.size() == 1);
  CHECK_FALSE(samples[0].measures.utilization);
  CHECK(samples[0].doubts.size() == 1);
}

TEST_CASE("partition 0 of compute type spx is the whole card") {
  const auto samples = samples_in(
      "gpu_gfx_activity{gpu_id=\"0\",gpu_partition_id=\"0\",gpu_compute_partition_type=\"spx\"} 7\n"
      "gpu_used_vram{gpu_id=\"0\",gpu_partition_id=\"0\",gpu_compute_partition_type=\"spx\"} 9\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].partition.empty());
  CHECK(samples[0].measures.utilization == 0.07);
  CHECK(samples[0].measures.memory_used_bytes == 9 * kMiB);
}

TEST_CASE("a field that the card lacks is no doubt where another tells the same") {
  const auto samples = samples_in(
      "gpu_average_package_power{gpu_id=\"0\"} 0\ngpu_package_power{gpu_id=\"0\"} 402\n"
      "gpu_edge_temperature{gpu_id=\"0\"} 0\ngpu_junction_temperature{gpu_id=\"0\"} 48\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.power_watts == 402);
  CHECK(samples[0].measures.temperature_celsius == 48);
  CHECK(samples[0].doubts.empty());
}

TEST_CASE("numbers for no value of AMD's library are none") {
  const auto samples = samples_in(
      "gpu_gfx_activity{gpu_id=\"0\"} 65535\n"
      "gpu_package_power{gpu_id=\"0\"} 4294967295\n"
      "gpu_junction_temperature{gpu_id=\"0\"} 65535\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures == gpu::Measures{.kind = UtilizationKind::gfx_activity});
  CHECK(samples[0].doubts.size() == 3);
}

TEST_CASE("the old amd_smi_exporter: the index is in a label named as the metric, units are raw") {
  const auto samples = samples_in(R"(
amd_gpu_use_percent{gpu_use_percent="1",productname="MI250"} 55
amd_gpu_power{gpu_power="1",productname="MI250"} 301000000
amd_gpu_power_cap{gpu_power_cap="1",productname="MI250"} 560000000
amd_gpu_current_temperature{gpu_current_temperature="1",productname="MI250"} 43000
)");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].index == 1);
  CHECK(samples[0].product == "MI250");
  CHECK(samples[0].measures.utilization == 0.55);
  CHECK(samples[0].measures.power_watts == 301);
  CHECK(samples[0].measures.power_limit_watts == 560);
  CHECK(samples[0].measures.temperature_celsius == 43);
  const auto divided = samples_in(
      "amd_gpu_power{gpu_power=\"0\"} 301.5\n"
      "amd_gpu_current_temperature{gpu_current_temperature=\"0\"} 43\n");
  REQUIRE(divided.size() == 1);
  CHECK(divided[0].measures.power_watts == 301.5);
  CHECK(divided[0].measures.temperature_celsius == 43);
  const auto odd = samples_in("amd_gpu_power{gpu_power=\"0\"} 30100\n");
  REQUIRE(odd.size() == 1);
  CHECK_FALSE(odd[0].measures.power_watts);
}

TEST_CASE("foreign names that end as AMD's are of no card") {
  CHECK(samples_in("home_gpu_power_usage{room=\"attic\"} 40\n").empty());
}

TEST_CASE("cards of several nodes in one answer stay apart") {
  const auto samples = samples_in(
      "gpu_gfx_activity{gpu_id=\"0\",instance=\"10.0.0.1:5000\"} 1\n"
      "gpu_gfx_activity{gpu_id=\"0\",instance=\"10.0.0.2:5000\"} 2\n",
      asked());
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures.utilization == 0.01);
  CHECK(samples[1].measures.utilization == 0.02);
}

}  // namespace dialects_amd_test
