#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/told.hpp"

namespace dialects_nvidia_smi_exporter_test {

using namespace gpu;
using telemetry::told::case_text;
using telemetry::told::samples_in;

TEST_CASE("case 11: nvidia_gpu_exporter on a MIG card") {
  const std::vector<Sample> samples = samples_in(case_text("11-nvidia-gpu-exporter-mig.prom"));
  REQUIRE(samples.size() == 1);
  const Sample& card = samples[0];
  CHECK(same_uuid(card.uuid, "GPU-A0000000-1111-2222-3333-000000000001"));
  CHECK(card.index == 0);
  CHECK(card.product == "NVIDIA H100 80GB HBM3");
  CHECK(card.pci_bus_id == "00000000:00:09.0");
  CHECK(card.measures == Measures{.memory_used_bytes = 11665408000,
                                  .memory_total_bytes = 85520809984,
                                  .temperature_celsius = 53,
                                  .power_watts = 433.78});
  CHECK(card.owners.empty());
  CHECK(card.doubts.empty());
}

TEST_CASE("a card without MIG, and what is in force of its limits") {
  const std::vector<Sample> samples = samples_in(R"(nvidia_smi_utilization_gpu_ratio{uuid="a"} 0.97
nvidia_smi_utilization_memory_ratio{uuid="a"} 0.4
nvidia_smi_power_limit_watts{uuid="a"} 700
nvidia_smi_enforced_power_limit_watts{uuid="a"} 500
nvidia_smi_mig_mode_current{uuid="a"} 0
nvidia_smi_last_collect_success 1
)");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures == Measures{.utilization = 0.97, .power_limit_watts = 500});
}

TEST_CASE("MIG instances of nvidia_gpu_exporter") {
  const std::vector<Sample> samples = samples_in(R"(nvidia_smi_utilization_gpu_ratio{uuid="a"} 0
nvidia_smi_mig_mode_current{uuid="a"} 1
nvidia_smi_mig_info{uuid="a",mig_uuid="MIG-1",gpu_instance_id="3",compute_instance_id="0",profile="1g.10gb"} 1
nvidia_smi_mig_memory_used_bytes{uuid="a",gpu_instance_id="3"} 1000
nvidia_smi_mig_memory_total_bytes{uuid="a",gpu_instance_id="3"} 4000
nvidia_smi_mig_graphics_activity_ratio{uuid="a",gpu_instance_id="3"} 0.6
nvidia_smi_mig_sm_activity_ratio{uuid="a",gpu_instance_id="3"} 0.5
nvidia_smi_mig_tensor_activity_ratio{uuid="a",gpu_instance_id="3"} 0.2
)");
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures == Measures{});
  CHECK(samples[1].mig_instance == "3");
  CHECK(samples[1].profile == "1g.10gb");
  CHECK(samples[1].measures == Measures{.utilization = 0.6,
                                        .kind = UtilizationKind::engine_active,
                                        .sm_active = 0.5,
                                        .tensor_active = 0.2,
                                        .memory_used_bytes = 1000,
                                        .memory_total_bytes = 4000});
}

TEST_CASE("a collection that failed leaves nothing to show") {
  const std::vector<Sample> samples = samples_in(R"(nvidia_smi_utilization_gpu_ratio{uuid="a"} 0.97
nvidia_smi_last_collect_success 0
)");
  REQUIRE(samples.size() == 1);
  CHECK(samples[0].measures == Measures{});
  CHECK(samples[0].doubts ==
        std::vector<std::string>{"the exporter says that it could not read the GPUs"});
}

TEST_CASE("of several exporters in an answer only the failing one is not shown") {
  const std::vector<Sample> samples =
      samples_in(R"(nvidia_smi_utilization_gpu_ratio{uuid="a",instance="10.0.0.1:9835"} 0.97
nvidia_smi_utilization_gpu_ratio{uuid="b",instance="10.0.0.2:9835"} 0.5
nvidia_smi_last_collect_success{instance="10.0.0.1:9835"} 0
nvidia_smi_last_collect_success{instance="10.0.0.2:9835"} 1
)",
                 telemetry::told::asked());
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures.utilization == std::nullopt);
  CHECK(samples[1].measures.utilization == 0.5);
}

}  // namespace dialects_nvidia_smi_exporter_test
