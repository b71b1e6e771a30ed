#include "telemetry/dialects/nvidia_smi_xml.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "telemetry/dialects/told.hpp"

namespace dialects_nvidia_smi_xml_test {

using namespace gpu;
using telemetry::Origin;
using telemetry::samples_of_nvidia_smi;
using telemetry::told::case_text;

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;
const Origin kOrigin{.source = MetricSource::exec,
                     .exporter = "gpu-operator/nvidia-driver-daemonset-x",
                     .node = "n1",
                     .read_at = Time(std::chrono::seconds(1'800'000'000))};

std::vector<Sample> samples_in(const std::string& xml) {
  return samples_of_nvidia_smi(xml, kOrigin);
}

/// A text of one card, with `more` in it.
std::string card(const std::string& more) {
  return "<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu id=\"0\"><uuid>GPU-a</uuid>" + more +
         "</gpu></nvidia_smi_log>";
}

Sample only(const std::string& xml) {
  const std::vector<Sample> samples = samples_in(xml);
  REQUIRE(samples.size() == 1);
  return samples[0];
}

std::string problem_of(const std::string& xml) {
  try {
    samples_in(xml);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.message();
  }
  return {};
}

}  // namespace

TEST_CASE("a real H100 under load") {
  const Sample loaded = only(case_text("../nvidia-smi/h100-load.xml"));
  CHECK(loaded == Sample{.source = MetricSource::exec,
                         .exporter = "gpu-operator/nvidia-driver-daemonset-x",
                         .node = "n1",
                         .uuid = "GPU-11111111-2222-3333-4444-555555555555",
                         .index = 0,
                         .pci_bus_id = "00000000:00:06.0",
                         .product = "NVIDIA H100 80GB HBM3",
                         .measures = {.utilization = 1.0,
                                      .memory_used_bytes = 20527 * kMiB,
                                      .memory_total_bytes = 81559 * kMiB,
                                      .temperature_celsius = 41,
                                      .power_watts = 278.94,
                                      .power_limit_watts = 700},
                         .at = kOrigin.read_at});
}

TEST_CASE("a real H100 that is idle") {
  const Sample idle = only(case_text("../nvidia-smi/h100-idle.xml"));
  CHECK(idle.measures.utilization == 0.0);
  CHECK(idle.measures.memory_total_bytes == 81559 * kMiB);
  CHECK(idle.measures.power_limit_watts == 700);
  CHECK(idle.doubts.empty());
}

TEST_CASE("case 21: a card with MIG instances, of four of which one is listed") {
  const std::vector<Sample> samples = samples_in(case_text("21-nvidia-smi-mig-v12.xml"));
  REQUIRE(samples.size() == 3);
  const std::string uuid = "GPU-a0000000-1111-2222-3333-000000000001";
  CHECK(samples[0].uuid == uuid);
  CHECK(samples[0].mig_instance.empty());
  CHECK_FALSE(samples[0].index.has_value());
  CHECK(samples[0].measures == Measures{.memory_used_bytes = 50 * kMiB,
                                        .memory_total_bytes = 81920 * kMiB,
                                        .temperature_celsius = 27,
                                        .power_watts = 67.03,
                                        .power_limit_watts = 500});
  CHECK(samples[0].doubts == std::vector<std::string>{"nvidia-smi lists 1 of 4 GPUs"});
  const Measures instance{.memory_used_bytes = 12 * kMiB, .memory_total_bytes = 19968 * kMiB};
  for (const std::size_t i : {1U, 2U}) {
    CHECK(samples[i].uuid == uuid);
    CHECK(samples[i].mig_instance == (i == 1 ? "3" : "4"));
    CHECK(samples[i].measures == instance);
    CHECK(samples[i].doubts.empty());
  }
}

TEST_CASE("power stands elsewhere in older and newer drivers") {
  CHECK(
      only(card("<power_readings><power_draw>30.98 W</power_draw><power_limit>70.00 W</power_limit>"
                "<enforced_power_limit>60.00 W</enforced_power_limit></power_readings>"))
          .measures == Measures{.power_watts = 30.98, .power_limit_watts = 60});
  CHECK(only(card("<gpu_power_readings><average_power_draw>N/A</average_power_draw>"
                  "<instant_power_draw>80 W</instant_power_draw></gpu_power_readings>"
                  "<module_power_readings><power_draw>500 W</power_draw></module_power_readings>"))
            .measures == Measures{.power_watts = 80});
}

TEST_CASE("what nvidia-smi does not know is no value") {
  for (const char* nothing : {"N/A", "[N/A]", "Not Supported", "[Not Supported]", "", "None"}) {
    const Sample sample =
        only(card("<utilization><gpu_util>" + std::string(nothing) + "</gpu_util></utilization>"));
    CHECK(sample.measures == Measures{});
    CHECK(sample.doubts.empty());
    CHECK(sample.at == kOrigin.read_at);
  }
}

TEST_CASE("what cannot be true is a doubt and no value") {
  const auto told = [](const std::string& text) {
    return only(card("<utilization><gpu_util>" + text + "</gpu_util></utilization>"));
  };
  for (const char* text :
       {"ERR!", "Unknown Error", "97", "97 MiB", "97%", "1_0 %", "0x1 %", "GPU is lost"}) {
    CHECK_FALSE(told(text).measures.utilization.has_value());
    CHECK(told(text).doubts ==
          std::vector<std::string>{"utilization/gpu_util is `" + std::string(text) + "`"});
  }
  CHECK_FALSE(told("101 %").measures.utilization.has_value());
  CHECK(told("101 %").doubts.size() == 1);
  const Sample full =
      only(card("<fb_memory_usage><total>10 MiB</total><used>11 MiB</used>"
                "</fb_memory_usage>"));
  CHECK(full.measures == Measures{});
  CHECK(full.doubts.size() == 1);
}

TEST_CASE("utilization of a card with MIG is not taken, and neither is that of a process") {
  CHECK(only(card("<mig_mode><current_mig>Enabled</current_mig></mig_mode>"
                  "<utilization><gpu_util>5 %</gpu_util></utilization>"))
            .measures == Measures{});
  CHECK(only(card("<processes><process_info><gpu_instance_id>3</gpu_instance_id><used_memory>5 MiB"
                  "</used_memory></process_info></processes>"))
            .mig_instance.empty());
}

TEST_CASE("compute instances of one GPU instance are one sample") {
  const std::string instance =
      "<mig_device><gpu_instance_id>2</gpu_instance_id><fb_memory_usage><used>7 MiB</used>"
      "</fb_memory_usage></mig_device>";
  const std::vector<Sample> samples =
      samples_in(card("<mig_devices>" + instance + instance + "</mig_devices>"));
  REQUIRE(samples.size() == 2);
  CHECK(samples[1].mig_instance == "2");
  CHECK(samples[1].measures.memory_used_bytes == 7 * kMiB);
}

TEST_CASE("a card without identity is no sample") {
  CHECK(samples_in("<nvidia_smi_log><gpu><uuid>ERR!</uuid></gpu></nvidia_smi_log>").empty());
  CHECK(samples_in("<nvidia_smi_log><attached_gpus>0</attached_gpus></nvidia_smi_log>").empty());
}

TEST_CASE("other texts are refused") {
  CHECK(problem_of("<html><body/></html>") == "its root is not <nvidia_smi_log>");
  const std::string text = case_text("../nvidia-smi/h100-load.xml");
  CHECK_FALSE(problem_of(text.substr(0, text.size() / 2)).empty());
  std::string many = "<nvidia_smi_log>";
  for (int i = 0; i < 1025; ++i) many += "<gpu/>";
  CHECK(problem_of(many + "</nvidia_smi_log>") == "it reports more than 1024 devices");
}

}  // namespace dialects_nvidia_smi_xml_test
