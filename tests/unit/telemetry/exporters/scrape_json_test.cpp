#include "telemetry/exporters/scrape_json.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace gpu::telemetry::exporters_scrape_json_test {

using Catch::Contains;
using nlohmann::json;
namespace {

const telemetry::Origin kOrigin = {.source = MetricSource::exporter,
                                   .exporter = "gpu-operator/dcgm-x",
                                   .node = "a",
                                   .read_at = parse_time("2026-11-01T12:00:00Z"),
                                   .interval = std::chrono::milliseconds(1500)};

/// Through text, as a file holds it.
Scrape through_text(const std::vector<telemetry::Series>& series, const telemetry::Origin& origin) {
  return scrape_of(json::parse(scrape_json(series, origin).dump()));
}

json scrape(const json& changes) {
  json object = scrape_json({{.name = "m", .labels = {{"gpu", "0"}}, .value = 1}}, kOrigin);
  object.merge_patch(changes);
  return object;
}

}  // namespace

TEST_CASE("a scrape comes back from its text as it was") {
  const std::vector<telemetry::Series> series = {
      {.name = "DCGM_FI_DEV_GPU_UTIL", .labels = {{"UUID", "GPU-1"}, {"gpu", "0"}}, .value = 97},
      {.name = "half", .labels = {}, .value = 0.1, .at = parse_time("2026-11-01T11:59:30Z")},
      {.name = "big", .labels = {{"text", "a\"b\\c\n\xc3\xa9"}}, .value = 9.223372036854775807e18},
      {.name = "inf", .labels = {}, .value = std::numeric_limits<double>::infinity()},
      {.name = "low", .labels = {}, .value = -std::numeric_limits<double>::infinity()}};
  const Scrape back = through_text(series, kOrigin);
  CHECK(back.series == series);
  CHECK(back.origin.source == MetricSource::exporter);
  CHECK(back.origin.exporter == kOrigin.exporter);
  CHECK(back.origin.node == kOrigin.node);
  CHECK(back.origin.read_at == kOrigin.read_at);
  CHECK(back.origin.interval == kOrigin.interval);
}

TEST_CASE("what is no number stays none, and what is not known stays unknown") {
  const Scrape back =
      through_text({{.name = "nan", .value = std::nan("")}}, {.source = MetricSource::prometheus});
  REQUIRE(back.series.size() == 1);
  CHECK(std::isnan(back.series[0].value));
  CHECK_FALSE(back.series[0].at);
  CHECK(back.origin.source == MetricSource::prometheus);
  CHECK(back.origin.node.empty());
  CHECK(back.origin.exporter.empty());
  CHECK_FALSE(back.origin.read_at);
}

TEST_CASE("a scrape has a name for those who search") {
  CHECK(scrape_json({}, kOrigin)["metadata"]["name"] == "gpu-operator/dcgm-x");
  CHECK(scrape_json({}, {.node = "a"})["metadata"]["name"] == "a");
  CHECK(scrape_json({}, {.source = MetricSource::custom})["metadata"]["name"] == "custom");
}

TEST_CASE("an empty label is no label") {
  const Scrape back = scrape_of(scrape(
      {{"series",
        json::array({json::parse(R"({"name": "m", "labels": {"pod": ""}, "value": 1})")})}}));
  CHECK(back.series[0].labels.empty());
}

TEST_CASE("a damaged scrape is refused with the place") {
  const auto [changes, place] = GENERATE(table<std::string, std::string>({
      {R"({"source": "guess"})", "source: expected exporter, prometheus, custom, or exec"},
      {R"({"source": null})", "source"},
      {R"({"node": 5})", "node: expected a string"},
      {R"({"exporter": []})", "exporter: expected a string"},
      {R"({"readAt": "noon"})", "readAt: expected a time"},
      {R"({"series": {}})", "series: expected an array"},
      {R"({"series": null})", "series: expected an array"},
      {R"({"series": [7]})", "series[0]: expected an object"},
      {R"({"series": [{"value": 1}]})", "series[0].name: expected a name"},
      {R"({"series": [{"name": "m", "value": "many"}]})", "series[0].value: expected a number"},
      {R"({"series": [{"name": "m"}]})", "series[0].value"},
      {R"({"series": [{"name": "m", "value": 1, "at": "x"}]})", "series[0].at"},
      {R"({"series": [{"name": "m", "value": 1, "labels": []}]})", "series[0].labels"},
      {R"({"series": [{"name": "m", "value": 1, "labels": {"a": 1}}]})", "series[0].labels.a"},
  }));
  CHECK_THROWS_WITH(scrape_of(scrape(json::parse(changes))), Contains("Scrape: " + place));
  CHECK_THROWS_AS(scrape_of(json(5)), Error);
}

TEST_CASE("whether a scrape goes on is yes or no") {
  CHECK(continues_other(scrape({{"continues", true}})));
  CHECK_FALSE(continues_other(scrape({{"continues", false}})));
  CHECK_FALSE(continues_other(scrape({})));
  CHECK_FALSE(continues_other(json{{"continues", nullptr}}));
  for (const json& odd : {json("yes"), json(1), json::array(), json::object()})
    CHECK_THROWS_WITH(continues_other(json{{"continues", odd}}),
                      "Scrape: continues: expected true or false");
}

}  // namespace gpu::telemetry::exporters_scrape_json_test
