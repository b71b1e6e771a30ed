#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_all_smi_test {

using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::case_text;
using gpu::telemetry::told::samples_in;
using gpu::telemetry::told::series_in;

namespace {

std::string row(const std::string& name, const std::string& value,
                const std::string& gpu = "NVIDIA H200 141GB HBM3",
                const std::string& uuid = "GPU-1") {
  return "all_smi_gpu_" + name + "{gpu=\"" + gpu + "\",instance=\"host-1\",uuid=\"" + uuid +
         "\",index=\"0\"} " + value + "\n";
}

}  // namespace

TEST_CASE("all-smi: what it tells of a card") {
  const auto samples =
      samples_in(row("utilization", "25.5") + row("memory_used_bytes", "8589934592") +
                 row("memory_total_bytes", "34359738368") + row("temperature_celsius", "65") +
                 row("power_consumption_watts", "400.5") + row("power_limit_current_watts", "700"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].vendor == Vendor::nvidia);
  CHECK(samples[0].uuid == "GPU-1");
  CHECK(samples[0].index == 0);
  CHECK(samples[0].product == "NVIDIA H200 141GB HBM3");
  CHECK(samples[0].measures.utilization == 0.255);
  CHECK(samples[0].measures.kind == UtilizationKind::kernel_time);
  CHECK(samples[0].measures.memory_used_bytes == 8589934592);
  CHECK(samples[0].measures.memory_total_bytes == 34359738368);
  CHECK(samples[0].measures.temperature_celsius == 65);
  CHECK(samples[0].measures.power_watts == 400.5);
  CHECK(samples[0].measures.power_limit_watts == 700);
}

TEST_CASE("all-smi writes 0 for what it cannot read") {
  const auto samples = samples_in(row("utilization", "0") + row("memory_used_bytes", "0") +
                                  row("memory_total_bytes", "0") + row("temperature_celsius", "0") +
                                  row("power_consumption_watts", "0"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.utilization == 0.0);
  CHECK_FALSE(samples[0].measures.memory_used_bytes);
  CHECK_FALSE(samples[0].measures.memory_total_bytes);
  CHECK_FALSE(samples[0].measures.temperature_celsius);
  CHECK_FALSE(samples[0].measures.power_watts);
  CHECK(samples[0].doubts.empty());
}

TEST_CASE("all-smi's card in MIG mode has no utilization of its own") {
  auto samples = samples_in(row("utilization", "0") + row("mig_mode", "1"));
  REQUIRE(samples.size() == 1);
  CHECK_FALSE(samples[0].measures.utilization);
  samples = samples_in(row("utilization", "3") + row("mig_mode", "0"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.utilization == 0.03);
}

TEST_CASE("all-smi: makers by the product's name") {
  const auto vendor = [](const std::string& product) {
    const auto samples = samples_in(row("utilization", "1", product, "u"));
    REQUIRE(samples.size() == 1);
    return samples[0].vendor;
  };
  CHECK(vendor("AMD Instinct MI300X") == Vendor::amd);
  CHECK(vendor("Intel Gaudi 3") == Vendor::habana);
  CHECK(vendor("Google TPU v5e") == Vendor::google);
  CHECK(vendor("Intel Arc A770") == Vendor::intel);
  CHECK(vendor("Tesla T4") == Vendor::nvidia);
  CHECK(vendor("Tenstorrent Wormhole n300") == Vendor::other);
}

TEST_CASE("all-smi: labels as its documents have them") {
  const auto samples =
      samples_in("all_smi_gpu_utilization{gpu_index=\"2\",gpu_name=\"NVIDIA A100\"} 50\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].index == 2);
  CHECK(samples[0].product == "NVIDIA A100");
}

TEST_CASE("case 12: an exporter of no dialect is read, with its times, and tells of no device") {
  const std::string text = case_text("12-samples-with-timestamps.prom");
  const auto series = series_in(text);
  REQUIRE(series.size() == 6);
  CHECK(series[0].name == "machine_npu_nums");
  CHECK(series[0].value == 8);
  CHECK(series[0].labels.empty());
  CHECK_FALSE(series[0].at);
  CHECK(series[3].value == 32255);
  CHECK(series[1].at == gpu::parse_time("2021-02-22T11:31:38Z"));
  CHECK(series[5].at == gpu::parse_time("2024-08-14T07:51:23Z"));
  CHECK(samples_in(text).empty());
}

TEST_CASE("a time long past stays with the sample") {
  const auto samples = samples_in("all_smi_gpu_utilization{uuid=\"GPU-1\"} 50 1613993498553\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].at == gpu::parse_time("2021-02-22T11:31:38Z"));
}

}  // namespace dialects_all_smi_test
