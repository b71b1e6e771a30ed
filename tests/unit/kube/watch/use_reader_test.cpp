#include "kube/watch/use_reader.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "kube/http/fetcher.hpp"
#include "kube/http_stub.hpp"

namespace watch_use_reader_test {

using namespace std::chrono_literals;
using namespace gpu;
using namespace gpu::kube;

namespace {

/// An API server with exporters, and where that is wanted a Prometheus.
class Server {
 public:
  Server()
      : stub_([this](const std::string& head, int) {
          return answer(head.substr(4, head.find(' ', 4) - 4));
        }) {}

  std::atomic<int> use = 97;
  std::atomic<int> lists = 0;      ///< of Services
  std::atomic<int> questions = 0;  ///< to Prometheus
  std::atomic<bool> has_prometheus = false;
  std::atomic<bool> knows_gpus = true;
  std::atomic<bool> takes_token = true;

  [[nodiscard]] Client client() const {
    Connection connection;
    connection.server = stub_.url();
    return {connection, Environment(), {}};
  }

 private:
  std::string answer(const std::string& path) {
    static const std::string kRefusal =
        R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized",
           "message":"Unauthorized","code":401})";
    if (!takes_token) return HttpStub::reply("401 Unauthorized", "application/json", kRefusal);
    if (path.find("/pods/silent") != std::string::npos) return {};
    if (path.find("/pods/locked") != std::string::npos)
      return HttpStub::reply("401 Unauthorized", "application/json", kRefusal);
    if (path.find("/proxy/metrics") != std::string::npos)
      return HttpStub::reply("200 OK", "text/plain",
                             "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-a\"} " + std::to_string(use) + "\n");
    if (path.starts_with("/api/v1/services")) return services();
    if (path.find("/services/p") != std::string::npos) return prometheus(path);
    if (path == "/version") return HttpStub::reply("200 OK", "application/json", "{}");
    return HttpStub::reply("404 Not Found", "text/plain", "404 page not found\n");
  }

  std::string services() {
    ++lists;
    const std::string item =
        R"({"metadata":{"namespace":"mon","name":"prometheus-k8s"},"spec":{"ports":[
           {"name":"web","port":9090}]}})";
    return HttpStub::reply(
        "200 OK", "application/json",
        R"({"kind":"ServiceList","items":[)" + (has_prometheus ? item : "") + "]}");
  }

  std::string prometheus(const std::string& path) {
    ++questions;
    const bool tells = knows_gpus && path.find("DCGM_FI_DEV_GPU_UTIL") != std::string::npos;
    const bool is_age = path.find("timestamp") != std::string::npos;
    const std::string value = is_age ? std::to_string(std::time(nullptr)) : "50";
    return HttpStub::reply(
        "200 OK", "application/json",
        R"({"status":"success","data":{"resultType":"vector","result":[)" +
            (tells ? R"({"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","UUID":"GPU-a","node":"a"},
                        "value":[1,")" +
                         value + R"("]})"
                   : std::string()) +
            "]}}");
  }

  HttpStub stub_;
};

UseQuestion question_about(const std::vector<std::string>& pods) {
  UseQuestion question;
  question.facts.nodes.emplace_back().name = "a";
  question.facts.pod_coverage = Coverage::whole;
  question.nodes = {"a"};
  for (const std::string& pod : pods)
    question.exporters.push_back(
        {.ns = "mon", .pod = pod, .node = "a", .port = "9400", .is_ready = true});
  return question;
}

struct Run {
  explicit Run(MetricsChoice choice, MetricsRhythm rhythm = {}) {
    Needs needs;
    needs.metrics.choice = choice;
    reader.emplace(client, needs, rhythm);
    reader->take_credentials(client.session());
  }
  UseAnswer read(const std::vector<std::string>& pods) {
    return reader->read(question_about(pods), stop.get_token(), [this](std::vector<Sample> some) {
      parts.push_back(std::move(some));
      if (on_part) on_part();
    });
  }

  Server server;
  Client client = server.client();
  std::optional<UseReader> reader;
  std::stop_source stop;
  std::vector<std::vector<Sample>> parts;
  std::function<void()> on_part;
};

}  // namespace

TEST_CASE("what a replaced exporter told goes with the first word of the new one") {
  Run run(MetricsChoice::exporter);
  CHECK(run.read({"first"}).samples.size() == 1);
  // Nobody tells meanwhile: the last word stands, and nobody says that no exporter runs there.
  const UseAnswer between = run.read({});
  CHECK(between.samples.size() == 1);
  CHECK(between.sight == Coverage::whole);
  CHECK(between.gaps.empty());
  for (int round = 0; round < 20; ++round) {
    run.server.use = round;
    const UseAnswer answer = run.read({"pod-" + std::to_string(round)});
    REQUIRE(answer.samples.size() == 1);
    CHECK(answer.samples.front().measures.utilization == round / 100.0);
  }
}

TEST_CASE("what was told of a node that is gone is forgotten") {
  Run run(MetricsChoice::exporter);
  CHECK(run.read({"first"}).samples.size() == 1);
  UseQuestion nothing;
  CHECK(run.reader->read(std::move(nothing), run.stop.get_token(), {}).samples.empty());
}

TEST_CASE("the last word of an exporter that is silent does not outlive the next round") {
  Run run(MetricsChoice::exporter, {.every = 60s, .forget_after = 60s});
  CHECK(run.read({"first"}).samples.size() == 1);
  CHECK(run.read({}).samples.empty());
}

TEST_CASE("an exporter that is slow holds up no other one, and stopping ends the wait") {
  Run run(MetricsChoice::exporter);
  run.on_part = [&] { run.stop.request_stop(); };
  CHECK_THROWS_AS(run.read({"quick", "silent"}), Error);
  REQUIRE(run.parts.size() == 1);
  CHECK(run.parts.front().size() == 1);
}

TEST_CASE("Prometheus is looked for once, and again after it told nothing") {
  Run run(MetricsChoice::prometheus, {.pause = 0ms});
  run.server.has_prometheus = true;
  for (int round = 0; round < 3; ++round) CHECK(run.read({}).samples.size() == 1);
  CHECK(run.server.lists == 1);
  run.server.knows_gpus = false;
  CHECK(run.read({}).samples.empty());
  CHECK(run.server.lists == 1);
  run.server.knows_gpus = true;
  CHECK(run.read({}).samples.size() == 1);
  CHECK(run.server.lists == 2);
}

TEST_CASE("a Prometheus that told nothing is left alone for a while, and its reason stands") {
  Run run(MetricsChoice::automatic, {.pause = 1h});
  const UseAnswer first = run.read({});
  CHECK(first.samples.empty());
  REQUIRE(first.gaps.size() == 1);
  CHECK_THAT(first.gaps.front().what, Catch::Contains("no Prometheus was found"));
  CHECK(run.read({}).gaps == first.gaps);
  CHECK(run.server.lists == 1);
}

TEST_CASE("only the API server's own word says that credentials are not taken any more") {
  Run run(MetricsChoice::exporter);
  CHECK_FALSE(run.read({"locked"}).is_refused);
  CHECK_FALSE(run.read({"first"}).is_refused);
  run.server.takes_token = false;
  CHECK(run.read({"first"}).is_refused);
  run.server.takes_token = true;
  CHECK_FALSE(run.read({"first"}).is_refused);
}

}  // namespace watch_use_reader_test
