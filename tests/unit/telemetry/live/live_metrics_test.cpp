#include "telemetry/live/live_metrics.hpp"
#include "kube/collect/collect.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kube/api_stub.hpp"

namespace gpu::telemetry::live_live_metrics_test {

using Catch::Contains;
using nlohmann::json;

using namespace gpu::kube;
namespace {

constexpr const char* kPods = "/api/v1/pods";
const std::string kText =
    "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"x\"} 97\n"
    "DCGM_FI_DEV_GPU_UTIL{gpu=\"1\",UUID=\"GPU-b\",Hostname=\"x\"} 0\n";

json list(const std::string& kind, const std::vector<json>& items) {
  return {{"kind", kind}, {"metadata", {{"resourceVersion", "7"}}}, {"items", items}};
}

json gpu_node(const std::string& name) {
  json node = {{"metadata", {{"name", name}}}};
  node["status"]["capacity"] = node["status"]["allocatable"] = {{"nvidia.com/gpu", "2"}};
  return node;
}

json exporter_pod(const std::string& name, const std::string& node, const std::string& ready) {
  json pod = json::parse(R"({"spec": {"containers": [{"image": "nvidia/dcgm-exporter:4",
      "ports": [{"name": "metrics", "containerPort": 9400}]}]},
      "status": {"phase": "Running", "podIP": "10.1.2.3"}})");
  pod["metadata"] = {{"namespace", "mon"}, {"name", name}};
  pod["spec"]["nodeName"] = node;
  pod["status"]["conditions"] = json::array({{{"type", "Ready"}, {"status", ready}}});
  return pod;
}

std::string proxied(const std::string& pod) {
  return "/api/v1/namespaces/mon/pods/" + pod + ":9400/proxy/metrics";
}

std::map<std::string, std::string> cluster(const std::vector<json>& nodes,
                                           const std::vector<json>& pods) {
  return {{"/api/v1/nodes", list("NodeList", nodes).dump()},
          {kPods, list("PodList", pods).dump()},
          {"/api/v1/namespaces/ml/pods", list("PodList", {}).dump()}};
}

Needs asking(MetricsChoice choice) {
  Needs needs;
  needs.metrics.choice = choice;
  return needs;
}

Snapshot read(const ApiStub& stub, const Needs& needs) {
  Client client = stub.client();
  return collect(client, needs);
}

std::string gaps_of(const Snapshot& snapshot) {
  std::string text;
  for (const Gap& gap : snapshot.gaps)
    text += (gap.about == GapTopic::use ? "use: " : "other: ") + gap.what + " | " + gap.why +
            " | " + gap.help + "\n";
  return text;
}

}  // namespace

TEST_CASE("exporters among the pods are read, where live use is asked for") {
  auto served = cluster({gpu_node("a"), gpu_node("b")},
                        {exporter_pod("x", "a", "True"), exporter_pod("y", "b", "True"),
                         exporter_pod("z", "elsewhere", "True")});
  served[proxied("x")] = served[proxied("y")] = kText;
  const ApiStub stub(served);
  SECTION("not asked for") {
    const Snapshot snapshot = read(stub, asking(MetricsChoice::none));
    CHECK(snapshot.samples.empty());
    CHECK(snapshot.use_coverage == Coverage::none);
    CHECK(snapshot.gaps.empty());
    CHECK(stub.times(proxied("x")) == 0);
  }
  SECTION("asked for") {
    const auto choice = GENERATE(MetricsChoice::exporter, MetricsChoice::automatic);
    const Snapshot snapshot = read(stub, asking(choice));
    REQUIRE(snapshot.samples.size() == 4);
    CHECK(snapshot.samples[0].node == "a");
    CHECK(snapshot.samples[3].node == "b");
    CHECK(snapshot.use_coverage == Coverage::whole);
    CHECK(gaps_of(snapshot).empty());
    CHECK(stub.times(proxied("z")) == 0);
  }
}

TEST_CASE("a snapshot's writer hears of each scrape") {
  auto served = cluster({gpu_node("a")}, {exporter_pod("x", "a", "True")});
  served[proxied("x")] = kText;
  served["/version"] = R"({"gitVersion":"v1.36.1"})";
  const ApiStub stub(served);
  Needs needs = asking(MetricsChoice::exporter);
  std::vector<std::string> kinds;
  needs.on_object = [&](const json&, std::string_view, std::string_view kind) {
    kinds.emplace_back(kind);
  };
  read(stub, needs);
  CHECK(std::count(kinds.begin(), kinds.end(), "Scrape") == 1);
}

TEST_CASE("an exporter that is not ready is named with its node") {
  auto served = cluster({gpu_node("a"), gpu_node("b")},
                        {exporter_pod("x", "a", "True"), exporter_pod("y", "b", "False")});
  served[proxied("x")] = kText;
  const ApiStub stub(served);
  const Snapshot snapshot = read(stub, asking(MetricsChoice::exporter));
  CHECK(snapshot.use_coverage == Coverage::partial);
  CHECK_THAT(gaps_of(snapshot), Contains("use: no metrics from b: y is not ready") &&
                                    Contains("kubectl describe pod -n mon y"));
  CHECK(snapshot.gaps.at(0).missing == Missing::metrics);
  CHECK(snapshot.gaps.at(0).help_form == HelpForm::command);
  CHECK(stub.times(proxied("y")) == 0);
}

TEST_CASE("many exporters with one fault are one gap") {
  std::vector<json> nodes;
  std::vector<json> pods;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    nodes.push_back(gpu_node("n" + n));
    pods.push_back(exporter_pod("x" + n, "n" + n, "False"));
  }
  const Snapshot snapshot = read(ApiStub(cluster(nodes, pods)), asking(MetricsChoice::exporter));
  CHECK(snapshot.gaps.size() == 1);
  CHECK_THAT(gaps_of(snapshot),
             Contains("no metrics from 6 nodes (n0, n1, n2, ...): 6 exporters are not ready") &&
                 Contains("the first is dcgm-exporter mon/x0"));
}

TEST_CASE("without an exporter it is said what was looked for, and where") {
  const Snapshot snapshot =
      read(ApiStub(cluster({gpu_node("a")}, {})), asking(MetricsChoice::exporter));
  CHECK(snapshot.use_coverage == Coverage::none);
  CHECK_THAT(gaps_of(snapshot),
             Contains("no utilization: no dcgm-exporter found in any namespace") &&
                 Contains("looked for pods of dcgm-exporter by labels and images") &&
                 Contains("kubectl gpu top --exporter NAMESPACE/POD:PORT"));
  auto served = cluster({gpu_node("a"), gpu_node("b")}, {exporter_pod("x", "a", "True")});
  served[proxied("x")] = kText;
  CHECK_THAT(gaps_of(read(ApiStub(served), asking(MetricsChoice::exporter))),
             Contains("no metrics from b: no dcgm-exporter runs there"));
}

TEST_CASE("a cluster without GPUs lacks no exporter") {
  json node = gpu_node("a");
  node["status"]["capacity"] = node["status"]["allocatable"] = {{"cpu", "2"}};
  CHECK(read(ApiStub(cluster({node}, {})), asking(MetricsChoice::automatic)).gaps.empty());
}

TEST_CASE("what a refusal needs is printed to be pasted") {
  ApiStub stub(cluster({gpu_node("a")}, {exporter_pod("x", "a", "True")}));
  stub.fail(proxied("x"), "403 Forbidden",
            R"({"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":
            "pods \"x\" is forbidden: User \"jo\" cannot get resource \"pods/proxy\" in API group \"\" in the namespace \"mon\""})");
  const Snapshot snapshot = read(stub, asking(MetricsChoice::exporter));
  CHECK_THAT(gaps_of(snapshot),
             Contains("no metrics from a: x cannot be read (forbidden)") &&
                 Contains("the verb `get` on the resource `pods/proxy`") &&
                 Contains("kubectl create role kubectl-gpu-pods-proxy -n mon --verb=get "
                          "--resource=pods/proxy\n") &&
                 Contains("kubectl create rolebinding kubectl-gpu-pods-proxy -n mon "
                          "--role=kubectl-gpu-pods-proxy --user=jo"));
}

TEST_CASE("of one namespace, exporters are looked for in all") {
  auto served = cluster({gpu_node("a")}, {exporter_pod("x", "a", "True")});
  served[proxied("x")] = kText;
  ApiStub stub(served);
  Needs needs = asking(MetricsChoice::exporter);
  needs.only_namespace = "ml";
  SECTION("allowed") {
    const Snapshot snapshot = read(stub, needs);
    CHECK(snapshot.samples.size() == 2);
    CHECK(snapshot.use_coverage == Coverage::whole);
    CHECK(snapshot.sums.empty());  // pods of others count nowhere
    CHECK(stub.times(proxied("x")) == 1);
  }
  SECTION("forbidden") {
    stub.forbid(kPods, "pods");
    CHECK_THAT(gaps_of(read(stub, needs)),
               Contains("use: exporters of GPU metrics in other namespaces cannot be found") &&
                   Contains("found in the namespaces seen here"));
  }
}

TEST_CASE("an exporter by hand is of its pod's node, by a port's name, too") {
  auto served = cluster({gpu_node("a")}, {});
  json pod = exporter_pod("mine", "a", "True");
  pod["kind"] = "Pod";
  served["/api/v1/namespaces/mon/pods/mine"] = pod.dump();
  served[proxied("mine")] = kText;
  Needs needs = asking(MetricsChoice::exporter);
  needs.metrics.exporters = {"mon/mine:metrics"};
  const Snapshot snapshot = read(ApiStub(served), needs);
  REQUIRE(snapshot.samples.size() == 2);
  CHECK(snapshot.samples[0].node == "a");
  CHECK(snapshot.use_coverage == Coverage::whole);
  CHECK(gaps_of(snapshot).empty());
  needs.metrics.exporters = {"mon/other:9400"};
  CHECK_THAT(gaps_of(read(ApiStub(served), needs)),
             Contains("the exporter mon/other was not found") && !Contains("gone"));
  served["/api/v1/namespaces/mon/pods"] =
      R"({"kind":"PartialObjectMetadataList","items":[{"metadata":{"name":"others"}},{}]})";
  CHECK_THAT(gaps_of(read(ApiStub(served), needs)), Contains("a similar one is mon/others"));
  needs.metrics.exporters = {"mon/mine:web"};
  CHECK_THAT(gaps_of(read(ApiStub(served), needs)),
             Contains("the exporter mon/mine has no port web") && Contains("(metrics)"));
  needs.metrics.exporters = {"mon"};
  const ApiStub untouched(served);
  CHECK_THROWS_WITH(read(untouched, needs), Contains("that is no port of a pod"));
  CHECK(untouched.asked().empty());
}

namespace {

constexpr const char* kPrometheus =
    "/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy/api/v1/query";

/// What a Prometheus answers to every question: a card of each of `nodes`.
std::string cards_of(const std::vector<std::string>& nodes) {
  json answer = {{"status", "success"}, {"data", {{"resultType", "vector"}}}};
  answer["data"]["result"] = json::array();
  for (const std::string& node : nodes)
    answer["data"]["result"].push_back(
        {{"metric",
          {{"__name__", "DCGM_FI_DEV_GPU_UTIL"}, {"UUID", "GPU-" + node}, {"node", node}}},
         {"value", json::array({1764322900, "50"})}});
  return answer.dump();
}

std::string services() {
  json service = {{"metadata", {{"namespace", "monitoring"}, {"name", "prometheus-k8s"}}}};
  service["metadata"]["labels"] = {{"app.kubernetes.io/name", "prometheus"}};
  service["spec"]["ports"] = json::array({{{"name", "web"}, {"port", 9090}}});
  return list("ServiceList", {service}).dump();
}

/// Of gaps about sources; what stays is about the answer's ages, which the stub does not know.
std::size_t gaps_of_sources(const Snapshot& snapshot) {
  return static_cast<std::size_t>(std::count_if(
      snapshot.gaps.begin(), snapshot.gaps.end(),
      [](const Gap& gap) { return gap.what.find("the age of live use") == std::string::npos; }));
}

Needs asking_prometheus_by_hand() {
  Needs needs = asking(MetricsChoice::automatic);
  needs.metrics.prometheus_service = "monitoring/prometheus-k8s:9090";
  return needs;
}

}  // namespace

TEST_CASE("where Prometheus tells of all GPU nodes, no exporter is missed") {
  auto served = cluster({gpu_node("a"), gpu_node("b")}, {});
  served[kPrometheus] = cards_of({"a", "b"});
  served["/api/v1/services"] = services();
  Needs needs = asking(MetricsChoice::automatic);
  SECTION("found") {}
  SECTION("by hand") { needs = asking_prometheus_by_hand(); }
  const Snapshot snapshot = read(ApiStub(served), needs);
  CHECK(snapshot.samples.size() == 2);
  CHECK(snapshot.use_coverage == Coverage::whole);
  INFO(gaps_of(snapshot));
  CHECK(gaps_of_sources(snapshot) == 0);
}

TEST_CASE("a Prometheus that was told by hand and fails is the only gap") {
  auto served = cluster({gpu_node("a")}, {});
  served[kPrometheus] = cards_of({});
  const Snapshot snapshot = read(ApiStub(served), asking_prometheus_by_hand());
  CHECK(snapshot.gaps.size() == 1);
  CHECK_THAT(gaps_of(snapshot), Contains("Prometheus reports nothing about the GPUs"));
}

TEST_CASE("where nothing is found, one gap says all that was looked for") {
  auto served = cluster({gpu_node("a")}, {});
  SECTION("neither") {
    served["/api/v1/services"] = list("ServiceList", {}).dump();
    const Snapshot snapshot = read(ApiStub(served), asking(MetricsChoice::automatic));
    CHECK(snapshot.gaps.size() == 1);
    CHECK_THAT(gaps_of(snapshot),
               Contains("no utilization: no dcgm-exporter found in any namespace, and no "
                        "Prometheus was found in the cluster") &&
                   Contains("none of its 0 Services looks like Prometheus"));
  }
  SECTION("and Services may not be listed") {
    ApiStub stub(served);
    stub.forbid("/api/v1/services", "services");
    const Snapshot snapshot = read(stub, asking(MetricsChoice::automatic));
    CHECK(snapshot.gaps.size() == 1);
    CHECK_THAT(gaps_of(snapshot),
               Contains("no dcgm-exporter found in any namespace, and Prometheus cannot be looked "
                        "for, as Services cannot be listed"));
  }
}

TEST_CASE("exporters of some nodes and Prometheus of the others are all") {
  auto served = cluster({gpu_node("a"), gpu_node("b"), gpu_node("c")},
                        {exporter_pod("x", "a", "True"), exporter_pod("y", "b", "False")});
  served[proxied("x")] = kText;
  served["/api/v1/services"] = services();
  SECTION("all") {
    served[kPrometheus] = cards_of({"b", "c"});
    const Snapshot snapshot = read(ApiStub(served), asking(MetricsChoice::automatic));
    CHECK(snapshot.use_coverage == Coverage::whole);
    INFO(gaps_of(snapshot));
    CHECK(gaps_of_sources(snapshot) == 0);
  }
  SECTION("one lacks its exporter") {
    served[kPrometheus] = cards_of({"c"});
    const Snapshot snapshot = read(ApiStub(served), asking(MetricsChoice::automatic));
    CHECK(snapshot.use_coverage == Coverage::partial);
    CHECK(gaps_of_sources(snapshot) == 1);
    CHECK_THAT(gaps_of(snapshot),
               Contains("no metrics from b: y is not ready") &&
                   Contains("monitoring/prometheus-k8s:9090 does not report it |"));
  }
  SECTION("one has none") {
    served[kPrometheus] = cards_of({"b"});
    const Snapshot snapshot = read(ApiStub(served), asking(MetricsChoice::automatic));
    CHECK(gaps_of_sources(snapshot) == 1);
    CHECK_THAT(gaps_of(snapshot),
               Contains("no metrics from c: no dcgm-exporter runs there | exporters were found on "
                        "2 of 3 GPU nodes; monitoring/prometheus-k8s:9090 does not report it |"));
  }
}

TEST_CASE("nodes that Prometheus lacks are named with it") {
  auto served = cluster({gpu_node("a"), gpu_node("b")}, {exporter_pod("x", "b", "True")});
  served[kPrometheus] = cards_of({"a"});
  Needs needs = asking_prometheus_by_hand();
  needs.metrics.choice = MetricsChoice::prometheus;
  const Snapshot snapshot = read(ApiStub(served), needs);
  CHECK(gaps_of_sources(snapshot) == 1);
  CHECK_THAT(
      gaps_of(snapshot),
      Contains("no metrics from b: Prometheus does not report it | monitoring/prometheus-k8s:9090 "
               "reports 1 of 2 GPU nodes |"));
}

TEST_CASE("bad lines are told in the words of a folder's, with the pod's name") {
  auto served = cluster({gpu_node("a"), gpu_node("b")},
                        {exporter_pod("x", "a", "True"), exporter_pod("y", "b", "True")});
  served[proxied("x")] = kText + "DCGM_FI_DEV_FB_USED{gpu=\"0\n1 2 3\n";
  served[proxied("y")] = kText;
  const Snapshot snapshot = read(ApiStub(served), asking(MetricsChoice::exporter));
  CHECK(snapshot.samples.size() == 4);
  CHECK(snapshot.gaps.size() == 1);
  CHECK_THAT(gaps_of(snapshot), Contains("use: 2 lines of mon/x cannot be read | line 3: ") &&
                                    Contains("kubectl get --raw"));
}

TEST_CASE("what may not be read does not matter where another source told it") {
  auto served = cluster({gpu_node("a")}, {exporter_pod("x", "a", "True")});
  SECTION("pods/proxy, where Prometheus told") {
    served[kPrometheus] = cards_of({"a"});
    served["/api/v1/services"] = services();
    ApiStub stub(served);
    stub.forbid(proxied("x"), "pods/proxy");
    const Snapshot snapshot = read(stub, asking(MetricsChoice::automatic));
    CHECK(stub.times(proxied("x")) == 1);
    INFO(gaps_of(snapshot));
    CHECK(gaps_of_sources(snapshot) == 0);
  }
  SECTION("Services, where exporters told") {
    served[proxied("x")] = kText;
    ApiStub stub(served);
    stub.forbid("/api/v1/services", "services");
    CHECK(read(stub, asking(MetricsChoice::automatic)).gaps.empty());
    Needs needs = asking(MetricsChoice::automatic);
    needs.metrics.since = std::chrono::hours(1);
    const Snapshot window = read(stub, needs);
    CHECK(window.gaps.size() == 1);
    CHECK_THAT(gaps_of(window), Contains("averages, maxima and idle times are unknown") &&
                                    Contains("Services cannot be listed"));
  }
}

}  // namespace gpu::telemetry::live_live_metrics_test
