#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "report/fixture.hpp"
#include "report/render.hpp"

namespace report_json_test {

using namespace gpu::report;
using namespace gpu::report::fixture;
using nlohmann::ordered_json;

namespace {

std::string json(const Report& report) { return render(report, Format::json, piped()); }

Report small() {
  Report report = one_column(left("name", "NODE", kAll), {"gpu-a1"});
  report.kind = "NodeUsageList";
  report.table.columns.push_back(left("", "ALLOCATED", kPeople));
  report.table.rows[0].emplace_back(Share{6, 8});
  report.table.columns.push_back(left("sharing", "", kMachine));
  report.table.rows[0].emplace_back(Record{{"strategy", "mps"}, {"replicas", 4}});
  report.table.columns.push_back(left("pods", "", kMachine));
  report.table.rows[0].emplace_back(List{Record{{"name", "asr-0"}}, List{}, Record{}});
  report.table.columns.push_back(left("utilization", "", kMachine));
  report.table.rows[0].emplace_back();
  report.machine_summary = {{"free", 6}};
  report.gaps = {{"no utilization", "no exporter", "kubectl gpu doctor metrics"}};
  return report;
}

}  // namespace

TEST_CASE("an answer in JSON, key by key") {
  CHECK(json(small()) == R"({
  "apiVersion": "kubectl-gpu/v1",
  "kind": "NodeUsageList",
  "items": [
    {
      "name": "gpu-a1",
      "sharing": {
        "strategy": "mps",
        "replicas": 4
      },
      "pods": [
        {
          "name": "asr-0"
        },
        [],
        {}
      ],
      "utilization": null
    }
  ],
  "summary": {
    "free": 6
  },
  "gaps": [
    {
      "what": "no utilization",
      "why": "no exporter",
      "help": "kubectl gpu doctor metrics"
    }
  ]
}
)");
}

TEST_CASE("an empty answer in JSON has all its keys") {
  CHECK(json({.kind = "CostList"}) ==
        "{\n  \"apiVersion\": \"kubectl-gpu/v1\",\n  \"kind\": \"CostList\",\n  \"items\": [],\n"
        "  \"summary\": {},\n  \"gaps\": []\n}\n");
}

TEST_CASE("the layout is that of a common printer") {
  const std::string text = json(small());
  CHECK(ordered_json::parse(text).dump(2) + '\n' == text);
}

TEST_CASE("numbers are raw") {
  const ordered_json answer = ordered_json::parse(json(top_nodes()));
  REQUIRE(answer["items"].size() == 6);
  CHECK(answer["items"][0]["utilization"] == 0.91);
  CHECK(answer["items"][0]["memoryUsedBytes"] == 595 * kGi);
  CHECK(answer["items"][0]["powerWatts"] == 5210);
  CHECK(answer["items"][3]["utilization"].is_null());
  CHECK_FALSE(answer["items"][0].contains("allocation"));
}

TEST_CASE("every text reads back, and no terminal obeys it") {
  for (const std::string text : {"plain", "quo\"te \\", "\x1b[2J", "tab\tline\n", "\x7f",
                                 "\u009b31m", "a\u202eb", "图 é 😀", "\u202e😀", "\u2028"}) {
    const std::string out = json(one_column(left("t", "", kMachine), {text}));
    INFO(out);
    CHECK(ordered_json::parse(out)["items"][0]["t"] == text);
    for (const char* code : {"\x1b", "\x7f", "\u009b", "\u202e", "\u2028"})
      CHECK(out.find(code) == std::string::npos);
  }
  CHECK(json(one_column(left("t", "", kMachine), {"图"})).find("\"图\"") != std::string::npos);
}

TEST_CASE("broken UTF-8 is replaced, also in keys") {
  const std::string out =
      json(one_column(left("t", "", kMachine), {Record{{"k\xff\"", "v\xf0\x9f\x98"}}}));
  CHECK(ordered_json::parse(out)["items"][0]["t"]["k\uFFFD\""] == "v\uFFFD");
}

TEST_CASE("a mark in a column for machines is our bug, and said so") {
  CHECK_THROWS_AS(json(one_column(left("t", "", kMachine), {Share{1, 2}})), gpu::Error);
}

}  // namespace report_json_test
