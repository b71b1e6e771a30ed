#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_gaudi_test {

using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::asked;
using gpu::telemetry::told::samples_in;

TEST_CASE("Gaudi: milliwatts, bytes, and limits that are no readings") {
  const std::string labels =
      "{Serial=\"AN1\",UUID=\"01P0-HL2000A0-14\",device=\"AN1\",id=\"3\",pod_name=\"train-0\","
      "pod_namespace=\"ml\"} ";
  const auto samples = samples_in(
      "habanalabs_utilization" + labels + "64\n" + "habanalabs_memory_used_bytes" + labels +
      "1000\n" + "habanalabs_memory_free_bytes" + labels + "3000\n" + "habanalabs_power_mW" +
      labels + "103500\n" + "habanalabs_power_default_limit_mW" + labels + "600000\n" +
      "habanalabs_temperature_threshold_shutdown" + labels + "110\n" +
      "habanalabs_temperature_threshold_gpu" + labels + "95\n" + "habanalabs_temperature_onboard" +
      labels + "40\n" + "habanalabs_temperature_onchip" + labels + "43\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].vendor == Vendor::habana);
  CHECK(samples[0].uuid == "01P0-HL2000A0-14");
  CHECK(samples[0].index == 3);
  CHECK(samples[0].measures.utilization == 0.64);
  CHECK(samples[0].measures.kind == UtilizationKind::core);
  CHECK(samples[0].measures.memory_used_bytes == 1000);
  CHECK(samples[0].measures.memory_total_bytes == 4000);
  CHECK(samples[0].measures.power_watts == 103.5);
  CHECK(samples[0].measures.power_limit_watts == 600);
  CHECK(samples[0].measures.temperature_celsius == 43);
  REQUIRE(samples[0].owners.size() == 1);
  CHECK(samples[0].owners[0].ns == "ml");
  CHECK(samples[0].owners[0].pod == "train-0");
  CHECK_FALSE(gpu::telemetry::is_known_metric("habanalabs_temperature_threshold_shutdown"));
}

TEST_CASE("a card's total is what is told, and the board's temperature stands in for the chip's") {
  const auto samples = samples_in(
      "habanalabs_memory_total_bytes{UUID=\"u\"} 5000\n"
      "habanalabs_memory_used_bytes{UUID=\"u\"} 1000\n"
      "habanalabs_memory_free_bytes{UUID=\"u\"} 3000\n"
      "habanalabs_temperature_onboard{UUID=\"u\"} 40\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_total_bytes == 5000);
  CHECK(samples[0].measures.temperature_celsius == 40);
}

TEST_CASE("Gaudi cards without a UUID are known by serial number or index") {
  const auto samples = samples_in(
      "habanalabs_utilization{Serial=\"AN1\",device=\"AN1\"} 1\n"
      "habanalabs_utilization{Serial=\"AN2\",device=\"AN2\"} 2\n"
      "habanalabs_utilization{device=\"7\"} 3\n"
      "habanalabs_utilization 4\n");
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].uuid == "AN1");
  CHECK(samples[1].uuid == "AN2");
  CHECK(samples[2].index == 7);
}

TEST_CASE("where a scrape names the exporter's pod, Gaudi's owner is still pod_name") {
  const std::string scrape = "pod=\"habana-metric-exporter-x\",namespace=\"monitoring\"";
  const auto samples =
      samples_in("habanalabs_utilization{UUID=\"a\",pod_name=\"t\",pod_namespace=\"ml\"," + scrape +
                     "} 1\n" + "habanalabs_utilization{UUID=\"b\"," + scrape + "} 2\n",
                 asked());
  REQUIRE(samples.size() == 2);
  REQUIRE(samples[0].owners.size() == 1);
  CHECK(samples[0].owners[0].pod == "t");
  CHECK(samples[0].exporter == "monitoring/habana-metric-exporter-x");
  CHECK(samples[1].owners.empty());
}

}  // namespace dialects_gaudi_test
