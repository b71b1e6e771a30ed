#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <thread>

#include "kube/http_stub.hpp"
#include "kube/watch/watch.hpp"

namespace watch_watch_metrics_test {

using namespace std::chrono_literals;
using namespace gpu;
using namespace gpu::kube;

namespace {

const std::string kNodes =
    R"({"kind":"NodeList","metadata":{"resourceVersion":"4"},"items":[{"metadata":{"name":"a"},
       "status":{"capacity":{"nvidia.com/gpu":"1"},"allocatable":{"nvidia.com/gpu":"1"}}}]})";
const std::string kPods =
    R"({"kind":"PodList","metadata":{"resourceVersion":"4"},"items":[{"metadata":{
       "namespace":"mon","name":"x"},"spec":{"nodeName":"a","containers":[{"image":
       "dcgm-exporter"}]},"status":{"phase":"Running"}}]})";

/// A cluster whose exporter tells what it is told to.
class Server {
 public:
  Server()
      : stub_([this](const std::string& head, int) {
          return answer(head.substr(4, head.find(' ', 4) - 4));
        }) {}

  /// A utilization; below 0: an error.
  std::atomic<int> use = 97;
  std::atomic<int> scrapes = 0;
  std::atomic<int> questions = 0;  ///< that its Prometheus was asked
  std::atomic<int> answers = 0;    ///< that it gave
  std::atomic<int> hang = 0;       ///< for how many milliseconds it says nothing

  [[nodiscard]] Client client() const {
    Connection connection;
    connection.server = stub_.url();
    return {connection, Environment(), {}};
  }

 private:
  std::string answer(const std::string& path) {
    if (path.find("/proxy/metrics") != std::string::npos) {
      ++scrapes;
      if (use < 0) return HttpStub::reply("500 Internal Server Error", "text/plain", "no");
      return HttpStub::reply("200 OK", "text/plain",
                             "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-a\"} " + std::to_string(use) + "\n");
    }
    if (path.find("/services/p") != std::string::npos) {
      ++questions;
      std::this_thread::sleep_for(std::chrono::milliseconds(hang.load()));
      ++answers;
      return HttpStub::reply("503 Service Unavailable", "text/plain", "no");
    }
    if (path.find("watch=1") != std::string::npos)
      return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n";
    if (path.starts_with("/api/v1/nodes?"))
      return HttpStub::reply("200 OK", "application/json", kNodes);
    if (path.starts_with("/api/v1/pods?"))
      return HttpStub::reply("200 OK", "application/json", kPods);
    return HttpStub::reply("404 Not Found", "text/plain", "404 page not found\n");
  }

  HttpStub stub_;
};

Needs asking(MetricsChoice choice) {
  Needs needs;
  needs.metrics.choice = choice;
  return needs;
}

template <class Condition>
bool wait_until(Watch& watch, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!condition()) {
    watch.wait(1s);
    if (std::chrono::steady_clock::now() >= end) return false;
  }
  return true;
}

/// In percent; nothing without a sample.
std::optional<double> use_of(Watch& watch) {
  const Snapshot& now = watch.snapshot(Time{});
  if (now.samples.size() != 1 || !now.samples.front().measures.utilization) return std::nullopt;
  return *now.samples.front().measures.utilization * 100;
}

constexpr MetricsRhythm kQuick{.every = 100ms, .every_window = 100ms, .forget_after = 700ms};

}  // namespace

TEST_CASE("live use is there with the first answer, and follows the exporter") {
  Server server;
  Client client = server.client();
  const Needs needs = asking(MetricsChoice::exporter);
  Watch watch(client, needs, kQuick);
  REQUIRE(wait_until(watch, [&] { return watch.is_complete(); }));
  CHECK(use_of(watch) == 97.0);
  CHECK(watch.snapshot(Time{}).use_coverage == Coverage::whole);
  CHECK(watch.take_changed() == Changed::yes);
  const int before = server.scrapes;
  CHECK(wait_until(watch, [&] { return server.scrapes >= before + 2; }));
  CHECK(watch.take_changed() == Changed::no);  // the same again
  server.use = 12;
  CHECK(wait_until(watch, [&] { return use_of(watch) == 12.0; }));
  CHECK(watch.take_changed() == Changed::yes);
}

TEST_CASE("an exporter that misses a round is shown as it was, but not for long") {
  Server server;
  Client client = server.client();
  const Needs needs = asking(MetricsChoice::exporter);
  Watch watch(client, needs, kQuick);
  REQUIRE(wait_until(watch, [&] { return watch.is_complete(); }));
  server.use = -1;
  const int before = server.scrapes;
  CHECK(wait_until(watch, [&] { return server.scrapes >= before + 2; }));
  CHECK(use_of(watch) == 97.0);
  CHECK(watch.snapshot(Time{}).gaps.empty());
  CHECK(wait_until(watch, [&] { return !use_of(watch); }));
  const Snapshot& after = watch.snapshot(Time{});
  CHECK(after.use_coverage == Coverage::none);
  REQUIRE(after.gaps.size() == 1);
  CHECK_THAT(after.gaps.front().what,
             Catch::Contains("no metrics from a: x answers with an error"));
  server.use = 3;
  CHECK(wait_until(watch, [&] { return use_of(watch) == 3.0; }));
  CHECK(watch.snapshot(Time{}).gaps.empty());
}

TEST_CASE("where nobody asks for live use, no exporter is asked") {
  Server server;
  Client client = server.client();
  const Needs needs;
  Watch watch(client, needs, kQuick);
  REQUIRE(wait_until(watch, [&] { return watch.is_complete(); }));
  watch.wait(300ms);
  CHECK(server.scrapes == 0);
}

TEST_CASE("a Prometheus that hangs holds up neither the first answer nor whoever watches") {
  Server server;
  server.hang = 1500;
  Client client = server.client();
  Needs needs = asking(MetricsChoice::prometheus);
  needs.metrics.prometheus_service = "mon/p:9090";
  MetricsRhythm rhythm = kQuick;
  rhythm.patience = 50ms;
  Watch watch(client, needs, rhythm);
  REQUIRE(wait_until(watch, [&] { return watch.is_complete(); }));
  REQUIRE(watch.snapshot(Time{}).gaps.size() == 1);
  CHECK_THAT(watch.snapshot(Time{}).gaps.front().what, Catch::Contains("still being read"));
  REQUIRE(wait_until(watch, [&] { return server.questions > 0; }));
  for (int turn = 0; turn < 10; ++turn) watch.wait(0ms);
  CHECK(server.answers == 0);
  CHECK(wait_until(watch, [&] {
    return watch.snapshot(Time{}).gaps.front().what.find("reports nothing") != std::string::npos;
  }));
  CHECK(watch.snapshot(Time{}).gaps.size() == 1);
}

TEST_CASE("a flag that cannot be meant ends a watch before it begins") {
  Server server;
  Client client = server.client();
  Needs needs = asking(MetricsChoice::exporter);
  needs.metrics.exporters = {"nonsense"};
  Watch watch(client, needs, kQuick);
  CHECK_THROWS_AS(wait_until(watch, [&] { return watch.is_complete(); }), Error);
}

}  // namespace watch_watch_metrics_test
