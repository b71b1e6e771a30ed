#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "telemetry/dialects/told.hpp"

namespace dialects_hami_test {

using namespace gpu;
using telemetry::told::case_text;
using telemetry::told::samples_in;

namespace {

Sample only(std::string_view text, const telemetry::Origin& origin = telemetry::told::scraped()) {
  const std::vector<Sample> samples = samples_in(text, origin);
  REQUIRE(samples.size() == 1);
  return samples.front();
}

bool suspects(const Sample& sample, std::string_view what) {
  return std::any_of(sample.suspect.begin(), sample.suspect.end(),
                     [&](const std::string& text) { return text.find(what) != std::string::npos; });
}

}  // namespace

TEST_CASE("case 10: HAMi's old names") {
  const Sample sample = only(case_text("10-hami-legacy-monitor.prom"));
  CHECK(sample.vendor == Vendor::nvidia);
  CHECK(sample.uuid == "GPU-a0000000-1111-2222-3333-000000000001");
  CHECK(sample.index == 0);
  CHECK(sample.measures == Measures{.utilization = 0, .memory_used_bytes = 287244288});
  REQUIRE(sample.owners.size() == 1);
  const SampleOwner& owner = sample.owners[0];
  CHECK(owner.ns == "default");
  CHECK(owner.pod == "share-0");
  CHECK(owner.container == "main");
  CHECK(owner.share == "0");
  CHECK(owner.own.utilization == 0.99);
  CHECK(owner.own.memory_used_bytes == 2109867008);
  CHECK(owner.own.memory_total_bytes == 314572800);  // the limit; it may be exceeded
  // Both are shown; its last kernel 80,450 s ago does not go with a use of 99 %.
  CHECK(owner.own.idle_for == std::nullopt);
  CHECK(suspects(sample, "use of a container and of its card contradict each other"));
  CHECK(suspects(sample, "reported to be busy, and to have run nothing"));
  CHECK(sample.doubts.empty());
}

TEST_CASE("HAMi's new names: utilization is per cent, whatever they say") {
  const Sample sample = only(
      R"(hami_host_gpu_utilization_ratio{node="n1",device_index="1",device_uuid="GPU-b",device_type="NVIDIA-A10"} 37
hami_host_gpu_memory_used_bytes{device_index="1",device_uuid="GPU-b",device_type="NVIDIA-A10"} 4294967296
hami_host_gpu_memory_total_bytes{device_index="1",device_uuid="GPU-b",device_type="NVIDIA-A10"} 24146608128
hami_host_gpu_temperature_celsius{device_index="1",device_uuid="GPU-b"} 42
hami_host_gpu_power_usage_watts{device_index="1",device_uuid="GPU-b"} 113
hami_container_device_utilization_ratio{namespace="ml",pod="a",container="main",vdevice_index="0",device_uuid="GPU-b"} 0
hami_vgpu_memory_used_bytes{namespace="ml",pod="a",container="main",vdevice_index="0",device_uuid="GPU-b"} 1000
hami_vgpu_memory_limit_bytes{namespace="ml",pod="a",container="main",vdevice_index="0",device_uuid="GPU-b"} 4000
hami_container_last_kernel_elapsed_seconds{namespace="ml",pod="a",container="main",vdevice_index="0",device_uuid="GPU-b"} 7200
hami_gpu_memory_allocated_bytes{node="n1",device_uuid="GPU-b"} 9
)");
  CHECK(sample.index == 1);
  CHECK(sample.product == "NVIDIA-A10");
  CHECK(sample.measures == Measures{.utilization = 0.37,
                                    .memory_used_bytes = 4294967296,
                                    .memory_total_bytes = 24146608128,
                                    .temperature_celsius = 42,
                                    .power_watts = 113});
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners[0].own == Measures{.utilization = 0,
                                         .memory_used_bytes = 1000,
                                         .memory_total_bytes = 4000,
                                         .idle_for = std::chrono::seconds(7200)});
  CHECK(sample.doubts.empty());
}

TEST_CASE("what containers of one pod use adds up, where all is known") {
  const std::string first =
      R"(hami_vgpu_memory_used_bytes{namespace="ml",pod="a",container="one",vdevice_index="0",device_uuid="GPU-b"} 1000
)";
  const std::string second =
      R"(hami_vgpu_memory_used_bytes{namespace="ml",pod="a",container="two",vdevice_index="1",device_uuid="GPU-b"} 500
)";
  const std::string no_memory =
      R"(hami_container_device_utilization_ratio{namespace="ml",pod="a",container="two",vdevice_index="1",device_uuid="GPU-b"} 5
)";
  CHECK(only(first + second).owners.at(0).own.memory_used_bytes == 1500);
  CHECK(only(first + no_memory).owners.at(0).own.memory_used_bytes == std::nullopt);
}

TEST_CASE("the pod that Prometheus scrapes is no owner beside HAMi's own labels") {
  const Sample sample = only(
      R"(HostCoreUtilization{deviceidx="0",deviceuuid="GPU-b",pod="hami-device-plugin-x",namespace="kube-system",container="vgpu-monitor",instance="10.0.0.1:9394",node="n7"} 7
Device_utilization_desc_of_container{ctrname="main",deviceuuid="GPU-b",podname="share-0",podnamespace="ml",vdeviceid="0",pod="hami-device-plugin-x",namespace="kube-system",container="vgpu-monitor",instance="10.0.0.1:9394",node="n7"} 7
)",
      telemetry::told::asked());
  CHECK(sample.node == "n7");
  CHECK(sample.exporter == "kube-system/hami-device-plugin-x");
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners[0].ns == "ml");
  CHECK(sample.owners[0].pod == "share-0");
  CHECK(sample.owners[0].container == "main");
}

TEST_CASE("HAMi names devices of other makers too") {
  CHECK(only(R"(hami_host_gpu_utilization_ratio{device_uuid="u",device_type="Ascend910B"} 1)")
            .vendor == Vendor::other);
  CHECK(only(R"(hami_host_gpu_utilization_ratio{device_uuid="u",device_type="AMD Radeon"} 1)")
            .vendor == Vendor::amd);
}

}  // namespace dialects_hami_test
