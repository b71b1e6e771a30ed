#include "kube/watch/reflector.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace watch_reflector_test {

using namespace std::chrono_literals;
using namespace gpu::kube;
using Catch::Contains;
using gpu::decode::WatchEvent;
using gpu::decode::WatchEventType;

namespace {

constexpr Clock::time_point kStart{};

std::string event(const std::string& type, const std::string& name, const std::string& version) {
  return R"({"type":")" + type + R"(","object":{"kind":"Thing","metadata":{"name":")" + name +
         R"(","resourceVersion":")" + version + "\"}}}\n";
}

/// A reflector of things, whose server is the test.
class Server {
 public:
  Server() : reflector_(source()) {}

  Reflector& reflector() { return reflector_; }
  std::string path() { return (request_ = &reflector_.next_request())->path; }
  void send(const std::string& body) {
    if (request_->on_success) request_->on_success();
    request_->on_start("application/json");
    request_->on_data(body);
  }
  bool end(int status = 200, std::chrono::milliseconds after = 2s) {
    Reply reply;
    reply.status = status;
    return reflector_.take(reply, Clock::now() + after);
  }
  bool answer_list(const std::string& items, const std::string& version,
                   const std::string& next = {}) {
    path();
    send(R"({"kind":"ThingList","metadata":{"resourceVersion":")" + version + R"(","continue":")" +
         next + R"("},"items":[)" + items + "]}");
    return end();
  }
  std::vector<std::string> told;

 private:
  ReflectorSource source() {
    ReflectorSource source;
    source.path = "/things";
    source.query = {{"labelSelector", "a=b"}};
    source.accept = "application/json";
    source.make_reader = [this] {
      return ItemReader::of_objects("ThingList", [this](const nlohmann::json& object) {
        told.push_back("listed " + object.at("name").get<std::string>());
      });
    };
    source.on_list_begin = [this] { told.emplace_back("begin"); };
    source.on_list_end = [this] { told.emplace_back("end"); };
    source.on_event = [this](const WatchEvent& event) {
      const bool is_gone = event.type == WatchEventType::deleted;
      told.push_back((is_gone ? "gone " : "there ") +
                     event.object->at("metadata").at("name").get<std::string>());
    };
    return source;
  }

  Reflector reflector_;
  const Request* request_ = nullptr;
};

}  // namespace

TEST_CASE("a kind is listed once, then watched from the list's version on") {
  Server server;
  CHECK(server.path() == "/things?resourceVersion=0&labelSelector=a%3Db");
  server.send(R"({"kind":"ThingList","metadata":{"resourceVersion":"7"},"items":[{"name":"a"}]})");
  CHECK(server.end());
  CHECK(server.reflector().has_listed());
  CHECK(server.told == std::vector<std::string>{"begin", "listed a", "end"});
  CHECK(server.path() ==
        "/things?watch=1&allowWatchBookmarks=true&resourceVersion=7&labelSelector=a%3Db");
}

TEST_CASE("a watch that the server ends goes on from the last version, a bookmark's too") {
  Server server;
  CHECK(server.answer_list("", "7"));
  server.told.clear();
  server.path();
  server.send(event("ADDED", "a", "8") + event("MODIFIED", "a", "9") + event("DELETED", "a", "12"));
  CHECK(server.end());
  CHECK(server.told == std::vector<std::string>{"there a", "there a", "gone a"});
  CHECK_THAT(server.path(), Contains("resourceVersion=12"));
  server.send(event("BOOKMARK", "", "40"));
  CHECK(server.end(200, 0s));
  CHECK(server.told.size() == 3);
  CHECK_THAT(server.path(), Contains("watch=1") && Contains("resourceVersion=40"));
}

TEST_CASE("a version that is too old leads to a new list of the newest") {
  const bool by_event = GENERATE(true, false);
  Server server;
  CHECK(server.answer_list("", "7"));
  server.path();
  if (by_event) {
    server.send(event("ADDED", "a", "8") +
                R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","code":410}})");
    CHECK(server.end());
  } else {
    CHECK(server.end(410));
  }
  CHECK(server.path() == "/things?labelSelector=a%3Db");
}

TEST_CASE("pauses grow while a connection stays lost, and the version is kept") {
  Server server;
  CHECK(server.answer_list("", "7"));
  Reply lost;
  lost.error = gpu::Error(gpu::ErrorKind::unreachable, "gone");
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
    CHECK_THAT(server.path(), Contains("watch=1") && Contains("resourceVersion=7"));
    CHECK_FALSE(server.reflector().due());
    CHECK_FALSE(server.reflector().take(lost, kStart));
    CHECK(server.reflector().due() == kStart + pause);
    CHECK(server.reflector().lost_since() == kStart);
  }
  server.path();
  server.send(event("ADDED", "a", "8"));
  CHECK_FALSE(server.reflector().lost_since());
  CHECK(server.end());
  server.path();
  CHECK_FALSE(server.reflector().take(lost, kStart));
  CHECK(server.reflector().due() == kStart + 1s);
}

TEST_CASE("a watch that ends at once and said nothing is not asked for again at once") {
  Server server;
  CHECK(server.answer_list("", "7"));
  server.path();
  CHECK_FALSE(server.end(200, 0s));
  server.path();
  CHECK_FALSE(server.end(410, 0s));
}

TEST_CASE("an error event that is no 410 leads to a new list after a pause") {
  Server server;
  CHECK(server.answer_list("", "7"));
  server.path();
  server.send(R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","code":500}})");
  CHECK_FALSE(server.end());
  CHECK_THAT(server.path(), !Contains("watch"));
}

TEST_CASE("pages belong to one list; a page that is too old begins another") {
  Server server;
  CHECK(server.answer_list(R"({"name":"a"})", "7", "more"));
  CHECK_FALSE(server.reflector().has_listed());
  CHECK_THAT(server.path(), Contains("continue=more") && !Contains("resourceVersion"));
  CHECK_FALSE(server.end(410));
  CHECK(server.answer_list(R"({"name":"a"})", "8", "more"));
  CHECK(server.answer_list(R"({"name":"b"})", "8"));
  CHECK(server.reflector().has_listed());
  CHECK(server.told ==
        std::vector<std::string>{"begin", "listed a", "begin", "listed a", "listed b", "end"});
}

TEST_CASE("a server that ends each watch so is not asked for list after list") {
  const bool by_event = GENERATE(true, false);
  Server server;
  const auto end_expired = [&] {
    server.path();
    if (!by_event) return server.end(410, 0s);
    server.send(
        event("ADDED", "a", "8") +
        R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","code":410,"message":"too old"}})");
    return server.end(200, 0s);
  };
  const auto pause = [&] { return *server.reflector().due() - Clock::now(); };
  CHECK(server.answer_list("", "7"));
  CHECK(end_expired());
  CHECK(pause() > 500ms);
  for (const auto shortest : {1500ms, 3500ms, 7500ms}) {
    CHECK(server.answer_list("", "7"));
    CHECK_FALSE(end_expired());
    CHECK(pause() > shortest);
    if (by_event) CHECK(server.reflector().problem() == "too old");
  }
}

TEST_CASE("no watch is asked for more than once a second, whatever it tells") {
  Server server;
  CHECK(server.answer_list("", "7"));
  server.path();
  server.send(event("BOOKMARK", "", "7"));
  CHECK(server.end(200, 0s));
  CHECK(*server.reflector().due() - Clock::now() > 500ms);
  server.path();
  server.send(event("BOOKMARK", "", "7"));
  CHECK(server.end(200, 2s));
  CHECK(*server.reflector().due() - Clock::now() > 1500ms);
  CHECK(*server.reflector().due() - Clock::now() < 2500ms);
}

TEST_CASE("an event that could not be read comes again") {
  Server server;
  CHECK(server.answer_list("", "7"));
  server.path();
  // The object lacks a name, which the test's reader throws for.
  CHECK_THROWS(
      server.send(R"({"type":"ADDED","object":{"kind":"Thing","metadata":{"resourceVersion":"9"}}})"
                  "\n"));
  server.reflector().lose(Clock::now());
  CHECK_THAT(server.path(), Contains("resourceVersion=7"));
}

}  // namespace watch_reflector_test
