#include "kube/watch/watch.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <mutex>

#include "kube/http_stub.hpp"
#include "model/holdings/pools.hpp"

namespace watch_watch_test {

using namespace std::chrono_literals;
using namespace gpu;
using namespace gpu::kube;

namespace {

const std::string kNode =
    R"({"kind":"Node","metadata":{"name":"a","resourceVersion":"3"},"status":{
       "capacity":{"nvidia.com/gpu":"8","pods":"110"},
       "allocatable":{"nvidia.com/gpu":"8","pods":"110"},
       "conditions":[{"type":"Ready","status":"True"}]}})";

std::string one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

std::string pod(const std::string& name, int gpus) {
  return R"({"kind":"Pod","metadata":{"namespace":"ml","name":")" + name +
         R"(","resourceVersion":"5"},"spec":{"nodeName":"a","containers":[{"name":"m",
         "resources":{"requests":{"nvidia.com/gpu":")" +
         std::to_string(gpus) + R"("}}}]},"status":{"phase":"Running"}})";
}

std::string list(const std::string& kind, const std::string& items) {
  return R"({"kind":")" + kind + R"(","metadata":{"resourceVersion":"4"},"items":[)" + items + "]}";
}

std::string event(const std::string& type, const std::string& object) {
  return one_line(R"({"type":")" + type + R"(","object":)" + object + "}") + "\n";
}

/// An API server whose pods change once a watch is there; what follows is silence.
class ChangingServer {
 public:
  explicit ChangingServer(std::string events) : events_(std::move(events)) {}

  std::string answer(const std::string& head) {
    const std::lock_guard lock(mutex_);
    const std::string path = head.substr(4, head.find(' ', 4) - 4);
    ++asked_[path.substr(0, path.find('?'))];
    if (path.starts_with("/api/v1/pods?")) pods_asked_by_ = path;
    const bool is_watch = path.find("watch=1") != std::string::npos;
    if (is_watch && path.starts_with("/api/v1/pods?"))
      return std::exchange(has_told_, true) ? "" : stream(events_);
    if (is_watch) return stream("");
    if (path.starts_with("/api/v1/nodes?")) return json(list("NodeList", kNode));
    if (path.starts_with("/api/v1/pods?")) return json(list("PodList", pod("one", 2)));
    return HttpStub::reply("404 Not Found", "text/plain", "404 page not found\n");
  }
  [[nodiscard]] int asked(const std::string& path) {
    const std::lock_guard lock(mutex_);
    return asked_[path];
  }

  /// The last request for pods.
  [[nodiscard]] std::string pods_asked_by() {
    const std::lock_guard lock(mutex_);
    return pods_asked_by_;
  }

 private:
  static std::string json(const std::string& body) {
    return HttpStub::reply("200 OK", "application/json", body);
  }
  /// A body without an end.
  static std::string stream(const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n" +
           body;
  }

  std::string events_;
  std::mutex mutex_;
  std::map<std::string, int> asked_;
  std::string pods_asked_by_;
  bool has_told_ = false;
};

Client client_of(const HttpStub& stub) {
  Connection connection;
  connection.server = stub.url();
  return {connection, Environment(), {}};
}

/// GPUs that pods hold on node a.
std::int64_t allocated(Watch& watch) {
  const auto pools = pools_of(watch.snapshot(Time{}));
  return pools.empty() ? -1 : pools.front().allocated.value_or(-1);
}

/// Whether it comes true soon. Each wait may be long: what comes has to end it.
template <class Condition>
bool wait_until(Watch& watch, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!condition()) {
    watch.wait(20s);
    if (std::chrono::steady_clock::now() >= end) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("what watches tell ends up in the snapshot, without another list") {
  ChangingServer server(event("ADDED", pod("two", 3)) + event("MODIFIED", pod("two", 4)) +
                        event("DELETED", pod("one", 2)));
  HttpStub stub([&](const std::string& head, int) { return server.answer(head); });
  Client client = client_of(stub);
  const Needs needs;
  Watch watch(client, needs);
  CHECK(wait_until(watch, [&] { return watch.is_complete(); }));
  CHECK(wait_until(watch, [&] { return allocated(watch) == 4; }));
  CHECK(watch.take_changed() == Changed::yes);
  CHECK(watch.take_changed() == Changed::no);
  CHECK_FALSE(watch.lost());
  CHECK(watch.snapshot(Time{}).slice_coverage == Coverage::whole);
  CHECK(wait_until(watch, [&] { return server.asked("/api/v1/nodes") == 2; }));
  CHECK(server.asked("/api/v1/pods") == 2);
}

TEST_CASE("a pod that finishes stays where finished pods are needed, and holds nothing") {
  std::string done = pod("one", 2);
  done.replace(done.find("Running"), 7, "Succeeded");
  ChangingServer server(event("MODIFIED", done));
  HttpStub stub([&](const std::string& head, int) { return server.answer(head); });
  Client client = client_of(stub);
  Needs needs;
  needs.keep = [](const Pod&) { return true; };
  needs.finished_pods = true;
  Watch watch(client, needs);
  CHECK(wait_until(watch, [&] { return watch.is_complete(); }));
  CHECK(wait_until(watch, [&] { return allocated(watch) == 0; }));
  REQUIRE(watch.snapshot(Time{}).pods.size() == 1);
  CHECK(watch.snapshot(Time{}).pods.front().phase == "Succeeded");
  CHECK(server.pods_asked_by().find("fieldSelector") == std::string::npos);
}

TEST_CASE("other requests go through while watches are open") {
  ChangingServer server("");
  HttpStub stub([&](const std::string& head, int) { return server.answer(head); });
  Client client = client_of(stub);
  const Needs needs;
  Watch watch(client, needs);
  CHECK(wait_until(watch, [&] { return watch.is_complete(); }));
  Request request;
  request.path = "/api/v1/nodes?limit=1";
  for (int i = 0; i < 3; ++i) {
    CHECK(client.fetch(request).ok());
    watch.wait(10ms);
  }
  CHECK(allocated(watch) == 2);
}

TEST_CASE("what is no watch leaves the old numbers, and says since when they are old") {
  ChangingServer server("<html>\n");
  HttpStub stub([&](const std::string& head, int) { return server.answer(head); });
  Client client = client_of(stub);
  const Needs needs;
  Watch watch(client, needs);
  CHECK(wait_until(watch, [&] { return watch.lost().has_value(); }));
  CHECK(allocated(watch) == 2);
  CHECK_THAT(watch.lost().value_or(Lost{}).problem, Catch::Contains("JSON"));
}

TEST_CASE("a server that refuses the first list ends the watch") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("500 Internal Server Error", "text/plain", "no\n");
  });
  Client client = client_of(stub);
  const Needs needs;
  Watch watch(client, needs);
  CHECK_THROWS_AS(wait_until(watch, [&] { return watch.is_complete(); }), Error);
}

}  // namespace watch_watch_test
