#include "telemetry/prometheus/service.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace gpu::telemetry::prometheus_service_test {
namespace {

using nlohmann::json;
using Labels = std::map<std::string, std::string>;
using Ports = std::vector<std::pair<std::string, int>>;

json service(const std::string& ns, const std::string& name, const Labels& labels,
             const Ports& ports) {
  json result;
  result["metadata"] = {{"namespace", ns}, {"name", name}, {"labels", labels}};
  for (const auto& [port, number] : ports)
    result["spec"]["ports"].push_back({{"name", port}, {"port", number}});
  return result;
}

std::string path_of(const json& service) {
  const auto found = prometheus_service_of(service);
  return found ? proxy_path(*found) : "none";
}

int rank_of(const json& service) { return prometheus_service_of(service).value().rank; }

const Labels kNone;

TEST_CASE("Each stack is asked where its API begins") {
  CHECK(path_of(service("monitoring", "prometheus-k8s", {{"app.kubernetes.io/name", "prometheus"}},
                        {{"web", 9090}, {"reloader-web", 8080}})) ==
        "/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy");
  CHECK(path_of(service("mon", "kps-prometheus",
                        {{"app", "kube-prometheus-stack-prometheus"}, {"self-monitor", "true"}},
                        {{"http-web", 9090}, {"reloader-web", 8080}})) ==
        "/api/v1/namespaces/mon/services/kps-prometheus:9090/proxy");
  CHECK(path_of(service(
            "p", "p-server",
            {{"app.kubernetes.io/name", "prometheus"}, {"app.kubernetes.io/component", "server"}},
            {{"http", 80}})) == "/api/v1/namespaces/p/services/p-server:80/proxy");
  CHECK(path_of(service("vm", "vmselect-x", {{"app.kubernetes.io/name", "vmselect"}},
                        {{"http", 8481}})) ==
        "/api/v1/namespaces/vm/services/vmselect-x:8481/proxy/select/0/prometheus");
  CHECK(path_of(service("vm", "vmsingle-x", {{"app.kubernetes.io/name", "vmsingle"}},
                        {{"http", 8428}})) ==
        "/api/v1/namespaces/vm/services/vmsingle-x:8428/proxy");
  CHECK(path_of(service("mimir", "mimir-nginx", kNone, {{"http-metric", 80}})) ==
        "/api/v1/namespaces/mimir/services/mimir-nginx:80/proxy/prometheus");
  CHECK(path_of(service("gmp", "frontend", {{"app", "frontend"}}, {{"web", 9090}})) ==
        "/api/v1/namespaces/gmp/services/frontend:9090/proxy");
  CHECK(path_of(service("cattle-monitoring-system", "rancher-monitoring-prometheus", kNone,
                        {{"http-web", 9090}})) ==
        "/api/v1/namespaces/cattle-monitoring-system/services/rancher-monitoring-prometheus:9090"
        "/proxy");
  CHECK(path_of(service("t", "thanos-query", kNone, {{"grpc", 10901}, {"http", 10902}})) ==
        "/api/v1/namespaces/t/services/thanos-query:10902/proxy");
  CHECK(path_of(service("t", "prometheus-secure", kNone, {{"https", 9090}})) ==
        "/api/v1/namespaces/t/services/https:prometheus-secure:9090/proxy");
  CHECK(path_of(service("t", "prometheus", kNone, {{"https", 443}, {"x", 9090}})) ==
        "/api/v1/namespaces/t/services/https:prometheus:443/proxy");
}

TEST_CASE("What belongs to such stacks and answers no queries is left alone") {
  for (const char* name :
       {"alertmanager-main", "grafana", "prometheus-operator", "kps-prometheus-node-exporter",
        "prometheus-pushgateway", "kps-kube-state-metrics", "prometheus-adapter",
        "kps-prometheus-thanos-discovery", "thanos-storegateway", "kps-kube-prometheus-coredns"})
    CHECK(path_of(service("m", name, kNone, {{"http", 8080}})) == "none");
  CHECK(path_of(service("shop", "frontend", {{"app", "frontend"}}, {{"http", 80}})) == "none");
  CHECK(path_of(service("m", "web", kNone, {{"http", 9090}})) == "none");
  CHECK(path_of(json::parse(R"({"metadata":{"name":"prometheus","namespace":"m"}})")) == "none");
  CHECK(path_of(json::parse(R"({"metadata":[],"spec":{"ports":"x"}})")) == "none");
}

TEST_CASE("Layers over several servers come first, headless doubles behind their own") {
  const int thanos = rank_of(service("t", "thanos-query", kNone, {{"http", 10902}}));
  const int vmselect = rank_of(service("t", "vmselect-a", kNone, {{"http", 8481}}));
  const int server = rank_of(service("t", "prometheus-k8s", kNone, {{"web", 9090}}));
  const int operated =
      rank_of(service("t", "prometheus-operated",
                      {{"operated-prometheus", "true"}, {"app.kubernetes.io/name", "prometheus"}},
                      {{"web", 9090}}));
  const int other = rank_of(service("t", "my-prometheus", kNone, {{"web", 9090}}));
  CHECK(thanos < vmselect);
  CHECK(vmselect < server);
  CHECK(server < operated);
  CHECK(operated < other);
}

TEST_CASE("What stands where anybody may have made it comes last") {
  const json fake = service("team-a", "thanos-query", kNone, {{"http", 10902}});
  const json real = service("monitoring", "my-prometheus", kNone, {{"web", 9090}});
  CHECK(rank_of(real) < rank_of(fake));
  CHECK_FALSE(prometheus_service_of(fake)->is_in_usual_namespace);
  CHECK(prometheus_service_of(real)->is_in_usual_namespace);
  CHECK(prometheus_service_typed("team-a/thanos-query:10902").is_in_usual_namespace);
}

TEST_CASE("Layers hear what they want") {
  const auto thanos = prometheus_service_of(service("t", "thanos-query", kNone, {{"http", 10902}}));
  REQUIRE(thanos);
  CHECK(thanos->parameters.size() == 2);
  const auto mimir = prometheus_service_of(service("t", "mimir-gateway", kNone, {{"http", 80}}));
  REQUIRE(mimir);
  CHECK(mimir->headers.front().first == "X-Scope-OrgID");
}

TEST_CASE("OpenShift's Thanos wants a token") {
  const auto found = prometheus_service_of(
      service("openshift-monitoring", "thanos-querier", kNone, {{"web", 9091}}));
  REQUIRE(found);
  CHECK(found->wants_token);
}

TEST_CASE("A service can be typed with port, scheme and path") {
  CHECK(proxy_path(prometheus_service_typed("mon/prom:9090")) ==
        "/api/v1/namespaces/mon/services/prom:9090/proxy");
  CHECK(proxy_path(prometheus_service_typed("mon/prom:web/prefix/")) ==
        "/api/v1/namespaces/mon/services/prom:web/proxy/prefix");
  CHECK(proxy_path(prometheus_service_typed("mon/https:prom:9091")) ==
        "/api/v1/namespaces/mon/services/https:prom:9091/proxy");
  CHECK(proxy_path(prometheus_service_typed("mon/https:prom")) ==
        "/api/v1/namespaces/mon/services/https:prom:/proxy");
  CHECK(proxy_path(prometheus_service_typed("mon/prom:80/api/v1")) ==
        "/api/v1/namespaces/mon/services/prom:80/proxy");
  CHECK(shown(prometheus_service_typed("mon/prom:9090/x")) == "mon/prom:9090/x");
  for (const char* wrong : {"", "prom", "mon/", "/prom", "mon/prom:", "mon/prom:9 0", "Mon/prom:1",
                            "mon/prom:1/a?b", "mon/pr%2fom:1", "mon/ftp:prom:1"})
    CHECK_THROWS_AS(prometheus_service_typed(wrong), Error);
}

TEST_CASE("A path that was copied with the API's own is cut before that") {
  CHECK(query_base("/prometheus/api/v1/query") == "/prometheus");
  CHECK(query_base("/api/v1/") == "");
  CHECK(query_base("/query") == "/query");
  CHECK(query_base("/") == "");
}

}  // namespace
}  // namespace gpu::telemetry::prometheus_service_test
