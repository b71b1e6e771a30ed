#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_xpumd_test {

using gpu::Sample;
using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::asked;
using gpu::telemetry::told::samples_in;

namespace {

std::string row(const std::string& name, const std::string& more, const std::string& value) {
  return name + "{pci_bdf=\"0000:03:00.0\",hw_id=\"gpu-uuid-0\"," + more + "} " + value + "\n";
}

}  // namespace

TEST_CASE("xpumd: OpenTelemetry's names, the busiest task, the device's memory") {
  const auto samples = samples_in(
      row("hw_gpu_info", "hw_model=\"Intel(R) Arc(TM) Pro B60 Graphics\"", "1") +
      row("hw_gpu_utilization_ratio", "hw_gpu_task=\"all\"", "0.125") +
      row("hw_gpu_utilization_ratio", "hw_gpu_task=\"compute-all\"", "0.75") +
      row("hw_gpu_utilization_ratio", "hw_gpu_task=\"copy-all\"", "0") +
      row("hw_memory_size_bytes", "hw_memory_location=\"device\"", "25669140480") +
      row("hw_memory_usage_bytes", "hw_memory_location=\"device\"", "8589934592") +
      row("hw_memory_usage_bytes", "hw_memory_location=\"system\"", "99999999999") +
      row("hw_power_watts", "hw_sensor_location=\"gpu\"", "20") +
      row("hw_power_watts", "hw_sensor_location=\"card\"", "31.5") +
      row("hw_temperature_celsius", "hw_sensor_location=\"memory\",statistic=\"max\"", "40") +
      row("hw_temperature_celsius", "hw_sensor_location=\"gpu\",statistic=\"min\"", "35") +
      row("hw_temperature_celsius", "hw_sensor_location=\"gpu\",statistic=\"max\"", "36"));
  REQUIRE(samples.size() == 1);
  const Sample& card = samples[0];
  CHECK(card.vendor == Vendor::intel);
  CHECK(card.pci_bus_id == "0000:03:00.0");
  CHECK(card.product == "Intel(R) Arc(TM) Pro B60 Graphics");
  CHECK(card.measures.utilization == 0.75);
  CHECK(card.measures.kind == UtilizationKind::engine_ratio);
  CHECK(card.measures.memory_used_bytes == 8589934592);
  CHECK(card.measures.memory_total_bytes == 25669140480);
  CHECK(card.measures.power_watts == 31.5);
  CHECK(card.measures.temperature_celsius == 36);
  CHECK(card.doubts.empty());
}

TEST_CASE("modules of a card's memory add up, told twice they do not") {
  const std::string device = "hw_memory_location=\"device\",hw_name=";
  const std::string rows = row("hw_memory_usage_bytes", device + "\"mem-1\"", "100") +
                           row("hw_memory_usage_bytes", device + "\"mem-2\"", "50");
  auto samples = samples_in(rows);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_used_bytes == 150);
  samples = samples_in(rows + row("hw_memory_usage_bytes", device + "\"mem-2\",job=\"b\"", "50"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_used_bytes == 150);
}

TEST_CASE("tiles of xpumd") {
  const auto samples = samples_in(
      row("hw_gpu_utilization_ratio", "com_intel_subdevice_id=\"0\"", "0.1") +
      row("hw_gpu_utilization_ratio", "com_intel_subdevice_id=\"1\"", "0.6") +
      row("hw_memory_usage_bytes", "com_intel_subdevice_id=\"0\"", "1") +
      row("hw_memory_usage_bytes", "com_intel_subdevice_id=\"1\"", "2") +
      row("hw_power_watts", "hw_sensor_location=\"card\"", "300") +
      row("hw_power_watts", "hw_sensor_location=\"card\",com_intel_subdevice_id=\"0\"", "90"));
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].measures.utilization == 0.6);
  CHECK(samples[0].measures.memory_used_bytes == 3);
  CHECK(samples[0].measures.power_watts == 300);
  CHECK(samples[2].partition == "1");
  CHECK(samples[2].measures.utilization == 0.6);
}

TEST_CASE("these names without a PCI address are of some other program") {
  CHECK(samples_in("hw_power_watts{hw_id=\"gpu0\",hw_type=\"gpu\"} 30\n"
                   "hw_gpu_utilization_ratio{hw_id=\"gpu0\"} 0.5\n")
            .empty());
}

TEST_CASE("xpumd names no owners: a pod is the scraped one") {
  const auto samples = samples_in(
      row("hw_gpu_utilization_ratio", "pod=\"xpumd-x\",namespace=\"m\",node=\"n2\"", "0.5"),
      asked());
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].owners.empty());
  CHECK(samples[0].node == "n2");
}

TEST_CASE("cards at the same address of several nodes choose their sensors apart") {
  const auto samples =
      samples_in(row("hw_power_watts", "hw_sensor_location=\"card\",node=\"a\"", "30") +
                     row("hw_power_watts", "hw_sensor_location=\"gpu\",node=\"b\"", "20"),
                 asked());
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures.power_watts == 30);
  CHECK(samples[1].measures.power_watts == 20);
}

}  // namespace dialects_xpumd_test
