#include "telemetry/live/custom_metrics.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"
#include "kube/read/list_path.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry::live_custom_metrics_test {

using Catch::Contains;
using nlohmann::json;

using namespace gpu::kube;
namespace {

using Bodies = std::map<std::string, std::string>;

constexpr const char* kApi = "/apis/custom.metrics.k8s.io/v1beta1";

std::string values_path(const std::string& ns, const std::string& metric) {
  return std::string(kApi) + "/namespaces/" + ns + "/pods/*/" + metric;
}

Bodies served(const std::vector<std::string>& metrics) {
  json list = {{"kind", "APIResourceList"}, {"resources", json::array()}};
  for (const std::string& metric : metrics) list["resources"].push_back({{"name", metric}});
  return {{kApi, list.dump()}};
}

std::string values(const std::vector<std::pair<std::string, std::string>>& pods) {
  json list = {{"kind", "MetricValueList"}, {"items", json::array()}};
  for (const auto& [name, value] : pods) {
    json item = {{"timestamp", "2026-11-28T10:00:00Z"}, {"value", value}};
    item["describedObject"] = {{"kind", "Pod"}, {"namespace", "ml"}, {"name", name}};
    list["items"].push_back(item);
  }
  return list.dump();
}

Pod pod(const std::string& name, std::int64_t gpus) {
  Pod result;
  result.ns = "ml";
  result.name = name;
  result.node_name = "gpu-a";
  result.phase = "Running";
  Container container;
  container.requests.set("nvidia.com/gpu", Quantity::of(gpus));
  result.containers.push_back(container);
  return result;
}

struct Run {
  explicit Run(const Bodies& bodies) : api(bodies) {
    for (const char* name : {"one", "two", "three"}) snapshot.pods.push_back(pod(name, 1));
    snapshot.pods.push_back(pod("many", 8));
    needs.metrics.choice = MetricsChoice::custom;
  }
  bool read() {
    Client client = api.client();
    CollectContext reading(client, needs, snapshot);
    return read_custom_metrics(reading);
  }
  /// "-": there is a sample without a value.
  [[nodiscard]] std::string use_of(const std::string& name) const {
    for (const Sample& sample : snapshot.samples) {
      if (sample.pod_only != "ml/" + name) continue;
      const auto use = sample.measures.utilization;
      return use ? fmt_percent(*use) : "-";
    }
    return "none";
  }
  [[nodiscard]] std::string gaps() const {
    std::string text;
    for (const Gap& gap : snapshot.gaps)
      text += gap.what + " | " + gap.why + " | " + gap.help + "\n";
    return text;
  }
  static std::string fmt_percent(double ratio) {
    return std::to_string(static_cast<int>(ratio * 1000 + 0.5)) + " per mille";
  }

  ApiStub api;
  Needs needs;
  Snapshot snapshot;
};

TEST_CASE("what a snapshot keeps of custom metrics reads back as it was") {
  const std::string google = "prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge";
  const std::string metric = GENERATE_COPY(std::string("gpu_utilization"), google);
  Bodies bodies = served({"pods/" + metric});
  bodies[values_path("ml", percent_encoded(metric))] =
      values({{"one", "97"}, {"two", "500"}, {"elsewhere", "50"}, {"many", "3"}});
  Run run(bodies);
  std::vector<Scrape> told;
  run.needs.on_object = [&](const json& object, std::string_view, std::string_view kind) {
    CHECK(kind == kScrapeKind);
    told.push_back(scrape_of(json::parse(object.dump())));
  };
  CHECK(run.read());
  REQUIRE(told.size() == 1);
  CHECK(told.front().origin.source == MetricSource::custom);
  CHECK(told.front().series.size() == 3);  // nothing of pods that are not in the snapshot
  CHECK(run.snapshot.samples.size() == 2);
  CHECK(custom_samples(told.front().series, run.snapshot) == run.snapshot.samples);
  for (telemetry::Series& series : told.front().series) series.name = "DCGM_FI_DEV_FB_USED";
  CHECK(custom_samples(told.front().series, run.snapshot).empty());
  CHECK(adapter_name(google) == "DCGM_FI_DEV_GPU_UTIL");
  CHECK_FALSE(adapter_name("http_requests"));
}

TEST_CASE("Use of pods is read by the best metric that is served") {
  Bodies bodies =
      served({"pods/gpu_utilization", "pods/DCGM_FI_DEV_GPU_UTIL", "namespaces/http_requests"});
  bodies[values_path("ml", "DCGM_FI_DEV_GPU_UTIL")] =
      values({{"one", "97"}, {"two", "714m"}, {"elsewhere", "50"}});
  Run run(bodies);
  CHECK(run.read());
  CHECK(run.use_of("one") == "970 per mille");
  CHECK(run.use_of("two") == "7 per mille");
  CHECK(run.use_of("three") == "none");
  REQUIRE(run.snapshot.samples.size() == 2);
  const Sample& sample = run.snapshot.samples.front();
  CHECK(sample.source == MetricSource::custom);
  CHECK(sample.measures.kind == UtilizationKind::adapter);
  CHECK(sample.at == parse_time("2026-11-28T10:00:00Z"));
  CHECK(run.gaps().empty());
}

TEST_CASE("Where the best metric knows no pods, the next is asked") {
  Bodies bodies = served({"pods/gpu_utilization_percent", "pods/DCGM_FI_DEV_GPU_UTIL"});
  bodies[values_path("ml", "gpu_utilization_percent")] = values({{"one", "5"}});
  Run run(bodies);
  CHECK(run.read());
  CHECK(run.use_of("one") == "50 per mille");
}

TEST_CASE("A value above 1 shows that a name of both units is per cent") {
  Bodies bodies = served({"pods/gpu_utilization"});
  const std::string path = values_path("ml", "gpu_utilization");
  SECTION("for all its values") {
    bodies[path] = values({{"one", "97"}, {"two", "1"}});
    Run run(bodies);
    CHECK(run.read());
    CHECK(run.use_of("one") == "970 per mille");
    CHECK(run.use_of("two") == "10 per mille");
  }
  SECTION("and without one only nothing is told") {
    bodies[path] = values({{"one", "900m"}, {"two", "1"}, {"three", "0"}});
    Run run(bodies);
    CHECK(run.read());
    CHECK(run.use_of("one") == "none");
    CHECK(run.use_of("two") == "none");
    CHECK(run.use_of("three") == "0 per mille");
    CHECK_THAT(run.gaps(), Contains("use of 2 pods is not shown"));
  }
}

TEST_CASE("A value of several GPUs may be a sum, and is not shown") {
  Bodies bodies = served({"pods/DCGM_FI_DEV_GPU_UTIL"});
  bodies[values_path("ml", "DCGM_FI_DEV_GPU_UTIL")] = values({{"many", "60"}});
  Run run(bodies);
  CHECK_FALSE(run.read());
  CHECK(run.use_of("many") == "none");
  CHECK_THAT(run.gaps(), Contains("1 pod with several GPUs"));
}

TEST_CASE("A value that cannot be is no value") {
  Bodies bodies = served({"pods/DCGM_FI_DEV_GPU_UTIL"});
  bodies[values_path("ml", "DCGM_FI_DEV_GPU_UTIL")] =
      values({{"one", "4294967295"}, {"two", "-1"}, {"three", "much"}});
  Run run(bodies);
  CHECK_FALSE(run.read());
  CHECK(run.use_of("one") == "-");
  CHECK(run.use_of("two") == "-");
  CHECK(run.use_of("three") == "none");
  REQUIRE(run.snapshot.samples.size() == 2);
  CHECK(run.snapshot.samples.front().doubts.size() == 1);
}

TEST_CASE("A pod that is told twice, or by another namespace's answer, has no value") {
  Bodies bodies = served({"pods/DCGM_FI_DEV_GPU_UTIL"});
  json list = json::parse(
      values({{"one", "97"}, {"one", "3"}, {"two", "50"}, {"two", "50"}, {"three", "20"}}));
  list["items"][4]["describedObject"]["namespace"] = "other";
  json service = list["items"][2];
  service["describedObject"] = {{"kind", "Service"}, {"namespace", "ml"}, {"name", "many"}};
  list["items"].push_back(service);
  bodies[values_path("ml", "DCGM_FI_DEV_GPU_UTIL")] = list.dump();
  Run run(bodies);
  CHECK(run.read());
  CHECK(run.use_of("one") == "-");
  CHECK(run.use_of("two") == "500 per mille");
  CHECK(run.use_of("three") == "none");
  CHECK(run.use_of("many") == "none");
}

TEST_CASE("Items of wrong types and values that are no quantities tell nothing") {
  for (const char* value :
       {R"("")", R"("x")", R"("1e400")", R"("NaN")", R"("+Inf")", R"("-5")",
        R"("99999999999999Ei")", R"("1e18")", "97", "null", R"(["97"])", R"({"value":"97"})"}) {
    Bodies bodies = served({"pods/DCGM_FI_DEV_GPU_UTIL"});
    bodies[values_path("ml", "DCGM_FI_DEV_GPU_UTIL")] =
        std::string(R"({"items":[7,null,"x",[],{},{"describedObject":"ml/one","value":"5"},)") +
        R"({"describedObject":{"kind":"Pod","namespace":"ml","name":"one"},"timestamp":7,"value":)" +
        value + "}]}";
    Run run(bodies);
    CAPTURE(value);
    CHECK_FALSE(run.read());
    CHECK((run.use_of("one") == "none" || run.use_of("one") == "-"));
  }
}

TEST_CASE("A path of Google's keeps its bars") {
  const std::string name = "prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge";
  Bodies bodies = served({"*/" + name});
  bodies[values_path("ml", "prometheus.googleapis.com%7CDCGM_FI_DEV_GPU_UTIL%7Cgauge")] =
      values({{"one", "3"}});
  Run run(bodies);
  CHECK(run.read());
}

TEST_CASE("A cluster without the API says so only when it was asked for") {
  Run run({});
  CHECK_FALSE(run.read());
  CHECK_THAT(run.gaps(), Contains("serves no custom.metrics.k8s.io"));
  Run automatic({});
  automatic.needs.metrics.choice = MetricsChoice::automatic;
  CHECK_FALSE(automatic.read());
  CHECK(automatic.gaps().empty());
}

TEST_CASE("No pods with GPUs, no question") {
  Run run(served({"pods/DCGM_FI_DEV_GPU_UTIL"}));
  run.snapshot.pods.clear();
  run.needs.metrics.choice = MetricsChoice::automatic;
  CHECK_FALSE(run.read());
  CHECK(run.api.asked().empty());
  CHECK(run.gaps().empty());
}

TEST_CASE("Asked for by hand, it says why it tells nothing") {
  Run nobody(served({"pods/DCGM_FI_DEV_GPU_UTIL"}));
  nobody.snapshot.pods.clear();
  CHECK_FALSE(nobody.read());
  CHECK_THAT(nobody.gaps(), Contains("none that holds GPUs is here"));
  Run silent(served({"pods/DCGM_FI_DEV_GPU_UTIL"}));
  CHECK_FALSE(silent.read());
  CHECK_THAT(silent.gaps(), Contains("reports nothing about the pods that hold GPUs") &&
                                Contains("looked for DCGM_FI_DEV_GPU_UTIL of 4 pods"));
}

TEST_CASE("A refusal names the role") {
  Run run(served({"pods/gpu_utilization"}));
  run.api.fail(values_path("ml", "gpu_utilization"), "403 Forbidden",
               R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",
      "code":403,"message":"pods.custom.metrics.k8s.io \"*\" is forbidden: User \"jo\" cannot get resource \"pods/gpu_utilization\" in API group \"custom.metrics.k8s.io\" in the namespace \"ml\""})");
  CHECK_FALSE(run.read());
  CHECK_THAT(run.gaps(), Contains("--resource=pods.custom.metrics.k8s.io/gpu_utilization"));
}

TEST_CASE("Answers that are no JSON tell nothing") {
  Bodies bodies = {{kApi, "<html>"}};
  Run run(bodies);
  CHECK_FALSE(run.read());
  CHECK(run.snapshot.samples.empty());
}

}  // namespace
}  // namespace gpu::telemetry::live_custom_metrics_test
