#include <catch2/catch.hpp>

#include "manifest/kinds/made.hpp"

namespace gpu::manifest::test::kinds_servicemonitor_test {
namespace {

GenOptions monitor(std::string preset = {}) {
  GenOptions options;
  options.name = "dcgm";
  options.preset = std::move(preset);
  return options;
}

std::string endpoint(const GenOptions& options, const char* field) {
  return text_at(made("servicemonitor", options).documents.front(),
                 std::string("spec.endpoints[0].") + field);
}

}  // namespace

TEST_CASE("a servicemonitor is found by the Prometheus of the release") {
  const Generated found = made("servicemonitor", monitor());
  REQUIRE(found.documents.size() == 1);
  CHECK(text_at(found.documents[0], "apiVersion") == "monitoring.coreos.com/v1");
  CHECK(text_at(found.documents[0], "kind") == "ServiceMonitor");
  CHECK(text_at(found.documents[0], "metadata.labels") == "{release: kube-prometheus-stack}");
  CHECK(is_read_back(found.documents));
  GenOptions options = monitor();
  options.release = "prom";
  CHECK(text_at(made("servicemonitor", options).documents[0], "metadata.labels") ==
        "{release: prom}");
}

TEST_CASE("a servicemonitor keeps the namespace and pod that hold the GPU") {
  CHECK(endpoint(monitor(), "honorLabels") == "true");
  CHECK(comments_on(made("servicemonitor", monitor()), "those of the pod that holds the GPU"));
  // Those of the exporter must not stand where a GPU is held by nobody.
  CHECK(endpoint(monitor(), "relabelings[1]") ==
        R"({action: labeldrop, regex: "namespace|pod|container"})");
  CHECK(endpoint(monitor(), "relabelings[0]") ==
        R"({sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: node})");
}

TEST_CASE("--preset says how dcgm-exporter was installed: its Service, and the name of its port") {
  const Generated of_operator = made("servicemonitor", monitor());
  CHECK(endpoint(monitor(), "port") == "gpu-metrics");
  CHECK(text_at(of_operator.documents[0], "spec.selector.matchLabels") ==
        "{app: nvidia-dcgm-exporter}");
  CHECK(says(of_operator, "--preset dcgm-exporter"));
  const Generated of_chart = made("servicemonitor", monitor("dcgm-exporter"));
  CHECK(endpoint(monitor("dcgm-exporter"), "port") == "metrics");
  CHECK(text_at(of_chart.documents[0], "spec.selector.matchLabels") ==
        "{app.kubernetes.io/name: dcgm-exporter}");
  CHECK(of_chart.notes.empty());
  CHECK(endpoint(monitor("gpu-operator"), "port") == "gpu-metrics");
  CHECK(refusal("servicemonitor", monitor("amd")) == "there is no preset `amd`");
}

TEST_CASE("a servicemonitor finds the exporter in every namespace") {
  CHECK(text_at(made("servicemonitor", monitor()).documents[0], "spec.namespaceSelector") ==
        "{any: true}");
}

}  // namespace gpu::manifest::test::kinds_servicemonitor_test
