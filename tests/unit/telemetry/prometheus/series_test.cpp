#include "telemetry/prometheus/series.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace gpu::telemetry::prometheus_series_test {
namespace {

using telemetry::Series;

Series series(const std::string& name, StringMap labels, double value = 1) {
  return {.name = name, .labels = std::move(labels), .value = value};
}

Time at(std::int64_t unix) { return Time{std::chrono::seconds{unix}}; }

TEST_CASE("A series gets the time of the one with the same labels") {
  std::vector<Series> all = {
      series("A", {{"UUID", "1"}, {"pod", "old"}}), series("A", {{"UUID", "1"}, {"pod", "new"}}),
      series("B", {{"UUID", "1"}, {"pod", "new"}}), series("A", {{"UUID", "2"}})};
  const std::vector<Series> ages = {series("", {{"UUID", "1"}, {"pod", "old"}}, 1764322700.5),
                                    series("", {{"UUID", "1"}, {"pod", "new"}}, 1764322900),
                                    series("", {{"UUID", "2"}}, std::nan(""))};
  CHECK(set_times(all, ages) == 1);
  CHECK(all[0].at == at(1764322700));
  CHECK(all[1].at == at(1764322900));
  CHECK(all[2].at == at(1764322900));
  CHECK_FALSE(all[3].at);
}

TEST_CASE("Times that are missing are asked for by few names") {
  const std::vector<Series> all = {series("A", {{"u", "1"}}), series("A", {{"u", "2"}}),
                                   series("B", {{"u", "1"}}), series("C", {{"u", "3"}}),
                                   series("x\"}", {{"u", "4"}})};
  CHECK(more_age_queries(all, 5) == std::vector<std::string>{"timestamp(A)", "timestamp(C)"});
  CHECK(more_age_queries(all, 1).size() == 1);
  CHECK(more_age_queries({}, 5).empty());
}

TEST_CASE("Several series of a device without times are none, but for replicas") {
  std::vector<Series> all = {
      series("A", {{"UUID", "1"}, {"pod", "x"}}), series("A", {{"UUID", "1"}, {"pod", "y"}}),
      series("B", {{"UUID", "1"}, {"pod", "x"}}), series("A", {{"UUID", "2"}, {"vgpu", "0"}}),
      series("A", {{"UUID", "2"}, {"vgpu", "1"}})};
  CHECK(drop_undecidable(all) == 2);
  CHECK(all.size() == 3);
}

Snapshot one_node() {
  Snapshot snapshot;
  Node node;
  node.name = "gpu-a";
  snapshot.nodes.push_back(node);
  return snapshot;
}

const std::vector<Exporter> kExporters = {{.ns = "ops", .pod = "dcgm-x7x7x", .node = "gpu-a"}};

std::vector<Series> kept(std::vector<Series> all, const std::vector<Exporter>& exporters) {
  keep_cluster(all, choose_cluster(all, exporters, one_node()));
  return all;
}

TEST_CASE("One cluster is this one, with or without its name on all series") {
  const std::vector<Series> all = {series("A", {{"cluster", "east"}}),
                                   series("B", {{"cluster", "east"}})};
  CHECK(kept(all, {}).size() == 2);
  std::vector<Series> averages = {series("A:avg", {})};
  keep_cluster(averages, choose_cluster(all, {}, one_node()));
  CHECK(averages.size() == 1);
}

TEST_CASE("Of several clusters that of the exporters here stays") {
  const std::vector<Series> all = {
      series("A", {{"cluster", "east"}, {"namespace", "ops"}, {"pod", "dcgm-x7x7x"}}),
      series("B", {{"cluster", "east"}}), series("A", {{"cluster", "west"}, {"node", "gpu-a"}}),
      series("A", {})};
  const std::vector<Series> left = kept(all, kExporters);
  REQUIRE(left.size() == 2);
  CHECK(cluster_of(left[1]) == "east");
  std::vector<Series> averages = {series("A:avg", {}), series("A:avg", {{"cluster", "east"}})};
  keep_cluster(averages, choose_cluster(all, kExporters, one_node()));
  CHECK(averages.size() == 1);
}

TEST_CASE("Of several clusters that with a node of this name stays, if only one has it") {
  std::vector<Series> all = {series("A", {{"cluster", "east"}, {"node", "gpu-a"}}),
                             series("A", {{"cluster", "west"}, {"node", "gpu-w"}})};
  CHECK(kept(all, {}).size() == 1);
  all.push_back(series("A", {{"cluster", "west"}, {"node", "gpu-a"}}));
  CHECK(kept(all, {}).empty());
  CHECK(choose_cluster(all, {}, one_node()).clusters.size() == 2);
}

TEST_CASE("Series are parted by their target") {
  const auto targets =
      by_target({series("A", {{"instance", "1"}}), series("A", {{"instance", "2"}}),
                 series("B", {{"instance", "1"}}), series("C", {})});
  REQUIRE(targets.size() == 3);
  CHECK(targets[0].size() == 2);
}

}  // namespace
}  // namespace gpu::telemetry::prometheus_series_test
