#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "telemetry/dialects/told.hpp"

namespace dialects_dcgm_test {

using namespace gpu;
using telemetry::Origin;
using telemetry::told::case_text;
using telemetry::told::samples_in;

namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;

/// Labels of GPU 0, an A100, without the braces.
constexpr std::string_view kCard = R"(gpu="0",UUID="GPU-a",modelName="NVIDIA A100")";

/// A line of GPU 0.
std::string line(std::string_view metric, std::string_view value, std::string_view labels = "") {
  std::string text = std::string(metric) + "{" + std::string(kCard);
  if (!labels.empty()) text += "," + std::string(labels);
  return text + "} " + std::string(value) + "\n";
}

/// The only device of a text.
Sample only(std::string_view text, const Origin& origin = telemetry::told::scraped()) {
  const std::vector<Sample> samples = samples_in(text, origin);
  REQUIRE(samples.size() == 1);
  return samples.front();
}

std::vector<std::string> pods_of(const Sample& sample) {
  std::vector<std::string> pods;
  for (const SampleOwner& owner : sample.owners) pods.push_back(owner.ns + "/" + owner.pod);
  return pods;
}

bool doubts(const Sample& sample, std::string_view what) {
  return std::any_of(sample.doubts.begin(), sample.doubts.end(), [&](const std::string& doubt) {
    return doubt.find(what) != std::string::npos;
  });
}

using Pods = std::vector<std::string>;

}  // namespace

TEST_CASE("case 01: whole cards") {
  const std::vector<Sample> samples = samples_in(case_text("01-dcgm-whole-gpu.prom"));
  REQUIRE(samples.size() == 2);
  const Sample& busy = samples[0];
  CHECK(busy.node == "n1");  // of the scraped pod; Hostname is no node
  CHECK(busy.host == "dcgm-exporter-aaaaa");
  CHECK(busy.exporter == "exporters/one");
  CHECK(busy.uuid == "GPU-a0000000-1111-2222-3333-000000000001");
  CHECK(busy.index == 0);
  CHECK(busy.product == "NVIDIA H100 80GB HBM3");
  CHECK(busy.measures.utilization == 0.97);
  CHECK(busy.measures.kind == UtilizationKind::kernel_time);
  CHECK(busy.measures.memory_used_bytes == 40000 * kMebibyte);
  CHECK(busy.measures.memory_total_bytes == 81037 * kMebibyte);
  CHECK(busy.measures.power_watts == 302.206);
  CHECK(busy.measures.dram_active == std::nullopt);  // MEM_COPY_UTIL is 31
  REQUIRE(pods_of(busy) == Pods{"team-a/trainer-0"});
  CHECK(busy.owners[0].container == "trainer");
  CHECK(busy.owners[0].own == Measures{});
  CHECK(busy.doubts.empty());
  const Sample& idle = samples[1];
  CHECK(idle.index == 1);
  CHECK(idle.measures.utilization == 0);
  CHECK(idle.measures.memory_used_bytes == 0);
  CHECK(idle.measures.memory_total_bytes == 81037 * kMebibyte);
  CHECK(idle.measures.power_watts == 69.512);
  CHECK(idle.owners.empty());
}

TEST_CASE("case 02: empty pod labels are no owner") {
  const std::vector<Sample> samples = samples_in(case_text("02-dcgm-2x-empty-pod-labels.prom"));
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].index == 0);
  CHECK(samples[1].index == 4);
  CHECK(samples[0].product == "NVIDIA TITAN V");
  CHECK(samples[1].measures.utilization == 0.44);
  for (const Sample& sample : samples) {
    CHECK(sample.owners.empty());
    CHECK(sample.measures.memory_used_bytes == std::nullopt);
    CHECK(sample.measures.memory_total_bytes == std::nullopt);
  }
}

TEST_CASE("case 03: names of exporters 1.x") {
  const Sample sample = only(case_text("03-dcgm-1x-lowercase-names.prom"));
  CHECK(sample.measures.utilization == 0);
  CHECK(sample.measures.temperature_celsius == 54);
  CHECK(sample.measures.power_watts == 30.982);
  CHECK(sample.measures.memory_used_bytes == 1000 * kMebibyte);
  CHECK(sample.measures.memory_total_bytes == 15000 * kMebibyte);
}

TEST_CASE("case 04: numbers for no value") {
  const std::vector<Sample> samples = samples_in(case_text("04-dcgm-blank-sentinels.prom"));
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].measures.temperature_celsius == 36);
  CHECK(samples[1].measures.temperature_celsius == 41);
  CHECK(samples[2].measures.temperature_celsius == 0);
  CHECK(samples[2].suspect == std::vector<std::string>{"DCGM_FI_DEV_GPU_TEMP is 0"});
  CHECK(samples[2].doubts.empty());
  CHECK(samples[0].suspect.empty());
  CHECK(samples[0].measures.power_watts == std::nullopt);
  CHECK(samples[1].measures.power_watts == std::nullopt);
  CHECK(doubts(samples[0], "POWER_USAGE is blank"));
  CHECK(doubts(samples[1], "POWER_USAGE is blank"));
  CHECK(samples[2].measures.power_watts == 26.55);
}

TEST_CASE("every blank of DCGM is no value") {
  const std::string blank =
      GENERATE("2147483632", "2147483633", "2147483634", "2147483635", "9223372036854775792",
               "9223372036854775793", "9223372036854775794", "9223372036854775795",
               "9223372036854775808", "9.223372036854776e+18", "140737488355328.0",
               "140737488355331.0", "-9223372036854775808", "NaN", "+Inf", "-Inf");
  CAPTURE(blank);
  std::string text;
  for (const char* metric :
       {"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_TOTAL",
        "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_ENFORCED_POWER_LIMIT",
        "DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_PROF_SM_ACTIVE"})
    text += line(metric, blank);
  const Sample sample = only(text);
  CHECK(sample.measures == Measures{});
  CHECK(sample.doubts.size() == 8);
}

TEST_CASE("what cannot be is no value") {
  struct Row {
    const char* metric;
    const char* value;
  };
  const Row row =
      GENERATE(Row{"DCGM_FI_DEV_GPU_UTIL", "4294967295"}, Row{"DCGM_FI_DEV_GPU_UTIL", "101"},
               Row{"DCGM_FI_DEV_GPU_UTIL", "-1"}, Row{"DCGM_FI_PROF_SM_ACTIVE", "1.02"},
               Row{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "55"}, Row{"DCGM_FI_DEV_GPU_TEMP", "151"},
               Row{"DCGM_FI_DEV_GPU_TEMP", "-51"}, Row{"DCGM_FI_DEV_POWER_USAGE", "5001"},
               Row{"DCGM_FI_DEV_POWER_USAGE", "0"}, Row{"DCGM_FI_DEV_FB_USED", "-5"},
               Row{"DCGM_FI_DEV_XID_ERRORS", "31.5"}, Row{"DCGM_FI_DEV_XID_ERRORS", "-31"});
  CAPTURE(row.metric, row.value);
  const Sample sample = only(line(row.metric, row.value));
  CHECK(sample.measures == Measures{});
  REQUIRE(sample.doubts.size() == 1);
  CHECK(sample.doubts[0] == std::string(row.metric) + " is " + row.value + ": not credible");
}

TEST_CASE("a percentage that is written as a ratio is not believed") {
  const Sample sample = only(line("DCGM_FI_DEV_GPU_UTIL_RATIO", "0.97"));
  CHECK(sample.measures == Measures{});
  CHECK(doubts(sample, "GPU_UTIL_RATIO is no whole percentage"));
  CHECK(only(line("DCGM_FI_DEV_GPU_UTIL_RATIO", "1")).measures.utilization == 0.01);
}

TEST_CASE("a ratio slightly above 1 is 1") {
  CHECK(only(line("DCGM_FI_PROF_SM_ACTIVE", "1.004")).measures.sm_active == 1.0);
}

TEST_CASE("every name of a metric means the same") {
  struct Row {
    const char* name;
    const char* value;
    Measures measures;
  };
  const auto row = GENERATE(
      Row{"DCGM_FI_DEV_GPU_UTIL_RATIO", "55", {.utilization = 0.55}},  // stays per cent
      Row{"dcgm_fi_dev_gpu_util", "55", {.utilization = 0.55}},
      Row{"dcgm_gpu_utilization", "55", {.utilization = 0.55}},
      Row{"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO",
          "0.5",
          {.utilization = 0.5, .kind = UtilizationKind::engine_active}},
      Row{"dcgm_fi_prof_gr_engine_active",
          "0.5",
          {.utilization = 0.5, .kind = UtilizationKind::engine_active}},
      Row{"DCGM_FI_PROF_SM_UTIL_RATIO", "0.5", {.sm_active = 0.5}},
      Row{"DCGM_FI_PROF_TENSOR_UTIL_RATIO", "0.5", {.tensor_active = 0.5}},
      Row{"dcgm_fi_prof_pipe_tensor_active", "0.5", {.tensor_active = 0.5}},
      Row{"DCGM_FI_PROF_DRAM_UTIL_RATIO", "0.5", {.dram_active = 0.5}},
      Row{"dcgm_fb_used", "3", {.memory_used_bytes = 3 * kMebibyte}},
      Row{"DCGM_FI_DEV_FB_TOTAL", "3", {.memory_total_bytes = 3 * kMebibyte}},
      Row{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "40", {.temperature_celsius = 40}},
      Row{"dcgm_gpu_temp", "40", {.temperature_celsius = 40}},
      Row{"DCGM_FI_DEV_BOARD_POWER_WATTS", "300", {.power_watts = 300}},
      Row{"dcgm_power_usage", "300", {.power_watts = 300}},
      Row{"DCGM_FI_DEV_POWER_USAGE_INSTANT", "300", {.power_watts = 300}},
      Row{"DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", "300", {.power_watts = 300}},
      Row{"DCGM_FI_DEV_POWER_MGMT_LIMIT", "700", {.power_limit_watts = 700}},
      Row{"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "700", {.power_limit_watts = 700}},
      Row{"DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", "700", {.power_limit_watts = 700}},
      Row{"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "700", {.power_limit_watts = 700}},
      Row{"DCGM_FI_DEV_XID_ERROR", "79", {.last_xid = 79}},
      Row{"dcgm_xid_errors", "79", {.last_xid = 79}});
  CAPTURE(row.name);
  CHECK(only(line(row.name, row.value)).measures == row.measures);
}

TEST_CASE("the limit in force counts, and power as it is averaged") {
  const Sample sample =
      only(line("DCGM_FI_DEV_POWER_MGMT_LIMIT", "700") +
           line("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "500") +
           line("DCGM_FI_DEV_POWER_USAGE_INSTANT", "480") + line("DCGM_FI_DEV_POWER_USAGE", "430"));
  CHECK(sample.measures.power_limit_watts == 500);
  CHECK(sample.measures.power_watts == 430);
}

TEST_CASE("memory's total") {
  const std::string used = line("DCGM_FI_DEV_FB_USED", "50");
  const std::string free = line("DCGM_FI_DEV_FB_FREE", "80999");
  const std::string reserved = line("DCGM_FI_DEV_FB_RESERVED", "869");
  CHECK(only(used + free).measures.memory_total_bytes == 81049 * kMebibyte);
  CHECK(only(free + reserved + used).measures.memory_total_bytes == 81918 * kMebibyte);
  const std::string total = line("DCGM_FI_DEV_FB_TOTAL", "81920");
  CHECK(only(used + free + total).measures.memory_total_bytes == 81920 * kMebibyte);
  CHECK(only(used).measures.memory_total_bytes == std::nullopt);
  CHECK(only(free).measures == Measures{});

  // DCGM: used / (total - reserved).
  const Sample ratio = only(line("DCGM_FI_DEV_FB_TOTAL", "81869") + reserved +
                            line("DCGM_FI_DEV_FB_USED_PERCENT", "0.25"));
  CHECK(ratio.measures.memory_used_bytes == 20250 * kMebibyte);

  const Sample wrong = only(line("DCGM_FI_DEV_FB_USED", "90000") + total);
  CHECK(wrong.measures == Measures{});
  CHECK(doubts(wrong, "DCGM_FI_DEV_FB_USED is more than DCGM_FI_DEV_FB_TOTAL"));
}

TEST_CASE("case 05: MIG instances") {
  const std::vector<Sample> samples = samples_in(case_text("05-dcgm-mig-single.prom"));
  REQUIRE(samples.size() == 5);
  const Sample& card = samples[0];
  CHECK(card.mig_instance.empty());
  CHECK(card.profile.empty());
  CHECK(card.product == "NVIDIA A30");
  CHECK(card.measures == Measures{.power_watts = 88.12});  // once, and its own memory is not told
  CHECK(card.owners.empty());
  CHECK(card.doubts.empty());
  Pods owners;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    CHECK(samples[i].uuid == card.uuid);
    CHECK(samples[i].mig_instance == std::to_string(i + 2));
    CHECK(samples[i].profile == "1g.6gb");
    CHECK(samples[i].measures.kind == UtilizationKind::engine_active);
    CHECK(samples[i].measures.power_watts == std::nullopt);
    CHECK(samples[i].measures.temperature_celsius == std::nullopt);
    CHECK(samples[i].measures.memory_total_bytes == std::nullopt);
    for (const std::string& pod : pods_of(samples[i])) owners.push_back(pod);
  }
  CHECK(owners == Pods{"team-b/infer-0", "team-b/infer-1"});
  CHECK(pods_of(samples[1]) == Pods{"team-b/infer-0"});
  CHECK(samples[1].measures.utilization == 0.812345);
  CHECK(samples[1].measures.memory_used_bytes == 3744 * kMebibyte);
  CHECK(samples[2].measures.utilization == 0);
  CHECK(samples[4].measures.memory_used_bytes == 12 * kMebibyte);
}

TEST_CASE("the number of a device file is told where it and the index agree") {
  const auto only = [](const std::string& labels) {
    const std::vector<Sample> samples =
        samples_in("DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-a\"," + labels + "} 1\n");
    REQUIRE(samples.size() == 1);
    return samples.front();
  };
  CHECK(only(R"(gpu="2",device="nvidia2")").minor == 2);
  const Sample other = only(R"(gpu="2",device="nvidia3")");
  CHECK(other.index == 2);
  CHECK_FALSE(other.minor);
  CHECK_FALSE(only(R"(gpu="2")").minor);
  CHECK(only(R"(device="nvidia3")").index == 3);
  CHECK(only(R"(device="nvidia3")").minor == 3);
}

TEST_CASE("GPU_UTIL of a MIG card or instance is never believed") {
  const std::string gi = R"(GPU_I_ID="3",GPU_I_PROFILE="1g.5gb")";
  const std::vector<Sample> samples = samples_in(
      line("DCGM_FI_DEV_GPU_UTIL", "0") + line("DCGM_FI_DEV_GPU_UTIL", "40", gi) +
      line("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "0.3") + line("DCGM_FI_DEV_FB_USED", "100", gi) +
      line("DCGM_FI_DEV_FB_FREE", "900", gi) + line("DCGM_FI_DEV_FB_RESERVED", "24", gi) +
      line("DCGM_FI_DEV_FB_TOTAL", "40960", gi));
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures ==
        Measures{.utilization = 0.3, .kind = UtilizationKind::engine_active});
  CHECK(samples[1].measures.utilization == std::nullopt);
  CHECK(samples[1].measures.memory_total_bytes == 1024 * kMebibyte);
  CHECK(doubts(samples[0], "GPU_UTIL says nothing about MIG"));
  CHECK(samples[0].doubts.size() == 1);
  CHECK(samples[1].doubts.empty());
}

TEST_CASE("engine activity is a mean, and counts before GPU_UTIL, which is a sample") {
  // A card that is busy half the time, caught between two kernels.
  for (const char* const sampled : {"0", "4", "100"}) {
    const Sample half = only(line("DCGM_FI_DEV_GPU_UTIL", sampled) +
                             line("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "0.4855"));
    CHECK(half.measures == Measures{.utilization = 0.4855, .kind = UtilizationKind::engine_active});
    CHECK(half.doubts.empty());
    CHECK(half.suspect.empty());
  }
}

TEST_CASE("how long before it was read a value may have been measured") {
  const auto interval_of = [](const Origin& origin) {
    return only(line("DCGM_FI_DEV_GPU_UTIL", "1"), origin).interval;
  };
  Origin origin = telemetry::told::scraped();
  CHECK(interval_of(origin) == std::chrono::seconds(30));
  origin.interval = std::chrono::milliseconds(1000);
  CHECK(interval_of(origin) == std::chrono::seconds(1));
}

TEST_CASE("case 06: values of a card copied to its pods") {
  const Sample card = only(case_text("06-dcgm-timeslicing-identical.prom"));
  CHECK(card.measures.utilization == 0.714);
  CHECK(card.measures.kind == UtilizationKind::engine_active);
  CHECK(card.measures.power_watts == 68.4);
  CHECK(card.measures.memory_used_bytes == 9120 * kMebibyte);
  REQUIRE(pods_of(card) ==
          Pods{"default/gpu-workload-1", "default/gpu-workload-2", "default/gpu-workload-3"});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(card.owners[i].share == std::to_string(i));
    CHECK(card.owners[i].own == Measures{});
  }
  CHECK(card.doubts.empty());
}

TEST_CASE("case 07: hostname, MIG cards beside a plain one, missing rows") {
  const std::vector<Sample> samples =
      samples_in(case_text("07-dcgm-lowercase-hostname-mixed-node.prom"));
  REQUIRE(samples.size() == 6);
  for (const Sample& sample : samples) CHECK(sample.host == "dcgm-exporter-ddddd");
  CHECK(samples[0].index == 0);
  CHECK(samples[0].mig_instance.empty());
  CHECK(samples[0].measures == Measures{.temperature_celsius = 50});
  CHECK(samples[1].mig_instance == "6");
  CHECK(pods_of(samples[1]) == Pods{"default/server-0"});
  CHECK(samples[1].measures.memory_used_bytes == 3744 * kMebibyte);
  CHECK(samples[2].mig_instance == "3");
  CHECK(pods_of(samples[2]) == Pods{"default/server-2"});
  CHECK(samples[2].measures.memory_used_bytes == std::nullopt);
  CHECK(samples[3].index == 1);
  CHECK(samples[3].product == "NVIDIA RTX 2000 Ada Generation");
  CHECK(samples[3].measures == Measures{.temperature_celsius = 44});
  CHECK(samples[3].owners.empty());
  CHECK(samples[4].index == 2);
  CHECK(samples[4].measures == Measures{.temperature_celsius = 45});
  CHECK(samples[5].mig_instance == "3");
  CHECK(pods_of(samples[5]) == Pods{"default/server-1"});
}

TEST_CASE("case 08: labels as Prometheus stores them") {
  const std::vector<Sample> samples =
      samples_in(case_text("08-prometheus-exported-labels.prom"), telemetry::told::asked());
  REQUIRE(samples.size() == 2);
  for (const Sample& sample : samples) {
    CHECK(sample.exporter == "monitoring/dcgm-exporter-dev-eeeee");
    CHECK(sample.instance == "10.0.0.9:9400");
    CHECK(sample.host == "worker1");
    CHECK(sample.node.empty());
  }
  // Which of the two is current cannot be told from the text alone.
  CHECK(pods_of(samples[0]) == Pods{"default/pod1", "team-c/pod3"});
  CHECK(samples[0].measures.temperature_celsius == 44);
  CHECK(samples[0].suspect ==
        std::vector<std::string>{
            "DCGM_FI_DEV_GPU_TEMP is reported twice and differs: the higher is shown"});
  CHECK(samples[0].doubts.empty());
  CHECK(samples[1].owners.empty());
  CHECK(samples[1].measures.memory_used_bytes == 21383 * kMebibyte);
}

TEST_CASE("case 14: no families") {
  CHECK(samples_in(case_text("14-empty-during-reload.prom")).empty());
}

TEST_CASE("links, switches and processors are no GPUs") {
  CHECK(samples_in(R"(DCGM_FI_DEV_GPU_TEMP{nvswitch="0",Hostname="h"} 40
DCGM_FI_DEV_GPU_TEMP{nvlink="1",gpu="0",gpu_uuid="GPU-a",model_name="x"} 40
DCGM_FI_DEV_GPU_TEMP{cpu="0"} 40
DCGM_FI_DEV_GPU_TEMP{Hostname="h"} 40
)")
            .empty());
}

TEST_CASE("texts for no value in labels are no labels") {
  const Sample sample = only(
      R"(DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="<<<NULL>>>",modelName="<<<NOT_SUPPORTED>>>",pod="<<<NULL>>>",GPU_I_ID="<<<NOT_FOUND>>>"} 40)");
  CHECK(sample.uuid.empty());
  CHECK(sample.product.empty());
  CHECK(sample.owners.empty());
  CHECK(sample.mig_instance.empty());
  CHECK(sample.index == 0);
}

TEST_CASE("names of labels that agents and options make") {
  const std::vector<Sample> samples = samples_in(
      R"(DCGM_FI_DEV_FB_USED{device="nvidia3",uuid="GPU-a",modelname="A30",hostname="h",gpu_i_id="5",gpu_i_profile="1g.6gb",podname="p",namespace="n",container="c"} 1
DCGM_FI_DEV_FB_FREE{device="nvidia3",uuid="gpu-A",gpu_i_id="5",pod_name="p",pod_namespace="n",container_name="c"} 1
)");
  REQUIRE(samples.size() == 2);  // the card, and the instance
  const Sample& sample = samples[1];
  CHECK(sample.index == 3);
  CHECK(sample.uuid == "GPU-a");
  CHECK(sample.product == "A30");
  CHECK(sample.host == "h");
  CHECK(sample.mig_instance == "5");
  CHECK(sample.profile == "1g.6gb");
  CHECK(sample.measures.memory_total_bytes == 2 * kMebibyte);
  REQUIRE(pods_of(sample) == Pods{"n/p"});
  CHECK(sample.owners[0].container == "c");
}

TEST_CASE("the DRA device is kept") {
  const Sample sample = only(line(
      "DCGM_FI_DEV_GPU_UTIL", "5",
      R"(dra_driver_name="gpu.nvidia.com",dra_pool_name="n1",dra_device_name="gpu-0",dra_claim_name="c",dra_claim_namespace="n")"));
  REQUIRE(sample.dra);
  CHECK(*sample.dra == SampleDraDevice{"gpu.nvidia.com", "n1", "gpu-0"});
}

}  // namespace dialects_dcgm_test
