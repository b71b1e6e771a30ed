#include "input/snapshot/writer.hpp"
#include "input/files/collect_from_files.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "kube/collect/collect.hpp"
#include "kube/folder.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::input::snapshot_writer_test {

using gpu::test::Folder;
using nlohmann::json;

using namespace gpu::kube;
using namespace gpu::telemetry;
namespace {

telemetry::Series series(const std::string& name, int gpu) {
  return {.name = name,
          .labels = {{"gpu", std::to_string(gpu)}, {"UUID", "GPU-acme-" + std::to_string(gpu)}},
          .value = 0.5};
}

json node() {
  return json::parse(R"({"metadata": {"name": "acme-n"},
    "status": {"capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "8"}}})");
}

/// The file that is written of a node and these series of it.
json written(const std::vector<telemetry::Series>& all, Names names, const Snapshot& end = {}) {
  std::ostringstream out;
  SnapshotFile file("-", out);
  SnapshotWriter writer(file, names);
  writer.add(node(), "v1", "Node");
  writer.add(scrape_json(all, {.exporter = "acme-ns/acme-exporter", .node = "acme-n"}),
             kScrapeVersion, kScrapeKind);
  CHECK(writer.counts().at("Scrape") == 1);
  writer.finish(end);
  file.finish();
  return json::parse(out.str());
}

}  // namespace

TEST_CASE("a snapshot keeps of a scrape the series that something is read from") {
  const json file = written({series("go_goroutines", 0), series("DCGM_FI_DEV_GPU_UTIL", 0),
                             series("acme_secret", 1), series("DCGM_FI_DEV_FB_USED", 0)},
                            Names::real);
  REQUIRE(file["items"].size() == 2);
  const json& kept = file["items"][1];
  CHECK(kept["kind"] == "Scrape");
  CHECK(kept["apiVersion"] == "kubectl-gpu/v1");
  CHECK(kept["exporter"] == "acme-ns/acme-exporter");
  REQUIRE(kept["series"].size() == 2);
  CHECK(kept["series"][0]["name"] == "DCGM_FI_DEV_GPU_UTIL");
  CHECK(kept["series"][1]["name"] == "DCGM_FI_DEV_FB_USED");
}

TEST_CASE("of an adapter's metrics a snapshot keeps those of use, without a site's own words") {
  const auto [names, name] =
      GENERATE(table<Names, std::string>({{Names::real, "acme|DCGM_FI_DEV_GPU_UTIL|gauge"},
                                          {Names::redacted, "DCGM_FI_DEV_GPU_UTIL"}}));
  std::ostringstream out;
  SnapshotFile file("-", out);
  SnapshotWriter writer(file, names);
  const StringMap labels = {{"namespace", "acme-ns"}, {"pod", "acme-pod"}};
  writer.add(scrape_json({{.name = "acme|DCGM_FI_DEV_GPU_UTIL|gauge", .labels = labels},
                          {.name = "http_requests", .labels = labels}},
                         {.source = MetricSource::custom}),
             kScrapeVersion, kScrapeKind);
  writer.finish({});
  file.finish();
  const json kept = json::parse(out.str())["items"][0];
  CHECK(kept["source"] == "custom");
  REQUIRE(kept["series"].size() == 1);
  CHECK(kept["series"][0]["name"] == name);
  if (names == Names::redacted) CHECK(out.str().find("acme") == std::string::npos);
}

TEST_CASE("a snapshot says how much of live use was seen, and over what time") {
  Snapshot end;
  end.use_coverage = Coverage::partial;
  CHECK(written({}, Names::real, end)["sight"]["use"] == "partial");
  CHECK_FALSE(written({}, Names::real, end).contains("sampleWindowSeconds"));
  end.sample_window = std::chrono::hours(1);
  CHECK(written({}, Names::real, end)["sampleWindowSeconds"] == 3600);
}

TEST_CASE("a long scrape is cut, and read as one again") {
  std::vector<telemetry::Series> all;
  constexpr int kCards = 7'000;
  for (int i = 0; i < kCards; ++i) all.push_back(series("DCGM_FI_DEV_GPU_UTIL", i));
  for (int i = 0; i < kCards; ++i) all.push_back(series("DCGM_FI_DEV_FB_USED", i));
  const json file = written(all, GENERATE(Names::real, Names::redacted));
  REQUIRE(file["items"].size() == 3);
  CHECK_FALSE(file["items"][1].contains("continues"));
  CHECK(file["items"][2]["continues"] == true);
  std::ostringstream out;
  SnapshotFile again("-", out);
  SnapshotWriter writer(again, Names::real);
  for (const json& item : file["items"])
    writer.add(item, item["apiVersion"].get<std::string>(), item["kind"].get<std::string>());
  writer.finish({});
  CHECK(json::parse(out.str())["items"] == file["items"]);
  const Folder folder;
  Needs needs;
  needs.metrics.choice = MetricsChoice::automatic;
  needs.may_lack_nodes = true;
  const Snapshot back = collect_from_files(folder.write("s.json", file.dump()), needs);
  REQUIRE(back.samples.size() == kCards);
  CHECK(back.samples.back().measures.utilization == 0.005);
  CHECK(back.samples.back().measures.memory_used_bytes);
}

TEST_CASE("a redacted scrape has none of the cluster's names, and no prefix of a site") {
  const json file = written({series("acme_gpu_gfx_activity", 0)}, Names::redacted);
  CHECK(file.dump().find("acme") == std::string::npos);
  const json& kept = file["items"][1];
  CHECK(kept["node"] == file["items"][0]["metadata"]["name"]);
  REQUIRE(kept["series"].size() == 1);
  CHECK(kept["series"][0]["name"] == "gpu_gfx_activity");
}

}  // namespace gpu::input::snapshot_writer_test
