#include "input/files/file_metrics.hpp"
#include "input/files/collect_from_files.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/gzip.hpp"
#include "kube/collect/collect.hpp"
#include "kube/folder.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace gpu::input::files_file_metrics_test {

using Catch::Contains;
using gpu::test::Folder;
using nlohmann::json;

using namespace gpu::kube;
using namespace gpu::telemetry;
namespace {

json node(const std::string& name) {
  json result = {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", name}}}};
  result["status"]["capacity"] = result["status"]["allocatable"] = {{"nvidia.com/gpu", "1"}};
  return result;
}

json exporter(const std::string& name, const std::string& node_name) {
  json result = json::parse(R"({"apiVersion": "v1", "kind": "Pod", "metadata":
    {"namespace": "kube-system", "labels": {"app": "nvidia-dcgm-exporter"}},
    "spec": {"containers": [{"name": "e", "image": "dcgm-exporter:4"}]},
    "status": {"phase": "Running"}})");
  result["metadata"]["name"] = name;
  result["spec"]["nodeName"] = node_name;
  return result;
}

std::string text(int percent, const std::string& uuid) {
  return "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"" + uuid +
         "\"} " + std::to_string(percent) + "\nDCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"" + uuid +
         "\"} 1024\n";
}

std::string packed(const std::string& bytes) {
  std::string result;
  Gzip gzip([&](std::string_view piece) { result += piece; });
  gzip.feed(bytes);
  gzip.finish();
  return result;
}

/// Nodes a, b and b--c, each with an exporter.
class Cluster {
 public:
  Cluster() {
    write("cluster.json", json({{"kind", "List"},
                                {"apiVersion", "v1"},
                                {"items",
                                 {node("a"), node("b"), node("b--c"), exporter("exp-a", "a"),
                                  exporter("exp-b", "b"), exporter("x--y", "b--c")}}})
                              .dump());
  }
  void write(const std::string& name, const std::string& content) const {
    folder_.write(name, content);
  }
  [[nodiscard]] Snapshot read(const Needs& needs) const {
    return collect_from_files(folder_.path(), needs);
  }
  [[nodiscard]] const Folder& folder() const { return folder_; }

 private:
  Folder folder_;
};

Needs live(MetricsChoice choice = MetricsChoice::automatic) {
  Needs needs;
  needs.keep = [](const Pod&) { return true; };
  needs.metrics.choice = choice;
  return needs;
}

const Sample& sample_of(const Snapshot& snapshot, const std::string& uuid) {
  const auto found = std::find_if(snapshot.samples.begin(), snapshot.samples.end(),
                                  [&](const Sample& sample) { return sample.uuid == uuid; });
  REQUIRE(found != snapshot.samples.end());
  return *found;
}

std::string gaps_of(const Snapshot& snapshot) {
  std::string all;
  for (const Gap& gap : snapshot.gaps) all += gap.what + " | " + gap.why + "\n";
  return all;
}

/// A snapshot's file, with scrapes of an exporter and of Prometheus.
std::string snapshot_file(const std::string& sight) {
  json file = json::parse(R"({"apiVersion": "kubectl-gpu/v1", "kind": "Snapshot",
    "redacted": false, "takenAt": "2026-11-01T12:00:00Z", "serverVersion": null, "gaps": [
      {"what": "old metrics", "why": "w", "help": "", "about": "use"}],
    "sight": {"nodes": "whole", "pods": "whole", "slices": "whole", "claims": "whole"}})");
  file["items"] = {node("a"), node("b"), exporter("exp-a", "a")};
  if (!sight.empty()) file["sight"]["use"] = sight;
  const std::vector<std::pair<MetricSource, std::string>> scrapes = {
      {MetricSource::exporter, "a"}, {MetricSource::exporter, "b"}, {MetricSource::prometheus, ""}};
  for (const auto& [source, name] : scrapes) {
    json scrape = scrape_json({{.name = "DCGM_FI_DEV_GPU_UTIL",
                                .labels = {{"gpu", "0"},
                                           {"UUID", "GPU-" + (name.empty() ? "p" : name)},
                                           {"node", name.empty() ? "a" : ""}},
                                .value = 50}},
                              {.source = source, .node = name});
    scrape["apiVersion"] = kScrapeVersion;
    file["items"].push_back(scrape);
  }
  return file.dump();
}

}  // namespace

TEST_CASE("texts of a folder are samples of the nodes and exporters in their names") {
  const Cluster cluster;
  cluster.write("now", "2026-11-01T12:00:00Z\n");
  cluster.write("a.prom", text(97, "GPU-a"));
  cluster.write("b--exp-b.prom", text(3, "GPU-b"));
  cluster.write("b--c--x--y.prom.gz", packed(text(5, "GPU-c")));
  const Snapshot snapshot = cluster.read(live());
  INFO(gaps_of(snapshot));
  CHECK(snapshot.gaps.empty());
  REQUIRE(snapshot.samples.size() == 3);
  const Sample& a = sample_of(snapshot, "GPU-a");
  CHECK(a.node == "a");
  CHECK(a.exporter == "kube-system/exp-a");
  CHECK(a.source == MetricSource::exporter);
  CHECK(a.measures.utilization == 0.97);
  CHECK(a.measures.memory_used_bytes == std::int64_t{1} << 30U);
  CHECK(a.at == parse_time("2026-11-01T12:00:00Z"));
  CHECK(sample_of(snapshot, "GPU-b").node == "b");
  CHECK(sample_of(snapshot, "GPU-c").node == "b--c");
  CHECK(sample_of(snapshot, "GPU-c").exporter == "kube-system/x--y");
  CHECK(snapshot.use_coverage == Coverage::whole);
  CHECK(snapshot.taken_at == parse_time("2026-11-01T12:00:00Z"));
}

TEST_CASE("when texts were read is unknown where the folder does not say") {
  const Cluster cluster;
  cluster.write("a.prom", text(1, "GPU-a"));
  const Snapshot snapshot = cluster.read(live());
  CHECK_FALSE(sample_of(snapshot, "GPU-a").at);
  CHECK_FALSE(snapshot.taken_at);
  CHECK(snapshot.use_coverage == Coverage::partial);
}

TEST_CASE("only exporters' texts are told where metrics are from exporters, or none are wanted") {
  const Cluster cluster;
  cluster.write("a.prom", text(1, "GPU-a"));
  CHECK(cluster.read(live(MetricsChoice::exporter)).samples.size() == 1);
  for (const MetricsChoice choice :
       {MetricsChoice::none, MetricsChoice::prometheus, MetricsChoice::custom}) {
    const Snapshot snapshot = cluster.read(live(choice));
    CHECK(snapshot.samples.empty());
    CHECK(snapshot.use_coverage == Coverage::none);
  }
}

TEST_CASE("a text of no node of the cluster is a gap, not a guess") {
  const Cluster cluster;
  cluster.write("a.prom", text(1, "GPU-a"));
  cluster.write("z.prom", text(2, "GPU-z"));
  cluster.write("y--exp.prom", text(2, "GPU-y"));
  const Snapshot snapshot = cluster.read(live());
  CHECK(snapshot.samples.size() == 1);
  CHECK_THAT(gaps_of(snapshot), Contains("y--exp.prom, z.prom"));
}

TEST_CASE("texts of nodes that are not asked for are not read") {
  const Cluster cluster;
  cluster.write("a.prom", text(1, "GPU-a"));
  cluster.write("b.prom", "bad line\n");
  Needs needs = live();
  needs.node_names = {"a"};
  const Snapshot snapshot = cluster.read(needs);
  CHECK(snapshot.samples.size() == 1);
  CHECK(snapshot.gaps.empty());
  CHECK(snapshot.use_coverage == Coverage::whole);
}

TEST_CASE("bad lines are a gap with file and line, and the others are read") {
  const Cluster cluster;
  cluster.write("a.prom", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\n" + text(7, "GPU-a") + "x y z\n");
  const Snapshot snapshot = cluster.read(live());
  CHECK(sample_of(snapshot, "GPU-a").measures.utilization == 0.07);
  CHECK_THAT(gaps_of(snapshot), Contains("2 lines of a.prom cannot be read") &&
                                    Contains("line 1: ") && Contains("line 5: "));
}

TEST_CASE("a text without devices says why") {
  const Cluster cluster;
  const auto [content, why] = GENERATE(table<std::string, std::string>(
      {{"", "a.prom is empty: the exporter was starting or reloading"},
       {"go_goroutines 5\n", "a.prom reports no GPU"},
       {"\x1f\x8b broken", "a.prom: "}}));
  cluster.write("a.prom", content);
  const Snapshot snapshot = cluster.read(live());
  CHECK_THAT(gaps_of(snapshot), Contains("no metrics from a | " + why));
  CHECK(snapshot.samples.empty());
  CHECK(snapshot.use_coverage == Coverage::none);
}

TEST_CASE("what is no exporter's text is called that") {
  const std::string binary(
      "\x7f"
      "ELF\0\1\2\n\0",
      9);
  for (const auto& [content, what] :
       std::vector<std::pair<std::string, std::string>>{{"\n <html>\nup 1\n</html>\n", "HTML"},
                                                        {"{\"status\": \"success\"}\n", "JSON"},
                                                        {binary, "text of another kind"}}) {
    const Cluster cluster;
    cluster.write("a.prom", content);
    CHECK_THAT(gaps_of(cluster.read(live())),
               Contains("no metrics from a | a.prom holds " + what + ", and no exporter's text"));
  }
}

TEST_CASE("of a text in a file no more is read than of an exporter") {
  const Cluster cluster;
  std::string devices;
  for (int i = 0; i < 1100; ++i)
    devices += "DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-" + std::to_string(i) + "\"} 50\n";
  cluster.write("a.prom", devices);
  const Snapshot many = cluster.read(live());
  CHECK(many.samples.size() == 1024);
  CHECK_THAT(gaps_of(many),
             Contains("what is reported about a was not read in full | of 1100 devices"));
  std::string large = "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-0\"} 50\n";
  const std::string filler(60000, 'x');
  for (int i = 0; i < 300; ++i)
    large +=
        "DCGM_FI_DEV_GPU_TEMP{UUID=\"GPU-" + std::to_string(i) + "\",l=\"" + filler + "\"} 50\n";
  cluster.write("a.prom", large);
  const Snapshot cut = cluster.read(live());
  REQUIRE(cut.samples.size() == 1);
  CHECK(cut.samples[0].measures.utilization == 0.5);
  CHECK_FALSE(cut.samples[0].measures.temperature_celsius);
  CHECK_THAT(gaps_of(cut), Contains("a.prom was not read in full | only the first 16 MiB"));
}

TEST_CASE("texts without nodes are no cluster") {
  const Folder folder;
  const std::string path = folder.write("a.prom", text(1, "GPU-a"));
  CHECK_THROWS_WITH(collect_from_files(folder.path(), live()), Contains("holds no .json file"));
  CHECK_THROWS_WITH(collect_from_files(path, live()), Contains("a.prom holds no nodes"));
  try {
    collect_from_files(folder.path(), live());
  } catch (const Error& error) {
    CHECK_THAT(error.help(), Contains("kubectl get nodes,pods -A -o json > cluster.json"));
  }
}

TEST_CASE("every text is told as an object, whether or not it is used") {
  const Cluster cluster;
  cluster.write("now", "2026-11-01T12:00:00Z");
  cluster.write("a.prom", text(1, "GPU-a") + "go_goroutines 5\n");
  Needs needs = live(MetricsChoice::none);
  std::vector<json> told;
  needs.on_object = [&](const json& object, std::string_view version, std::string_view kind) {
    if (kind == kScrapeKind && version == kScrapeVersion) told.push_back(object);
  };
  CHECK(cluster.read(needs).samples.empty());
  REQUIRE(told.size() == 1);
  const Scrape scrape = scrape_of(told[0]);
  CHECK(scrape.origin.node == "a");
  CHECK(scrape.origin.exporter == "kube-system/exp-a");
  CHECK(scrape.origin.read_at == parse_time("2026-11-01T12:00:00Z"));
  REQUIRE(scrape.series.size() == 2);
}

TEST_CASE("scrapes of a snapshot are samples, of the sources that are wanted") {
  const Folder folder;
  const std::string path = folder.write("s.json", snapshot_file("partial"));
  const auto [choice, samples, sight] = GENERATE(table<MetricsChoice, std::size_t, Coverage>(
      {{MetricsChoice::automatic, 3, Coverage::partial},
       {MetricsChoice::exporter, 2, Coverage::whole},
       {MetricsChoice::prometheus, 1, Coverage::partial},
       {MetricsChoice::custom, 0, Coverage::none},
       {MetricsChoice::none, 0, Coverage::none}}));
  const Snapshot snapshot = collect_from_files(path, live(choice));
  CHECK(snapshot.samples.size() == samples);
  CHECK(snapshot.use_coverage == sight);
  // What it says of metrics matters only where they are shown.
  CHECK(snapshot.gaps.empty() == (choice == MetricsChoice::none));
}

TEST_CASE("a snapshot made before there were metrics is judged by what it holds") {
  const Folder folder;
  CHECK(collect_from_files(folder.write("s.json", snapshot_file("")), live()).use_coverage ==
        Coverage::whole);
}

TEST_CASE("a damaged scrape is a damaged file") {
  const Folder folder;
  json file = json::parse(snapshot_file("whole"));
  file["items"].back()["source"] = "guess";
  CHECK_THROWS_WITH(collect_from_files(folder.write("s.json", file.dump()), live()),
                    Contains("s.json (at item 6): Scrape: source"));
}

TEST_CASE("of a folder with texts, nodes without one are named") {
  const Cluster cluster;
  cluster.write("a.prom", text(1, "GPU-a"));
  json unready = exporter("exp-b", "b");
  unready["status"]["conditions"] = {{{"type", "Ready"}, {"status", "False"}}};
  cluster.write("more.json",
                json({{"kind", "List"}, {"items", {unready, exporter("e", "a")}}}).dump());
  const Snapshot snapshot = cluster.read(live());
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK(snapshot.gaps[0].what == "no metrics from b and b--c");
  CHECK(snapshot.gaps[0].about == GapTopic::use);
}

TEST_CASE("of a node whose exporter is not ready, that is the reason") {
  const Folder folder;
  json unready = exporter("exp-b", "b");
  unready["status"]["conditions"] = {{{"type", "Ready"}, {"status", "False"}}};
  folder.write("cluster.json",
               json({{"kind", "List"}, {"items", {node("a"), node("b"), unready}}}).dump());
  CHECK(collect_from_files(folder.path(), live()).gaps.empty());
  folder.write("a.prom", text(1, "GPU-a"));
  const Snapshot snapshot = collect_from_files(folder.path(), live());
  REQUIRE(snapshot.gaps.size() == 1);
  CHECK(snapshot.gaps[0].what == "no metrics from b: exp-b is not ready");
  CHECK(snapshot.gaps[0].help == "kubectl describe pod -n kube-system exp-b");
}

TEST_CASE("a sample of Prometheus finds its node by the address of the exporter") {
  json pod = exporter("exp-b", "b");
  pod["status"]["podIP"] = "10.1.2.3";
  json scrape =
      scrape_json({{.name = "DCGM_FI_DEV_GPU_UTIL",
                    .labels = {{"gpu", "0"}, {"UUID", "GPU-b"}, {"instance", "10.1.2.3:9400"}},
                    .value = 50}},
                  {.source = MetricSource::prometheus});
  scrape["apiVersion"] = kScrapeVersion;
  const Folder folder;
  const Snapshot snapshot = collect_from_files(
      folder.write("s.json", json({{"kind", "List"}, {"items", {node("b"), pod, scrape}}}).dump()),
      live());
  CHECK(sample_of(snapshot, "GPU-b").node == "b");
  CHECK(snapshot.use_coverage == Coverage::whole);
}

TEST_CASE("two scrapes of one node are both read, also where they say the same of where from") {
  json items = {node("a")};
  for (const char* name : {"DCGM_FI_DEV_GPU_UTIL", "nvidia_smi_utilization_gpu_ratio"}) {
    const bool is_dcgm = std::string(name).starts_with("DCGM");
    json scrape = scrape_json({{.name = name,
                                .labels = {{"uuid", is_dcgm ? "" : "b"},
                                           {"gpu", is_dcgm ? "0" : ""},
                                           {"UUID", is_dcgm ? "GPU-a" : ""}},
                                .value = is_dcgm ? 50 : 0.25}},
                              {.source = MetricSource::prometheus, .node = "a"});
    scrape["apiVersion"] = kScrapeVersion;
    items.push_back(scrape);
  }
  const Folder folder;
  const Snapshot snapshot = collect_from_files(
      folder.write("s.json", json({{"kind", "List"}, {"items", items}}).dump()), live());
  CHECK(snapshot.samples.size() == 2);
  CHECK(sample_of(snapshot, "GPU-a").measures.utilization == 0.5);
  CHECK(sample_of(snapshot, "b").measures.utilization == 0.25);
}

TEST_CASE("averages are over the time that a file holds, or not told") {
  json file = json::parse(snapshot_file("whole"));
  file["items"].back()["series"][0]["name"] =
      "DCGM_FI_DEV_GPU_UTIL" + std::string(telemetry::kAverageEnding);
  file["sampleWindowSeconds"] = 3600;
  const Folder folder;
  const std::string path = folder.write("s.json", file.dump());
  Needs needs = live(MetricsChoice::prometheus);
  const auto [since, has_average, what] =
      GENERATE(table<std::optional<std::chrono::seconds>, bool, std::string>(
          {{std::nullopt, true, ""},
           {std::chrono::hours(1), true, ""},
           {std::chrono::minutes(30), true, "averages and maxima are over 1h, not over 30m"},
           {std::chrono::hours(2), false, "averages, maxima and idle times over 2h are unknown"}}));
  needs.metrics.since = since;
  const Snapshot snapshot = collect_from_files(path, needs);
  REQUIRE(snapshot.samples.size() == 1);
  CHECK(snapshot.samples[0].measures.average_utilization.has_value() == has_average);
  CHECK(snapshot.sample_window.has_value() == has_average);
  CHECK((what.empty() || snapshot.gaps.back().what == what));
  CHECK(snapshot.gaps.size() == (what.empty() ? 1 : 2));
}

}  // namespace gpu::input::files_file_metrics_test
