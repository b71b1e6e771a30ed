#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <set>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_dashboard_test {
namespace {

using nlohmann::json;

GenOptions dashboard(std::string name = "gpu") {
  GenOptions options;
  options.name = std::move(name);
  return options;
}

json board_of(const GenOptions& options) {
  const Tree object = made("dashboard", options).documents.front();
  const std::string path = "data." + options.name + ".json";
  return json::parse(std::get<std::string>(at(object, path)->value()));
}

}  // namespace

TEST_CASE("a dashboard is a ConfigMap that Grafana's sidecar takes") {
  GenOptions options = dashboard();
  options.ns = "monitoring";
  const Generated map = made("dashboard", options);
  REQUIRE(map.documents.size() == 1);
  CHECK(text_at(map.documents[0], "kind") == "ConfigMap");
  CHECK(text_at(map.documents[0], "metadata") ==
        R"({name: gpu, namespace: monitoring, labels: {grafana_dashboard: "1"}})");
  CHECK(says(map, "honorLabels: true"));
  CHECK(is_read_back(map.documents));
}

TEST_CASE("a dashboard can be imported anywhere: no id, a uid, and a variable for the source") {
  const json board = board_of(dashboard("team-gpus"));
  CHECK(board.at("id").is_null());
  CHECK(board.at("uid") == "team-gpus");
  CHECK(board.at("schemaVersion") == 39);
  std::set<std::string> names;
  for (const json& each : board.at("templating").at("list")) names.insert(each.at("name"));
  CHECK(names == std::set<std::string>{"datasource", "namespace", "node", "pod"});
  CHECK(board.at("templating").at("list").at(0).at("type") == "datasource");
  std::set<int> ids;
  for (const json& panel : board.at("panels")) {
    ids.insert(panel.at("id").get<int>());
    CHECK(panel.at("datasource").at("uid") == "${datasource}");
    for (const json& target : panel.at("targets"))
      CHECK(target.at("datasource").at("uid") == "${datasource}");
  }
  CHECK(ids.size() == board.at("panels").size());
}

TEST_CASE("--idle-after is what the panels of idle GPUs look back") {
  GenOptions options = dashboard();
  CHECK(board_of(options).at("panels").at(2).at("title") == "Held and idle for 1h");
  options.idle_seconds = 2 * 3600;
  const json panels = board_of(options).at("panels");
  CHECK(panels.at(2).at("title") == "Held and idle for 2h");
  CHECK(panels.at(2).at("targets").at(0).at("expr").get<std::string>().find("[2h:1m]") !=
        std::string::npos);
  options.idle_seconds = 30;
  CHECK(refusal("dashboard", options) == "`--idle-after 30s` is less than a minute");
}

TEST_CASE("panels lie side by side, in the 24 columns of Grafana") {
  std::set<std::pair<int, int>> taken;
  const json panels = board_of(dashboard()).at("panels");
  for (const json& panel : panels) {
    const json& place = panel.at("gridPos");
    const int right = place.at("x").get<int>() + place.at("w").get<int>();
    const int bottom = place.at("y").get<int>() + place.at("h").get<int>();
    CHECK(right <= 24);
    for (int x = place.at("x"); x < right; ++x)
      for (int y = place.at("y"); y < bottom; ++y) CHECK(taken.emplace(x, y).second);
  }
}

TEST_CASE("a name that Grafana takes as no uid is refused") {
  CHECK(refusal("dashboard", dashboard(std::string(40, 'a'))).empty());
  CHECK_FALSE(refusal("dashboard", dashboard(std::string(41, 'a'))).empty());
}

}  // namespace gpu::manifest::test::kinds_dashboard_test
