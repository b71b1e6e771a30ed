#include "telemetry/prometheus/prometheus.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "kube/config/url.hpp"
#include "kube/http_stub.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry::prometheus_prometheus_test {

using Catch::Contains;
using nlohmann::json;

using namespace gpu::kube;
namespace {

using Labels = std::map<std::string, std::string>;
using NodeNames = std::set<std::string, std::less<>>;

constexpr const char* kServices = "/api/v1/services";
constexpr const char* kProxy =
    "/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy/api/v1/query";
constexpr double kNow = 1764322900;

json element(const std::string& name, const Labels& labels, const std::string& value) {
  json result;
  result["metric"] = labels;
  if (!name.empty()) result["metric"]["__name__"] = name;
  result["value"] = json::array({kNow, value});
  return result;
}

std::string vector_of(const std::vector<json>& elements) {
  json answer = {{"status", "success"}, {"data", {{"resultType", "vector"}}}};
  answer["data"]["result"] = elements;
  return answer.dump();
}

Labels card(const std::string& uuid, const std::string& instance) {
  return {{"UUID", "GPU-" + uuid},   {"gpu", "0"},         {"modelName", "NVIDIA H100 80GB HBM3"},
          {"instance", instance},    {"namespace", "ops"}, {"pod", "dcgm-aaaaa"},
          {"container", "exporter"}, {"job", "dcgm"}};
}

Labels owned(Labels labels, const std::string& pod) {
  labels["exported_namespace"] = "ml";
  labels["exported_pod"] = pod;
  return labels;
}

/// A Prometheus, or an API server with one behind its proxy: answers by path, and a query's path by
/// what the query has in it; the first that fits.
class World {
 public:
  World() : stub_([this](const std::string& head, int) { return answer(head); }) {
    say("vector(1)", vector_of({element("", {}, "1")}));
  }

  void say(const std::string& query_part, const std::string& body) {
    const std::lock_guard lock(mutex_);
    answers_.insert(answers_.begin(), {query_part, body});
  }
  void serve(const std::string& path, const std::string& status, const std::string& body,
             const std::string& type = "application/json") {
    const std::lock_guard lock(mutex_);
    bodies_[path] = HttpStub::reply(status, type, body);
  }
  [[nodiscard]] std::string url() const { return stub_.url(); }
  [[nodiscard]] std::vector<std::string> heads() const {
    const std::lock_guard lock(mutex_);
    return heads_;
  }

 private:
  std::string answer(const std::string& head) {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);
    const std::size_t mark = std::min(target.find('?'), target.size());
    const std::lock_guard lock(mutex_);
    heads_.push_back(head);
    if (const auto found = bodies_.find(target.substr(0, mark)); found != bodies_.end())
      return found->second;
    if (!target.substr(0, mark).ends_with("/api/v1/query"))
      return HttpStub::reply("404 Not Found", "text/plain", "404 page not found\n");
    const std::string query = percent_decoded(target.substr(mark));
    for (const auto& [part, body] : answers_)
      if (query.find(part) != std::string::npos)
        return HttpStub::reply("200 OK", "application/json", body);
    return HttpStub::reply("200 OK", "application/json", vector_of({}));
  }

  std::vector<std::pair<std::string, std::string>> answers_;
  std::map<std::string, std::string> bodies_;
  mutable std::mutex mutex_;
  std::vector<std::string> heads_;
  HttpStub stub_;
};

/// A run against `world` as the cluster, with two GPU nodes and the exporter of the first.
struct Run {
  explicit Run(const World& world) : api(world.url()) {
    for (const char* name : {"cpu", "gpu-a", "gpu-b"}) {
      Node node;
      node.name = name;
      snapshot.nodes.push_back(node);
    }
  }

  NodeNames read(const NodeNames& nodes = {"gpu-a", "gpu-b"}) {
    Connection connection;
    connection.server = api;
    ClientOptions options;
    options.user_agent = "kubectl-gpu/test";
    options.silence_timeout = std::chrono::seconds(5);
    Client client(connection, Environment(), options);
    CollectContext reading(client, needs, snapshot);
    const std::vector<Exporter> exporters = {
        {.ns = "ops", .pod = "dcgm-aaaaa", .node = "gpu-a", .ip = "10.0.0.1"}};
    FoundPrometheus found;
    PrometheusUse use = read_prometheus(reading, exporters, nodes, found);
    std::move(use.missing.begin(), use.missing.end(), std::back_inserter(snapshot.gaps));
    return use.nodes;
  }
  [[nodiscard]] std::string gaps() const {
    std::string text;
    for (const Gap& gap : snapshot.gaps)
      text += gap.what + " | " + gap.why + " | " + gap.help + "\n";
    return text;
  }

  std::string api;
  Needs needs;
  Snapshot snapshot;
};

void serve_card(World& world, const std::string& instance = "10.0.0.1:9400") {
  const Labels labels = owned(card("1", instance), "train-0");
  world.say("DCGM_FI_DEV_GPU_UTIL", vector_of({element("DCGM_FI_DEV_GPU_UTIL", labels, "97"),
                                               element("DCGM_FI_DEV_FB_USED", labels, "40000")}));
  world.say("timestamp(", vector_of({element("", labels, "1764322880.5")}));
  world.say("avg_over_time", vector_of({}));
  world.say("max_over_time", vector_of({}));
}

void serve_service(World& world) {
  world.serve(kServices, "200 OK", R"({"kind":"ServiceList","metadata":{},"items":[
    {"metadata":{"namespace":"monitoring","name":"grafana"},"spec":{"ports":[{"name":"http","port":80}]}},
    {"metadata":{"namespace":"monitoring","name":"prometheus-k8s"},
     "spec":{"ports":[{"name":"web","port":9090}]}}]})");
}

TEST_CASE("Prometheus is found by its Service and asked through the proxy") {
  World world;
  serve_service(world);
  serve_card(world);
  Run run(world);
  CHECK(run.read() == NodeNames{"gpu-a"});
  CHECK(run.gaps().empty());
  REQUIRE(run.snapshot.samples.size() == 1);
  const Sample& sample = run.snapshot.samples.front();
  CHECK(sample.source == MetricSource::prometheus);
  CHECK(sample.node == "gpu-a");
  CHECK(sample.measures.utilization == 0.97);
  CHECK(sample.at == Time{std::chrono::seconds{1764322880}});
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners.front().pod == "train-0");
  for (const std::string& head : world.heads()) {
    CHECK(head.starts_with("GET "));
    CHECK(head.find(" HTTP/1.1") < 8192);
  }
}

TEST_CASE("A Service that anybody may have made is asked last, and is named where it is believed") {
  const auto services = [](const std::string& others) {
    return R"({"kind":"ServiceList","metadata":{},"items":[{"metadata":{"namespace":"team-a",)"
           R"("name":"thanos-query"},"spec":{"ports":[{"name":"http","port":10902}]}})" +
           others + "]}";
  };
  World world;
  serve_card(world);
  world.serve(kServices, "200 OK", services(""));
  Run alone(world);
  CHECK(alone.read() == NodeNames{"gpu-a"});
  CHECK_THAT(alone.gaps(),
             Contains("live use is what team-a/thanos-query:10902 tells, which was found by its "
                      "looks") &&
                 Contains("--prometheus-service team-a/thanos-query:10902"));
  world.serve(kServices, "200 OK",
              services(R"(,{"metadata":{"namespace":"monitoring","name":"my-prometheus"},)"
                       R"("spec":{"ports":[{"name":"web","port":9090}]}})"));
  Run both(world);
  CHECK(both.read() == NodeNames{"gpu-a"});
  CHECK(both.gaps().empty());
  Run named(world);
  named.needs.metrics.prometheus_service = "team-a/thanos-query:10902";
  CHECK(named.read() == NodeNames{"gpu-a"});
  CHECK(named.gaps().empty());
}

TEST_CASE("A service can be named, with headers for a tenant") {
  World world;
  serve_card(world);
  Run run(world);
  run.needs.metrics.prometheus_service = "monitoring/prometheus-k8s:9090";
  run.needs.metrics.prometheus_headers = {"X-Scope-OrgID: team-a"};
  CHECK(run.read() == NodeNames{"gpu-a"});
  for (const std::string& head : world.heads()) {
    CHECK_THAT(head, Contains(std::string("GET ") + kProxy + "?query="));
    CHECK_THAT(head, Contains("X-Scope-OrgID: team-a"));
  }
}

TEST_CASE("Prometheus outside the cluster gets nothing of the kubeconfig") {
  World prometheus;
  serve_card(prometheus);
  const World cluster;
  Run run(cluster);
  run.needs.metrics.prometheus_url = prometheus.url() + "/api/v1/query";
  CHECK(run.read() == NodeNames{"gpu-a"});
  CHECK(cluster.heads().empty());
  CHECK_THAT(prometheus.heads().front(), Contains("GET /api/v1/query?query="));
  CHECK_THAT(prometheus.heads().front(), !Contains("Authorization"));
}

TEST_CASE("Only the nodes that were asked for are told of") {
  World world;
  serve_card(world);
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  CHECK(run.read({"gpu-b"}).empty());
  CHECK(run.snapshot.samples.empty());
}

TEST_CASE("A device whose node is unknown is left out, and counted") {
  World world;
  Labels labels = card("1", "10.9.9.9:9400");
  labels["pod"] = "dcgm-zzzzz";
  world.say("DCGM_FI_DEV_GPU_UTIL", vector_of({element("DCGM_FI_DEV_GPU_UTIL", labels, "97")}));
  world.say("timestamp(", vector_of({element("", labels, "1764322880")}));
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  CHECK(run.read().empty());
  CHECK_THAT(run.gaps(), Contains("1 device that Prometheus reports is left out"));
  CHECK_THAT(run.gaps(), Contains("10.9.9.9:9400"));
}

TEST_CASE("Devices of nodes that were not asked for are no news") {
  World world;
  serve_card(world);
  Labels labels = card("2", "10.9.9.9:9400");
  labels["pod"] = "dcgm-zzzzz";
  const std::string name = "DCGM_FI_DEV_GPU_UTIL";
  SECTION("where only some nodes are listed") {
    world.say(name, vector_of({element(name, labels, "97")}));
    world.say("timestamp(", vector_of({element("", labels, "1764322880")}));
    Run run(world);
    run.needs.node_names = {"gpu-a"};
    run.needs.metrics.prometheus_url = world.url();
    run.read();
    CHECK(run.gaps().empty());
  }
  SECTION("where a label names a node that is not here, unless nothing else is told") {
    labels["node"] = "elsewhere";
    const Labels here = card("1", "10.0.0.1:9400");
    const auto times =
        vector_of({element("", labels, "1764322880"), element("", here, "1764322880")});
    world.say(name, vector_of({element(name, labels, "97"), element(name, here, "9")}));
    world.say("timestamp(", times);
    Run run(world);
    run.needs.metrics.prometheus_url = world.url();
    CHECK(run.read() == NodeNames{"gpu-a"});
    CHECK(run.gaps().empty());
    world.say(name, vector_of({element(name, labels, "97")}));
    world.say("timestamp(", times);
    Run alone(world);
    alone.needs = run.needs;
    CHECK(alone.read().empty());
    CHECK_THAT(alone.gaps(), Contains("node \"elsewhere\""));
  }
}

TEST_CASE("Of two owners of a device the newer series counts") {
  World world;
  const Labels was = owned(card("1", "10.0.0.1:9400"), "old");
  const Labels is = owned(card("1", "10.0.0.1:9400"), "new");
  world.say("DCGM_FI_DEV_GPU_UTIL", vector_of({element("DCGM_FI_DEV_GPU_UTIL", was, "10"),
                                               element("DCGM_FI_DEV_GPU_UTIL", is, "20")}));
  world.say("timestamp(",
            vector_of({element("", was, "1764322700"), element("", is, "1764322890")}));
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.read();
  REQUIRE(run.snapshot.samples.size() == 1);
  const Sample& sample = run.snapshot.samples.front();
  CHECK(sample.measures.utilization == 0.2);
  REQUIRE(sample.owners.size() == 1);
  CHECK(sample.owners.front().pod == "new");
}

TEST_CASE("Where no times are told the age is unknown, and two owners are none") {
  World world;
  const Labels was = owned(card("1", "10.0.0.1:9400"), "old");
  const Labels is = owned(card("1", "10.0.0.1:9400"), "new");
  const Labels other = owned(card("2", "10.0.0.1:9400"), "other");
  const std::string name = "DCGM_FI_DEV_GPU_UTIL";
  world.say(name, vector_of({element(name, was, "10"), element(name, is, "20"),
                             element(name, other, "30")}));
  world.say("timestamp(", vector_of({}));
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.read();
  REQUIRE(run.snapshot.samples.size() == 1);
  CHECK(run.snapshot.samples.front().uuid == "GPU-2");
  CHECK_THAT(run.gaps(), Contains("the age of live use is unknown"));
}

TEST_CASE("Of a value without a time beside others nothing is believed") {
  World world;
  const Labels was = owned(card("1", "10.0.0.1:9400"), "old");
  const Labels is = owned(card("1", "10.0.0.1:9400"), "new");
  const std::string name = "DCGM_FI_DEV_GPU_UTIL";
  world.say(name, vector_of({element(name, was, "10"), element(name, is, "20")}));
  world.say("timestamp(", vector_of({element("", is, "1764322890")}));
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.read();
  REQUIRE(run.snapshot.samples.size() == 1);
  CHECK(run.snapshot.samples.front().measures.utilization == 0.2);
  CHECK(run.snapshot.samples.front().owners.size() == 1);
  CHECK_THAT(run.gaps(), Contains("1 of Prometheus' values is left out"));
}

TEST_CASE("A token stays at home where there is no TLS, and a refusal says so") {
  World world;
  world.serve("/api/v1/query", "401 Unauthorized", "who are you", "text/plain");
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.needs.metrics.prometheus_token = "s3cret";
  CHECK(run.read().empty());
  for (const std::string& head : world.heads()) CHECK_THAT(head, !Contains("s3cret"));
  CHECK_THAT(run.gaps(), Contains("it answered 401") && Contains("over https only"));
  CHECK_THAT(run.gaps(), !Contains("s3cret"));
}

TEST_CASE("OpenShift's Thanos is not asked through the proxy") {
  World world;
  world.serve(kServices, "200 OK", R"({"kind":"ServiceList","metadata":{},"items":[
    {"metadata":{"namespace":"openshift-monitoring","name":"prometheus-k8s"},
     "spec":{"ports":[{"name":"web","port":9091}]}},
    {"metadata":{"namespace":"openshift-monitoring","name":"thanos-querier"},
     "spec":{"ports":[{"name":"web","port":9091}]}}]})");
  const std::string route =
      "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes/thanos-querier";
  SECTION("without a Route") {
    Run run(world);
    CHECK(run.read().empty());
    CHECK_THAT(run.gaps(), Contains("its Route thanos-querier cannot be read"));
  }
  SECTION("without a token") {
    world.serve(route, "200 OK", R"({"kind":"Route","spec":{"host":"thanos.apps.example.com"}})");
    Run run(world);
    CHECK(run.read().empty());
    CHECK_THAT(run.gaps(),
               Contains("it wants a bearer token, and this kubeconfig's user has none"));
  }
  SECTION("with a Route whose host is none") {
    world.serve(route, "200 OK", R"({"kind":"Route","spec":{"host":"evil/@x"}})");
    Run run(world);
    CHECK(run.read().empty());
    CHECK_THAT(run.gaps(), Contains("names no host"));
  }
  for (const std::string& head : world.heads()) CHECK_THAT(head, !Contains("/proxy/"));
}

TEST_CASE("An exporter's own pod is no owner") {
  World world;
  Labels labels = card("1", "10.0.0.1:9400");
  labels.erase("container");
  world.say("DCGM_FI_DEV_GPU_UTIL", vector_of({element("DCGM_FI_DEV_GPU_UTIL", labels, "10")}));
  world.say("timestamp(", vector_of({element("", labels, "1764322880")}));
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.read();
  REQUIRE(run.snapshot.samples.size() == 1);
  CHECK(run.snapshot.samples.front().owners.empty());
}

TEST_CASE("A window gives averages, maxima and idle times") {
  World world;
  serve_card(world);
  const Labels labels = {{"UUID", "GPU-1"}, {"gpu", "0"}, {"instance", "10.0.0.1:9400"}};
  const std::string name = "DCGM_FI_DEV_GPU_UTIL";
  const std::string average = vector_of({element(name + ":avg", labels, "40")});
  const std::string highest = vector_of({element(name + ":max", labels, "97")});
  const std::string idle = vector_of({element(name + ":idle_seconds", labels, "1800")});
  world.say("$1:max", highest);
  world.say("$1:avg", average);
  world.say("$1:idle_seconds", idle);
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  run.needs.metrics.since = std::chrono::hours(1);
  run.read();
  CHECK(run.snapshot.sample_window == std::chrono::seconds(3600));
  REQUIRE(run.snapshot.samples.size() == 1);
  const Measures& measures = run.snapshot.samples.front().measures;
  CHECK(measures.average_utilization == 0.4);
  CHECK(measures.highest_utilization == 0.97);
  CHECK(measures.idle_for == std::chrono::seconds(1800));

  SECTION("but no idle time where an answer is partial") {
    json partial = json::parse(average);
    partial["isPartial"] = true;
    world.say("$1:avg", partial.dump());
    Run again(world);
    again.needs = run.needs;
    again.read();
    REQUIRE(again.snapshot.samples.size() == 1);
    CHECK(again.snapshot.samples.front().measures.average_utilization == 0.4);
    CHECK_FALSE(again.snapshot.samples.front().measures.idle_for);
    CHECK_THAT(again.gaps(), Contains("partial"));
  }
}

TEST_CASE("Raw series are told with their node") {
  World world;
  serve_card(world);
  Run run(world);
  run.needs.metrics.prometheus_url = world.url();
  std::vector<Scrape> told;
  run.needs.on_object = [&](const json& object, std::string_view, std::string_view kind) {
    CHECK(kind == kScrapeKind);
    told.push_back(scrape_of(object));
  };
  run.read();
  REQUIRE(told.size() == 1);
  CHECK(told.front().origin.node == "gpu-a");
  CHECK(told.front().origin.source == MetricSource::prometheus);
  CHECK(told.front().series.size() == 2);

  // One target may tell of several nodes: whoever reads them must not take them for one.
  Labels other = card("2", "federate:9090");
  other["pod"] = "dcgm-elsewhere";
  Labels first = card("1", "federate:9090");
  first["node"] = "gpu-a";
  world.say("DCGM_FI_DEV_GPU_UTIL", vector_of({element("DCGM_FI_DEV_GPU_UTIL", first, "97"),
                                               element("DCGM_FI_DEV_GPU_UTIL", other, "3")}));
  world.say("timestamp(",
            vector_of({element("", first, "1764322880.5"), element("", other, "1764322880.5")}));
  told.clear();
  run.read();
  REQUIRE(told.size() == 1);
  CHECK(told.front().series.size() == 2);
  CHECK(told.front().origin.node.empty());
}

TEST_CASE("Services that may not be listed are a gap with the role") {
  World world;
  world.serve(kServices, "403 Forbidden",
              R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",
    "code":403,"message":"services is forbidden: User \"jo\" cannot list resource \"services\" in API group \"\" at the cluster scope"})");
  Run run(world);
  run.needs.metrics.since = std::chrono::hours(1);
  CHECK(run.read().empty());
  CHECK_THAT(run.gaps(), Contains("Services cannot be listed"));
  CHECK_THAT(run.gaps(), Contains("--verb=get,list --resource=services"));
  CHECK_THAT(run.gaps(), Contains("--prometheus-service NAMESPACE/NAME:PORT"));
  CHECK_THAT(run.gaps(), Contains("--since needs Prometheus"));
}

TEST_CASE("A proxy that may not be used is a gap with the role") {
  World world;
  serve_service(world);
  world.serve(kProxy, "403 Forbidden",
              R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden",
    "code":403,"message":"services \"prometheus-k8s:9090\" is forbidden: User \"jo\" cannot get resource \"services/proxy\" in API group \"\" in the namespace \"mon\""})");
  Run run(world);
  CHECK(run.read().empty());
  CHECK_THAT(run.gaps(), Contains("--verb=get --resource=services/proxy"));
  CHECK_THAT(run.gaps(), Contains("-n mon"));
}

TEST_CASE("A cluster without Prometheus says what was looked for") {
  World world;
  world.serve(kServices, "200 OK", R"({"kind":"ServiceList","metadata":{},"items":[]})");
  Run run(world);
  CHECK(run.read().empty());
  CHECK_THAT(run.gaps(), Contains("no Prometheus was found"));
}

/// The gap that comes of this answer of --prometheus-service.
std::string gap_of(const std::string& status, const std::string& body,
                   const std::string& type = "application/json") {
  World world;
  world.serve(kProxy, status, body, type);
  Run run(world);
  run.needs.metrics.prometheus_service = "monitoring/prometheus-k8s:9090";
  CHECK(run.read().empty());
  return run.gaps();
}

TEST_CASE("What answers in Prometheus' place is told apart") {
  CHECK_THAT(gap_of("200 OK", "<html>Log in</html>", "text/html"), Contains("HTML"));
  CHECK_THAT(gap_of("302 Found", ""), Contains("points elsewhere"));
  CHECK_THAT(gap_of("401 Unauthorized", "Unauthorized", "text/plain"),
             Contains("passes no credentials on") && Contains("--prometheus-url"));
  CHECK_THAT(gap_of("401 Unauthorized", "no org id\n", "text/plain"),
             Contains("it answered 401: no org id") &&
                 Contains("--prometheus-header 'X-Scope-OrgID: TENANT'") &&
                 !Contains("--prometheus-token-file"));
  CHECK_THAT(gap_of("403 Forbidden",
                    R"({"status":"error","errorType":"forbidden","error":"unknown tenant"})"),
             Contains("unknown tenant") && Contains("--prometheus-header"));
  CHECK_THAT(gap_of("400 Bad Request", R"({"status":"error","error":"no org id"})"),
             Contains("--prometheus-header"));
  CHECK_THAT(gap_of("404 Not Found", "404 page not found", "text/plain"),
             Contains("it answered 404") && Contains("--prometheus-service"));
  CHECK_THAT(gap_of("200 OK", "{}"), Contains("not Prometheus"));
  CHECK_THAT(gap_of("200 OK", "pong", "text/plain"), Contains("not Prometheus"));
  CHECK_THAT(
      gap_of("503 Service Unavailable",
             R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"ServiceUnavailable",
          "code":503,"message":"no endpoints available for service \"prometheus-k8s\""})"),
      Contains("no endpoints available") && Contains("--prometheus-url"));
  CHECK_THAT(gap_of("400 Bad Request",
                    R"({"status":"error","errorType":"bad_data","error":"invalid parameter"})"),
             Contains("it says bad_data: invalid parameter"));
  CHECK_THAT(gap_of("200 OK", vector_of({})), Contains("knows no GPUs"));
}

TEST_CASE("Flags that cannot be meant are refused") {
  const World world;
  Run run(world);
  run.needs.metrics.prometheus_service = "prometheus";
  CHECK_THROWS_AS(run.read(), Error);
  run.needs.metrics.prometheus_service = "mon/prometheus:9090";
  for (const char* header : {"X-Scope-OrgID", ": x", "a b: c", "Authorization: Bearer x"}) {
    run.needs.metrics.prometheus_headers = {header};
    CHECK_THROWS_AS(run.read(), Error);
  }
}

}  // namespace
}  // namespace gpu::telemetry::prometheus_prometheus_test
