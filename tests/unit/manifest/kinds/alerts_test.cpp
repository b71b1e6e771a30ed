#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_alerts_test {
namespace {

GenOptions alerts() {
  GenOptions options;
  options.name = "gpu";
  return options;
}

/// The field of the alert or record with this name; "-" where it has none.
std::string rule(const GenOptions& options, const std::string& name, const char* field) {
  const Tree object = made("alerts", options).documents.front();
  for (int group = 0; group < 3; ++group) {
    const std::string rules = "spec.groups[" + std::to_string(group) + "].rules[";
    for (int index = 0; text_at(object, rules + std::to_string(index) + "]") != "-"; ++index) {
      const std::string path = rules + std::to_string(index) + "].";
      if (text_at(object, path + "alert") == name || text_at(object, path + "record") == name)
        return std::get<std::string>(at(object, path + field)->value());
    }
  }
  return "no rule " + name;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("alerts carry the label by which Prometheus selects rules") {
  const Generated rules = made("alerts", alerts());
  REQUIRE(rules.documents.size() == 1);
  CHECK(text_at(rules.documents[0], "apiVersion") == "monitoring.coreos.com/v1");
  CHECK(text_at(rules.documents[0], "kind") == "PrometheusRule");
  CHECK(text_at(rules.documents[0], "metadata") ==
        "{name: gpu, labels: {release: kube-prometheus-stack}}");
  CHECK(comments_on(rules, "--release changes it"));
  CHECK(says(rules, "honorLabels: true"));
  CHECK(says(rules, "kube-state-metrics"));
  CHECK(is_read_back(rules.documents));
}

TEST_CASE("--release, --label and --namespace say where alerts belong") {
  GenOptions options = alerts();
  options.release = "prom";
  options.ns = "monitoring";
  options.labels = {{"team", "infra"}};
  CHECK(text_at(made("alerts", options).documents.front(), "metadata") ==
        "{name: gpu, namespace: monitoring, labels: {release: prom, team: infra}}");
}

TEST_CASE("--hot is the temperature that is too hot") {
  CHECK(has(rule(alerts(), "GPUTooHot", "expr"), "> 85"));
  GenOptions options = alerts();
  options.hot_celsius = 92;
  CHECK(has(rule(options, "GPUTooHot", "expr"), "> 92"));
  options.hot_celsius = 185;
  CHECK(refusal("alerts", options) == "no GPU gets as hot as `--hot 185`");
}

TEST_CASE("--idle-after is how long a pod may hold a GPU that does nothing") {
  CHECK(rule(alerts(), "GPUHeldButIdle", "for") == "1h");
  GenOptions options = alerts();
  options.idle_seconds = 90 * 60;
  CHECK(rule(options, "GPUHeldButIdle", "for") == "1h30m");
  CHECK(has(rule(options, "GPUHeldButIdle", "annotations.summary"), "for 1h30m"));
  CHECK(is_read_back(made("alerts", options).documents));
  options.idle_seconds = 60;
  CHECK(rule(options, "GPUHeldButIdle", "for") == "1m");
  options.idle_seconds = 59;
  CHECK(refusal("alerts", options) == "`--idle-after 59s` is less than a minute");
}

TEST_CASE("alerts on use speak of pods alone, and those on health of all cards") {
  CHECK(has(rule(alerts(), "pod_gpu:busy_percent:max", "expr"), R"(pod!="",)"));
  CHECK(has(rule(alerts(), "GPUMemoryNearlyFull", "expr"), R"(pod!="",)"));
  for (const char* name : {"GPUTooHot", "GPUXidError", "GPURowRemapFailure"})
    CHECK_FALSE(has(rule(alerts(), name, "expr"), "pod"));
}

TEST_CASE("alerts name the node as exporters before and after 4.8.3 do") {
  CHECK(has(rule(alerts(), "GPUTooHot", "expr"), "Hostname, hostname"));
  CHECK(has(rule(alerts(), "GPUTooHot", "annotations.summary"),
            "{{ or $labels.Hostname $labels.hostname }}"));
}

}  // namespace gpu::manifest::test::kinds_alerts_test
