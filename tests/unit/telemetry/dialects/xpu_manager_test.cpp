#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_xpu_manager_test {

using gpu::Sample;
using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::told::asked;
using gpu::telemetry::told::samples_in;

namespace {

const std::string kCard =
    "uuid=\"u1\",dev_name=\"Intel Data Center GPU Max 1550\",pci_bdf=\"0000:4d:00.0\"";

std::string row(const std::string& name, const std::string& more, const std::string& value) {
  return name + "{" + kCard + (more.empty() ? "" : ",") + more + "} " + value + "\n";
}

std::string tile(const std::string& name, int number, const std::string& value) {
  return row(name, "sub_dev=\"" + std::to_string(number) + "\"", value);
}

}  // namespace

TEST_CASE("XPU Manager's ratios are 0 to 1, whatever HELP says") {
  const auto samples = samples_in(
      "# HELP xpum_engine_ratio GPU active time of the elapsed time (in %), per GPU tile\n" +
      row("xpum_engine_ratio", "", "0.42") + row("xpum_memory_used_bytes", "", "1048576") +
      row("xpum_memory_bandwidth_ratio", "", "0.2") + row("xpum_power_watts", "", "211.5") +
      row("xpum_temperature_celsius", "location=\"mem\"", "77") +
      row("xpum_temperature_celsius", "location=\"gpu\"", "55"));
  REQUIRE(samples.size() == 1);
  const Sample& card = samples[0];
  CHECK(card.vendor == Vendor::intel);
  CHECK(card.uuid == "u1");
  CHECK(card.pci_bus_id == "0000:4d:00.0");
  CHECK(card.product == "Intel Data Center GPU Max 1550");
  CHECK(card.measures.utilization == 0.42);
  CHECK(card.measures.kind == UtilizationKind::engine_ratio);
  CHECK(card.measures.dram_active == 0.2);
  CHECK(card.measures.memory_used_bytes == 1048576);
  CHECK_FALSE(card.measures.memory_total_bytes);
  CHECK(card.measures.power_watts == 211.5);
  CHECK(card.measures.temperature_celsius == 55);
  CHECK(card.doubts.empty());
  const auto percent = samples_in(row("xpum_engine_ratio", "", "42"));
  REQUIRE(percent.size() == 1);
  CHECK_FALSE(percent[0].measures.utilization);
  CHECK(percent[0].doubts.size() == 1);
}

TEST_CASE("without a ratio of the card, its busiest engine group is its use") {
  const auto samples = samples_in(row("xpum_engine_group_ratio", "type=\"copy\"", "0.1") +
                                  row("xpum_engine_group_ratio", "type=\"compute\"", "0.9") +
                                  row("xpum_engine_group_ratio", "type=\"media\"", "0") +
                                  row("xpum_per_engine_ratio", "type=\"compute\"", "0.95"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.utilization == 0.9);
  CHECK(samples[0].doubts.empty());
}

TEST_CASE("tiles of a card: their memory adds up, their power does not, the hottest counts") {
  const auto samples = samples_in(
      row("xpum_engine_ratio", "", "0.5") + tile("xpum_engine_ratio", 0, "0.2") +
      tile("xpum_engine_ratio", 1, "0.8") + row("xpum_power_watts", "", "400") +
      tile("xpum_power_watts", 0, "150") + tile("xpum_power_watts", 1, "160") +
      tile("xpum_memory_used_bytes", 0, "1000") + tile("xpum_memory_used_bytes", 1, "500") +
      row("xpum_temperature_celsius", "location=\"gpu\",sub_dev=\"0\"", "50") +
      row("xpum_temperature_celsius", "location=\"gpu\",sub_dev=\"1\"", "60"));
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].partition.empty());
  CHECK(samples[0].measures.utilization == 0.5);
  CHECK(samples[0].measures.power_watts == 400);
  CHECK(samples[0].measures.memory_used_bytes == 1500);
  CHECK(samples[0].measures.temperature_celsius == 60);
  CHECK(samples[0].doubts.empty());
  CHECK(samples[1].partition == "0");
  CHECK(samples[1].measures.utilization == 0.2);
  CHECK(samples[1].measures.power_watts == 150);
  CHECK(samples[1].measures.memory_used_bytes == 1000);
  CHECK(samples[2].partition == "1");
  CHECK(samples[2].measures.temperature_celsius == 60);
}

TEST_CASE("of a card of which only tiles are told, power is unknown") {
  const auto samples =
      samples_in(tile("xpum_power_watts", 0, "150") + tile("xpum_power_watts", 1, "160") +
                 tile("xpum_memory_used_bytes", 0, "1000") + tile("xpum_engine_ratio", 1, "0.3"));
  REQUIRE(samples.size() == 3);
  CHECK_FALSE(samples[0].measures.power_watts);
  CHECK_FALSE(samples[0].measures.memory_used_bytes);  // of tile 1 nothing is known
  CHECK(samples[0].measures.utilization == 0.3);
}

TEST_CASE("a single tile is the card") {
  const auto samples =
      samples_in(row("xpum_power_watts", "", "120") + tile("xpum_engine_ratio", 0, "0.3") +
                 tile("xpum_memory_used_bytes", 0, "77"));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].partition.empty());
  CHECK(samples[0].measures.utilization == 0.3);
  CHECK(samples[0].measures.memory_used_bytes == 77);
  CHECK(samples[0].measures.power_watts == 120);
}

TEST_CASE("sums over a physical card of several GPUs are of no device") {
  CHECK(samples_in("xpum_power_watts{node=\"n1\",card=\"2147483649\"} 800\n").empty());
}

TEST_CASE("XPU Manager names owners in labels of its own, and a scraped pod is none") {
  const std::string kube = "kube_pod=\"train-0\",kube_namespace=\"ml\",kube_container=\"main\"";
  const std::string scrape = "pod=\"intel-xpumanager-x\",namespace=\"monitoring\",node=\"n7\"";
  for (const std::string& more : {kube, kube + "," + scrape}) {
    const auto samples = samples_in(row("xpum_engine_ratio", more, "0.5"), asked());
    REQUIRE(samples.size() == 1);
    REQUIRE(samples[0].owners.size() == 1);
    CHECK(samples[0].owners[0].pod == "train-0");
    CHECK(samples[0].owners[0].ns == "ml");
    CHECK(samples[0].owners[0].container == "main");
  }
  const auto nobody = samples_in(row("xpum_engine_ratio", scrape, "0.5"), asked());
  REQUIRE(nobody.size() == 1);
  CHECK(nobody[0].owners.empty());
  CHECK(nobody[0].node == "n7");
}

}  // namespace dialects_xpu_manager_test
