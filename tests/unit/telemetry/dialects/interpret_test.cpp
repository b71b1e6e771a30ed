#include "telemetry/dialects/interpret.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "telemetry/dialects/told.hpp"

namespace dialects_interpret_test {

using namespace gpu;
using std::chrono::seconds;
using telemetry::Origin;
using telemetry::Series;
using telemetry::told::asked;
using telemetry::told::samples_in;

namespace {

constexpr Time kNow{seconds(1790000000)};

Origin asked_now() { return {.source = MetricSource::prometheus, .read_at = kNow}; }

/// A series of GPU 0 on node n1 as Prometheus has it.
Series of_gpu(std::string name, double value, const StringMap& labels = {}) {
  Series series{.name = std::move(name), .value = value};
  series.labels = {{"UUID", "GPU-a"}, {"gpu", "0"}, {"node", "n1"}};
  for (const auto& [label, text] : labels) series.labels.set(label, text);
  return series;
}

StringMap owned_by(std::string pod) {
  return {{"exported_pod", std::move(pod)}, {"exported_namespace", "ml"}};
}

Series at(Series series, Time time) {
  series.at = time;
  return series;
}

Sample only(const std::vector<Series>& series, const Origin& origin = asked_now()) {
  const std::vector<Sample> samples = telemetry::samples_of(series, origin);
  REQUIRE(samples.size() == 1);
  return samples.front();
}

Sample only(std::string_view text, const Origin& origin) {
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

TEST_CASE("known metrics") {
  for (const char* name :
       {"DCGM_FI_DEV_GPU_UTIL", "dcgm_fi_dev_gpu_util", "dcgm_gpu_utilization",
        "DCGM_FI_DEV_GPU_UTIL:avg", "DCGM_FI_DEV_FB_USED:max", "HostCoreUtilization",
        "nvidia_smi_gpu_info", "DCGM_FI_DEV_FB_USED:timestamp", "dcgm_xid_errors:idle_seconds"}) {
    CAPTURE(name);
    CHECK(telemetry::is_known_metric(name));
  }
  for (const char* name : {"", ":avg", "up", "DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_GPU_UTIL2",
                           "x_DCGM_FI_DEV_GPU_UTIL", "accelerator_memory_used_bytes",
                           "accelerator_memory_total_bytes", "DCGM_FI_DEV_GPU_UTIL:sum"}) {
    CAPTURE(name);
    CHECK_FALSE(telemetry::is_known_metric(name));
  }
}

TEST_CASE("every name that queries ask for is known, and stands once") {
  std::vector<std::string_view> names = telemetry::known_metrics();
  REQUIRE(names.size() > 50);
  CHECK(std::all_of(names.begin(), names.end(), telemetry::is_known_metric));
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(std::binary_search(names.begin(), names.end(), "DCGM_FI_DEV_FB_USED"));
  CHECK(std::binary_search(names.begin(), names.end(), "dcgm_fi_dev_fb_used"));
}

TEST_CASE("a text may hold several exporters' metrics") {
  const std::vector<Sample> samples = samples_in(R"(nvidia_smi_temperature_gpu{uuid="a"} 40
up{job="x"} 1
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-a"} 41
HostCoreUtilization{deviceuuid="GPU-a"} 3
)");
  REQUIRE(samples.size() == 3);
  CHECK(samples[0].measures.temperature_celsius == 41);
  CHECK(samples[1].measures.temperature_celsius == 40);
  CHECK(samples[2].measures.utilization == 0.03);
}

TEST_CASE("times: the series', the timestamp beside it, else when it was read") {
  const Time told = kNow - seconds(40);
  CHECK(only({of_gpu("DCGM_FI_DEV_GPU_UTIL", 1)}).at == kNow);
  CHECK(only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 1), told)}).at == told);
  const double unix_time = static_cast<double>(told.time_since_epoch().count());
  const std::vector<Series> both = {of_gpu("DCGM_FI_DEV_GPU_UTIL:timestamp", unix_time),
                                    at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 1), kNow)};
  CHECK(only(both).at == told);
  CHECK(only(both).measures == Measures{.utilization = 0.01});

  // Another series' timestamp, and what is no time, say nothing.
  CHECK(only({of_gpu("DCGM_FI_DEV_GPU_UTIL:timestamp", unix_time, {{"job", "x"}}),
              of_gpu("DCGM_FI_DEV_GPU_UTIL", 1)})
            .at == kNow);
  CHECK(only({of_gpu("DCGM_FI_DEV_GPU_UTIL:timestamp", 1e300), of_gpu("DCGM_FI_DEV_GPU_UTIL", 1)})
            .at == kNow);
  CHECK(only({of_gpu("DCGM_FI_DEV_GPU_UTIL", 1)}, {.source = MetricSource::prometheus}).at ==
        std::nullopt);
}

TEST_CASE("a sample is as old as the oldest measure that it shows") {
  const Sample sample = only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 1), kNow),
                              at(of_gpu("DCGM_FI_DEV_GPU_TEMP", 40), kNow - seconds(300)),
                              at(of_gpu("DCGM_FI_DEV_POWER_USAGE", 90), kNow - seconds(301))});
  CHECK(sample.measures == Measures{.utilization = 0.01, .temperature_celsius = 40});
  CHECK(sample.at == kNow - seconds(300));
  CHECK(doubts(sample, "DCGM_FI_DEV_POWER_USAGE is over 5 minutes older than the rest"));
}

TEST_CASE("memory's parts of two scrapes are no total") {
  const Sample sample = only({at(of_gpu("DCGM_FI_DEV_FB_USED", 10), kNow),
                              at(of_gpu("DCGM_FI_DEV_FB_FREE", 90), kNow - seconds(30))});
  CHECK(sample.measures.memory_total_bytes == std::nullopt);
  CHECK(sample.measures.memory_used_bytes == 10 << 20);
}

TEST_CASE("an owner who changed: the newest series counts, the old owner is gone") {
  // Prometheus shows the old series for up to 5 minutes more.
  const Sample sample =
      only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 90, owned_by("old")), kNow - seconds(60)),
            at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 5, owned_by("new")), kNow),
            at(of_gpu("DCGM_FI_DEV_FB_USED", 70, owned_by("old")), kNow),  // time of the query
            at(of_gpu("DCGM_FI_DEV_FB_USED", 10, owned_by("new")), kNow)});
  CHECK(pods_of(sample) == Pods{"ml/new"});
  CHECK(sample.measures ==
        Measures{.utilization = 0.05, .memory_used_bytes = std::int64_t{10} << 20});
  CHECK(sample.doubts.empty());
}

TEST_CASE("an owner who left: the series without one is newer") {
  const Sample sample =
      only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 90, owned_by("old")), kNow - seconds(60)),
            at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 0), kNow)});
  CHECK(sample.owners.empty());
  CHECK(sample.measures.utilization == 0);
}

TEST_CASE("one device, seen by two Prometheus servers, is one") {
  const StringMap one = {{"prometheus_replica", "0"}, {"exported_pod", "p"}};
  const StringMap two = {{"prometheus_replica", "1"}, {"exported_pod", "p"}};
  const Sample sample = only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 10, one), kNow - seconds(7)),
                              at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 20, two), kNow)});
  CHECK(sample.measures.utilization == 0.2);
  CHECK(sample.owners.size() == 1);
}

TEST_CASE("cards without a UUID are told apart by node, then instance") {
  const std::vector<Sample> samples =
      samples_in(R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",instance="10.0.0.1:9400"} 1
DCGM_FI_DEV_GPU_UTIL{gpu="0",instance="10.0.0.2:9400"} 2
DCGM_FI_DEV_GPU_UTIL{gpu="0",instance="10.0.0.3:9400",node="n3"} 3
DCGM_FI_DEV_GPU_TEMP{gpu="0",instance="10.0.0.4:9400",node="n3"} 30
)",
                 asked());
  REQUIRE(samples.size() == 3);
  CHECK(samples[2].node == "n3");
  CHECK(samples[2].measures.temperature_celsius == 30);
}

TEST_CASE("the node's label has many names; those of an exporter's text are not believed") {
  const std::string name = GENERATE("node", "kubernetes_node", "nodename", "exported_node");
  const std::string text = R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",)" + name + R"(="n5"} 1)";
  CHECK(only(text, asked()).node == "n5");
  CHECK(only(text, telemetry::told::scraped()).node == "n1");
}

TEST_CASE("honorLabels true: the exporter's own pod is no owner") {
  const std::string idle =
      GENERATE(R"(pod="dcgm-x",namespace="mon",container="nvidia-dcgm-exporter")",
               R"(pod="dcgm-x",namespace="mon",container="exporter")",
               R"(pod="dcgm-x",namespace="mon",service="dcgm")",
               R"(pod="dcgm-x",namespace="mon",container="dcgm-exporter")");
  const Sample sample =
      only("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"," + idle + "} 40", asked());
  CHECK(sample.owners.empty());
  CHECK(sample.exporter == "mon/dcgm-x");
  CHECK(sample.measures.utilization == 0.4);
}

TEST_CASE("a pod that is known to export is no owner") {
  const std::string text =
      R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",namespace="exporters",pod="one"} 40)";
  CHECK(only(text, telemetry::told::scraped()).owners.empty());
  CHECK(pods_of(only(text, {.exporter = "exporters/two", .node = "n1"})) == Pods{"exporters/one"});
}

TEST_CASE("a pod that one series shows to be the scrape's is no owner of another") {
  // No container's name gives it away.
  const std::vector<Sample> samples = samples_in(
      R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",pod="x-1",namespace="mon",exported_pod="p",exported_namespace="ml"} 1
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-b",pod="x-1",namespace="mon"} 2
DCGM_FI_DEV_GPU_UTIL{gpu="2",UUID="GPU-c",pod="y-1",namespace="mon"} 2
)",
      asked());
  REQUIRE(samples.size() == 3);
  CHECK(pods_of(samples[0]) == Pods{"ml/p"});
  CHECK(samples[0].exporter == "mon/x-1");
  CHECK(samples[1].owners.empty());
  CHECK(samples[1].exporter == "mon/x-1");
  CHECK(pods_of(samples[2]) == Pods{"mon/y-1"});
}

TEST_CASE("an agent's label that names an exporter is no owner") {
  const Sample sample = only(
      R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",kubernetes_pod_name="my-dcgm-exporter-x",kubernetes_namespace="mon"} 4)",
      asked());
  CHECK(sample.owners.empty());
  CHECK(sample.exporter == "mon/my-dcgm-exporter-x");
}

TEST_CASE("names of an owner's labels") {
  struct Row {
    const char* labels;
    const char* owner;
    const char* exporter;
  };
  const Row row = GENERATE(
      Row{R"(pod="p",namespace="n",container="c")", "n/p/c", ""},
      Row{R"(exported_pod="p",exported_namespace="n",exported_container="c",pod="e",namespace="m",container="x")",
          "n/p/c", "m/e"},
      Row{R"(pod_name="p",pod_namespace="n",container_name="c")", "n/p/c", ""},
      Row{R"(pod_name="p",pod_namespace="n",container_name="c",pod="e",namespace="m",container="x")",
          "n/p/c", "m/e"},
      Row{R"(podname="p",namespace="n",container="c")", "n/p/c", ""},
      Row{R"(kubernetes_pod_name="p",kubernetes_namespace="n")", "n/p/", ""},
      Row{R"(k8s_pod_name="p",k8s_namespace_name="n",k8s_container_name="c")", "n/p/c", ""},
      Row{R"(pod="p",namespace="n",container="c",kubernetes_pod_name="e",kubernetes_namespace="m")",
          "n/p/c", "m/e"});
  CAPTURE(row.labels);
  const Sample sample = only(
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"," + std::string(row.labels) + "} 1", asked());
  REQUIRE(sample.owners.size() == 1);
  const SampleOwner& owner = sample.owners[0];
  CHECK(owner.ns + "/" + owner.pod + "/" + owner.container == row.owner);
  CHECK(sample.exporter == row.exporter);
}

TEST_CASE("what a window tells, of the device that it is of") {
  std::vector<Series> series = {of_gpu("DCGM_FI_DEV_GPU_UTIL", 10, owned_by("p")),
                                of_gpu("DCGM_FI_DEV_FB_USED", 100),
                                of_gpu("DCGM_FI_DEV_FB_FREE", 900),
                                of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 40),
                                of_gpu("DCGM_FI_DEV_GPU_UTIL:max", 99),
                                of_gpu("DCGM_FI_DEV_GPU_UTIL:idle_seconds", 0),
                                of_gpu("DCGM_FI_DEV_FB_USED:max", 500)};
  const Measures measures{.utilization = 0.1,
                          .memory_used_bytes = std::int64_t{100} << 20,
                          .memory_total_bytes = std::int64_t{1000} << 20,
                          .average_utilization = 0.4,
                          .highest_utilization = 0.99,
                          .highest_memory_bytes = std::int64_t{500} << 20,
                          .idle_for = seconds(0)};
  CHECK(only(series).measures == measures);

  // A query may have left out the node.
  for (Series& each : series)
    if (each.name.find(':') != std::string::npos) each.labels = {{"UUID", "GPU-a"}, {"gpu", "0"}};
  CHECK(only(series).measures == measures);
  CHECK(pods_of(only(series)) == Pods{"ml/p"});
}

TEST_CASE("rows of a window that differ") {
  const Sample sample = only({of_gpu("DCGM_FI_DEV_GPU_UTIL", 10),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 40, {{"job", "a"}}),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 60, {{"job", "b"}}),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:max", 70, {{"job", "a"}}),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:max", 90, {{"job", "b"}}),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:idle_seconds", 600, {{"job", "a"}}),
                              of_gpu("DCGM_FI_DEV_GPU_UTIL:idle_seconds", 60, {{"job", "b"}})});
  CHECK(sample.measures ==
        Measures{.utilization = 0.1, .highest_utilization = 0.9, .idle_for = seconds(60)});
}

TEST_CASE("a card that was idle by one counter and not by the other was not idle") {
  const Sample sample =
      only({of_gpu("DCGM_FI_DEV_GPU_UTIL", 1), of_gpu("DCGM_FI_DEV_GPU_UTIL:idle_seconds", 3600),
            of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE:idle_seconds", 20)});
  CHECK(sample.measures.idle_for == seconds(20));
}

TEST_CASE("a window is of engine activity where that is told, never of both counters") {
  const auto window = [](double engine_average, double engine_highest) {
    return only({of_gpu("DCGM_FI_DEV_GPU_UTIL", 4), of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.49),
                 of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 20), of_gpu("DCGM_FI_DEV_GPU_UTIL:max", 100),
                 of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE:avg", engine_average),
                 of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE:max", engine_highest)});
  };
  CHECK(window(0.48, 0.5).measures == Measures{.utilization = 0.49,
                                               .kind = UtilizationKind::engine_active,
                                               .average_utilization = 0.48,
                                               .highest_utilization = 0.5});
  // Profiling that was 0 in all of a window in which the card was busy tells nothing.
  const Sample dead = window(0, 0);
  CHECK(dead.measures ==
        Measures{.utilization = 0.04, .average_utilization = 0.2, .highest_utilization = 1});
  CHECK(doubts(dead, "profiling metrics are 0 on a busy device"));
}

TEST_CASE("windows of MIG instances are of engine activity") {
  const StringMap gi = {{"GPU_I_ID", "3"}};
  const std::vector<Sample> samples = telemetry::samples_of(
      {of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.5, gi),
       of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE:avg", 0.25, gi),
       of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE:idle_seconds", 7, gi),
       of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 0, gi), of_gpu("DCGM_FI_DEV_GPU_UTIL:max", 0)},
      asked_now());
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures == Measures{});
  CHECK(samples[1].measures == Measures{.utilization = 0.5,
                                        .kind = UtilizationKind::engine_active,
                                        .average_utilization = 0.25,
                                        .idle_for = seconds(7)});
}

TEST_CASE("an exporter's text has no windows") {
  const Origin scraped{.exporter = "e/one", .node = "n1", .read_at = kNow};
  CHECK(telemetry::samples_of({of_gpu("DCGM_FI_DEV_GPU_UTIL:avg", 40)}, scraped).empty());
}

TEST_CASE("profiling that is 0 on a busy card is not believed") {
  const auto sample_of = [](double use, double engine, double sm) {
    return only(
        {of_gpu("DCGM_FI_DEV_GPU_UTIL", use), of_gpu("DCGM_FI_PROF_GR_ENGINE_ACTIVE", engine),
         of_gpu("DCGM_FI_PROF_SM_ACTIVE", sm), of_gpu("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 0)});
  };
  const Sample dead = sample_of(99, 0, 0);
  CHECK(dead.measures == Measures{.utilization = 0.99});
  CHECK(doubts(dead, "profiling metrics are 0 on a busy device"));
  const Sample alive = sample_of(99, 0.9, 0.4);
  CHECK(alive.measures == Measures{.utilization = 0.9,
                                   .kind = UtilizationKind::engine_active,
                                   .sm_active = 0.4,
                                   .tensor_active = 0});
  CHECK(alive.doubts.empty());
  CHECK(sample_of(3, 0, 0).measures.sm_active == 0);
  const Sample stuck = sample_of(0, 0.8, 0.4);
  CHECK(stuck.measures.utilization == 0.8);
  CHECK(stuck.measures.kind == UtilizationKind::engine_active);
  CHECK(stuck.doubts.empty());  // a sample between two kernels is 0
}

namespace {

/// Samples in an order that does not hang on that of the lines.
std::vector<Sample> sorted(std::vector<Sample> samples) {
  for (Sample& sample : samples) {
    std::sort(sample.doubts.begin(), sample.doubts.end());
    std::sort(sample.owners.begin(), sample.owners.end(),
              [](const SampleOwner& a, const SampleOwner& b) { return a.pod < b.pod; });
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
    return a.uuid + a.mig_instance < b.uuid + b.mig_instance;
  });
  return samples;
}

bool is_part(const std::optional<double>& value) { return !value || (*value >= 0 && *value <= 1); }

bool is_credible(const Measures& m) {
  const bool is_memory = m.memory_used_bytes.value_or(0) >= 0 &&
                         m.memory_total_bytes.value_or(1) > 0 &&
                         (!m.memory_used_bytes || !m.memory_total_bytes ||
                          *m.memory_used_bytes <= *m.memory_total_bytes);
  const bool is_heat =
      !m.temperature_celsius || (*m.temperature_celsius >= -50 && *m.temperature_celsius <= 150);
  const double power = m.power_watts.value_or(1);
  return is_part(m.utilization) && is_part(m.sm_active) && is_part(m.tensor_active) &&
         is_part(m.dram_active) && is_part(m.average_utilization) &&
         is_part(m.highest_utilization) && is_memory && is_heat && power > 0 && power <= 5000 &&
         m.last_xid.value_or(0) >= 0 && m.idle_for.value_or(seconds(0)) >= seconds(0);
}

}  // namespace

TEST_CASE("exporters write lines in any order, and mean the same") {
  const char* name = GENERATE(
      "01-dcgm-whole-gpu.prom", "03-dcgm-1x-lowercase-names.prom", "04-dcgm-blank-sentinels.prom",
      "05-dcgm-mig-single.prom", "06-dcgm-timeslicing-identical.prom",
      "07-dcgm-lowercase-hostname-mixed-node.prom", "08-prometheus-exported-labels.prom",
      "10-hami-legacy-monitor.prom", "11-nvidia-gpu-exporter-mig.prom");
  CAPTURE(name);
  std::vector<Series> series = telemetry::told::series_in(telemetry::told::case_text(name));
  const std::vector<Sample> expected = sorted(telemetry::samples_of(series, asked_now()));
  std::mt19937 random(20261128);  // NOLINT: the same every time
  for (int i = 0; i < 50; ++i) {
    std::shuffle(series.begin(), series.end(), random);
    REQUIRE(sorted(telemetry::samples_of(series, asked_now())) == expected);
  }
}

TEST_CASE("whatever is told, only what can be is shown") {
  std::mt19937 random(20261128);  // NOLINT: the same every time
  const auto below = [&](std::size_t end) { return random() % end; };
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {0,          0.5,   1,    1.005, 50,  100,     101,
                                      -1,         31,    5000, 5001,  1e9, 1e14,    2e14,
                                      2147483632, 1e300, -60,  9e18,  NAN, infinity};
  const std::vector<std::string_view>& names = telemetry::known_metrics();
  const std::vector<std::string> endings = {
      "", "", "", "", ":avg", ":max", ":idle_seconds", ":timestamp"};
  std::size_t shown = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Series> series;
    for (int j = 0; j < 100; ++j) {
      Series one{.name = std::string(names[below(names.size())]) + endings[below(endings.size())],
                 .value = values[below(values.size())]};
      one.labels = {{"UUID", "GPU-a"}, {"uuid", "a"},       {"deviceuuid", "a"},
                    {"gpu_id", "0"},   {"pci_bdf", "00:1"}, {"accelerator_id", "1-0"},
                    {"make", "tpu"},   {"gpu_uuid", "a"}};
      if (below(3) == 0) one.labels.set("GPU_I_ID", std::to_string(below(2)));
      if (below(3) == 0) one.labels.set("exported_pod", "p" + std::to_string(below(3)));
      if (below(3) == 0) one.labels.set("pod_uid", "u");
      if (below(2) == 0) one.at = kNow - seconds(below(600));
      series.push_back(std::move(one));
    }
    for (const Sample& sample : telemetry::samples_of(series, asked_now())) {
      REQUIRE(is_credible(sample.measures));
      for (const SampleOwner& owner : sample.owners) {
        Measures own = owner.own;
        own.memory_total_bytes.reset();  // HAMi's limits may be exceeded
        REQUIRE(is_credible(own));
      }
      if (!(sample.measures == Measures{})) ++shown;
    }
  }
  CHECK(shown > 1000);
}

TEST_CASE("series that are dated ahead neither win nor hide what is of now") {
  const std::vector<Series> series = {
      at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 1, owned_by("liar")), kNow + seconds(61)),
      at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 90, owned_by("x")), kNow + seconds(60)),
      of_gpu("DCGM_FI_DEV_GPU_TEMP", 70)};
  const std::vector<Sample> samples = telemetry::samples_of(series, asked_now());
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].measures.utilization == 0.9);
  CHECK(samples[0].measures.temperature_celsius == 70);
  REQUIRE(samples[0].owners.size() == 1);
  CHECK(samples[0].owners[0].pod == "x");
  CHECK(samples[1].uuid == "GPU-a");
  CHECK(samples[1].measures == Measures{});
  CHECK(samples[1].owners.empty());
  CHECK(samples[1].doubts == std::vector<std::string>{"some of its metrics are dated 61s ahead"});
}

TEST_CASE("without a time of reading nothing is ahead") {
  const Origin origin{.source = MetricSource::exporter, .node = "n1"};
  const Sample sample = only({at(of_gpu("DCGM_FI_DEV_GPU_UTIL", 90), kNow)}, origin);
  CHECK(sample.measures.utilization == 0.9);
  CHECK(sample.at == kNow);
}

}  // namespace dialects_interpret_test
