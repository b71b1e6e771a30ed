#include <catch2/catch.hpp>

#include "telemetry/dialects/told.hpp"

namespace dialects_neuron_test {

using gpu::Sample;
using gpu::UtilizationKind;
using gpu::Vendor;
using gpu::telemetry::Series;
using gpu::telemetry::told::asked;
using gpu::telemetry::told::case_text;
using gpu::telemetry::told::samples_in;
using gpu::telemetry::told::series_in;

namespace {

std::string memory_of_core_0(int parts) {
  const char* const kParts[] = {"constants", "model_code", "model_shared_scratchpad",
                                "runtime_memory", "tensors"};
  std::string text;
  for (int i = 0; i < parts; ++i)
    text += std::string("neuroncore_memory_usage_") + kParts[i] +
            "{neuroncore=\"0\",memory_location=\"None\",runtime_tag=\"367\"} 1000\n";
  return text;
}

}  // namespace

TEST_CASE("case 13: one NeuronCore, a ratio, no pod, and times that are no counts") {
  const std::string text = case_text("13-aws-neuron-monitor.prom");
  const auto series = series_in(text);
  REQUIRE(series.size() == 6);
  CHECK(series[4].name == "system_memory_total_bytes");
  CHECK(series[4].value == 532523487232.0);
  CHECK(series[5].name == "hardware_ecc_events_total");
  CHECK(series[5].value == 864);
  CHECK_FALSE(gpu::telemetry::is_known_metric("execution_errors_created"));
  CHECK_FALSE(gpu::telemetry::is_known_metric("system_memory_total_bytes"));

  const auto samples = samples_in(text);
  REQUIRE(samples.size() == 1);
  const Sample& core = samples[0];
  CHECK(core.vendor == Vendor::aws);
  CHECK(core.partition == "0");
  CHECK(core.node == "n1");
  CHECK(core.measures.utilization == 0.1);
  CHECK(core.measures.kind == UtilizationKind::core);
  CHECK(core.owners.empty());
  // What the runtime holds of the host's memory is not the device's.
  CHECK_FALSE(core.measures.memory_used_bytes);
  CHECK_FALSE(core.index);
}

TEST_CASE("a NeuronCore's ratio above 1 is not believed") {
  auto samples = samples_in("neuroncore_utilization_ratio{neuroncore=\"0\"} 86.3\n");
  REQUIRE(samples.size() == 1);
  CHECK_FALSE(samples[0].measures.utilization);
  CHECK(samples[0].doubts.size() == 1);
  samples = samples_in("neuroncore_utilization_ratio{neuroncore=\"0\"} 0.8633101879976985\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.utilization == 0.8633101879976985);
}

TEST_CASE("memory of a NeuronCore is the sum of all its parts, or unknown") {
  auto samples = samples_in(memory_of_core_0(5));
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_used_bytes == 5000);
  samples = samples_in(memory_of_core_0(4));
  REQUIRE(samples.size() == 1);
  CHECK_FALSE(samples[0].measures.memory_used_bytes);
}

TEST_CASE("memory of a runtime is of no core") {
  const auto samples = samples_in(
      "neuron_runtime_memory_used_bytes{memory_location=\"neuron_device\",runtime_tag=\"1\"} "
      "63118912\n"
      "neuron_runtime_memory_used_bytes{memory_location=\"host\",runtime_tag=\"1\"} 1127288832\n"
      "neuroncore_utilization_ratio{neuroncore=\"0\",runtime_tag=\"1\"} 0.5\n"
      "neuroncore_utilization_ratio{neuroncore=\"1\",runtime_tag=\"1\"} 0\n");
  REQUIRE(samples.size() == 2);
  CHECK_FALSE(samples[0].measures.memory_used_bytes);
  CHECK_FALSE(samples[1].measures.memory_used_bytes);
  CHECK(samples[1].measures.utilization == 0.0);
}

TEST_CASE("cores are on devices as the hardware's description says, each instance its own") {
  const auto samples = samples_in(
      "neuron_hardware_info{instance_id=\"i-a\",neuroncore_per_device_count=\"2\",instance=\"a:1\"}"
      " 1\n"
      "neuron_hardware_info{instance_id=\"i-b\",neuroncore_per_device_count=\"4\",instance=\"b:1\"}"
      " 1\n"
      "neuroncore_utilization_ratio{neuroncore=\"5\",instance_id=\"i-a\",instance=\"a:1\"} 0.5\n"
      "neuroncore_utilization_ratio{neuroncore=\"5\",instance_id=\"i-b\",instance=\"b:1\"} 0.6\n"
      "neuroncore_utilization_ratio{neuroncore=\"5\",instance_id=\"i-c\",instance=\"c:1\"} 0.7\n",
      asked());
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].index == 2);
  CHECK(samples[0].instance == "a:1");
  CHECK(samples[0].measures.utilization == 0.5);
  CHECK(samples[1].index == 1);
  CHECK_FALSE(samples[2].index);
}

TEST_CASE("a device is told of when all of its cores are") {
  const std::string hardware = "neuron_hardware_info{neuroncore_per_device_count=\"2\"} 1\n";
  const std::string first = "neuroncore_utilization_ratio{neuroncore=\"2\"} 0.5\n";
  const std::string second = "neuroncore_utilization_ratio{neuroncore=\"3\"} 1\n";
  const auto whole = samples_in(hardware + first + second);
  REQUIRE(whole.size() == 3);
  CHECK(whole[0].partition == "2");
  CHECK(whole[0].index == 1);
  CHECK(whole[1].partition == "3");
  CHECK(whole[2].partition.empty());
  CHECK(whole[2].index == 1);
  CHECK(whole[2].measures.utilization == 0.75);
  CHECK_FALSE(whole[2].measures.memory_used_bytes);
  CHECK(samples_in(hardware + first).size() == 1);
  CHECK(samples_in(first + second).size() == 2);  // nobody says how many cores there are
  CHECK(
      samples_in(hardware + first + "neuroncore_utilization_ratio{neuroncore=\"3\"} 86\n").size() ==
      2);
}

TEST_CASE("a part of a core's memory that is told twice counts once, of each runtime") {
  std::string text = memory_of_core_0(5);
  text += "neuroncore_memory_usage_tensors{neuroncore=\"0\",runtime_tag=\"367\",job=\"b\"} 1000\n";
  auto samples = samples_in(text);
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_used_bytes == 5000);
  samples =
      samples_in(text + "neuroncore_memory_usage_tensors{neuroncore=\"0\",runtime_tag=\"9\"} 70\n");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures.memory_used_bytes == 5070);
}

TEST_CASE("a pod in labels of a scraped Neuron monitor is the monitor's") {
  const auto samples = samples_in(
      "neuroncore_utilization_ratio{neuroncore=\"0\",pod=\"neuron-monitor-x\",namespace=\"kube-"
      "system\",instance=\"a:8000\"} 0.5\n",
      asked());
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].owners.empty());
}

}  // namespace dialects_neuron_test
