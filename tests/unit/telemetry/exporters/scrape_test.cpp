#include "telemetry/exporters/scrape.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <mutex>
#include <thread>

#include "kube/http_stub.hpp"
#include "telemetry/exporters/scrape_json.hpp"

namespace gpu::telemetry::exporters_scrape_test {

using namespace std::chrono_literals;
using Catch::Contains;

using namespace gpu::kube;
namespace {

const std::string kTwoCards =
    "# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).\n"
    "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-a\"} 97\n"
    "DCGM_FI_DEV_GPU_UTIL{gpu=\"1\",UUID=\"GPU-b\"} 0\n"
    "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-a\"} 60\n"
    "DCGM_FI_DEV_GPU_TEMP{gpu=\"1\",UUID=\"GPU-b\"} 31\n";

std::string text(const std::string& body, const std::string& more = {}) {
  return HttpStub::reply("200 OK", "text/plain; version=0.0.4", body, more);
}

std::string status(const std::string& line, const std::string& message) {
  return HttpStub::reply(line, "application/json",
                         R"({"kind":"Status","status":"Failure","message":")" + message +
                             R"(","code":)" + line.substr(0, 3) + "}");
}

std::string path_of(const std::string& head) { return head.substr(4, head.find(' ', 4) - 4); }

Exporter exporter(const std::string& pod) {
  Exporter one;
  one.kind = "dcgm-exporter";
  one.ns = "mon";
  one.pod = pod;
  one.node = "node-of-" + pod;
  one.port = "9400";
  one.is_ready = true;
  return one;
}

Client client_of(const HttpStub& stub) {
  Connection connection;
  connection.server = stub.url();
  return {connection, Environment(), {}};
}

std::vector<Scraped> scraped(const HttpStub& stub, const std::vector<Exporter>& exporters,
                             const ScrapeLimits& limits = {},
                             ScrapeKeep keep = ScrapeKeep::samples) {
  Client client = client_of(stub);
  Scraper scraper(client.session(), exporters, keep, limits);
  while (!scraper.is_done()) scraper.turn(100ms);
  return scraper.take();
}

/// What comes of one exporter that answers so.
Scraped one(const std::string& reply, const ScrapeLimits& limits = {}) {
  HttpStub stub([&](const std::string&, int) { return reply; });
  return scraped(stub, {exporter("x")}, limits).front();
}

/// Quick, where something is waited for.
ScrapeLimits quick() {
  ScrapeLimits limits;
  limits.each = 300ms;
  limits.all = 900ms;
  limits.pause = 50ms;
  return limits;
}

}  // namespace

TEST_CASE("the devices of a text are those of the pod's node") {
  HttpStub stub([](const std::string&, int) { return text(kTwoCards); });
  const auto all = scraped(stub, {exporter("x")}, {}, ScrapeKeep::series_too);
  REQUIRE(all.size() == 1);
  CHECK(all[0].fault == ScrapeFault::none);
  CHECK(all[0].problem.empty());
  CHECK(all[0].remark.empty());
  CHECK(all[0].devices == 2);
  REQUIRE(all[0].samples.size() == 2);
  CHECK(all[0].samples[0].node == "node-of-x");
  CHECK(all[0].samples[0].exporter == "mon/x");
  CHECK(all[0].samples[0].measures.utilization == 0.97);
  CHECK(all[0].samples[0].at.has_value());
  CHECK(all[0].series.size() == 4);
  CHECK(path_of(stub.last_head()) == "/api/v1/namespaces/mon/pods/x:9400/proxy/metrics");
  CHECK_THAT(stub.last_head(), Contains("Accept: text/plain"));
}

TEST_CASE("600 exporters are read side by side, 32 at a time") {
  HttpStub stub([](const std::string&, int) { return text(kTwoCards); });
  std::vector<Exporter> exporters;
  for (int i = 0; i < 600; ++i) exporters.push_back(exporter("x" + std::to_string(i)));
  const auto all = scraped(stub, exporters);
  REQUIRE(all.size() == 600);
  CHECK(std::all_of(all.begin(), all.end(), [](const Scraped& s) { return s.devices == 2; }));
  CHECK(all[599].exporter.pod == "x599");
  CHECK(stub.connections() <= 32);
  CHECK(stub.connections() > 16);
}

TEST_CASE("one that is slow, wrong, or dead does not harm the others") {
  HttpStub stub([](const std::string& head, int) {
    const std::string path = path_of(head);
    if (path.find("/slow:") != std::string::npos) return std::string();
    if (path.find("/broken:") != std::string::npos)
      return HttpStub::reply("500 Internal Server Error", "text/plain", "panic");
    if (path.find("/dead:") != std::string::npos)
      return status("503 Service Unavailable",
                    "error trying to reach service: dial tcp 10.1.2.3:9400: i/o timeout");
    return text(kTwoCards);
  });
  Exporter unready = exporter("unready");
  unready.is_ready = false;
  const auto begin = std::chrono::steady_clock::now();
  const auto all = scraped(
      stub, {exporter("slow"), exporter("broken"), unready, exporter("dead"), exporter("good")},
      quick());
  CHECK(std::chrono::steady_clock::now() - begin < 800ms);
  CHECK(all[0].fault == ScrapeFault::late);
  CHECK(all[0].problem == "it gave no answer within 0.3s");
  CHECK(all[1].fault == ScrapeFault::refused);
  CHECK(all[1].problem == "it answered 500 at /metrics");
  CHECK(all[2].fault == ScrapeFault::not_ready);
  CHECK(all[3].fault == ScrapeFault::unreachable);
  CHECK_THAT(all[3].problem, Contains("dial tcp 10.1.2.3:9400: i/o timeout"));
  CHECK(all[4].devices == 2);
  CHECK(stub.requests() == 4);
}

TEST_CASE("the time that all have ends what waits, too") {
  HttpStub stub([](const std::string&, int) { return std::string(); });
  const auto begin = std::chrono::steady_clock::now();
  // Fewer than would make it hopeless.
  const auto all = scraped(stub, {exporter("a"), exporter("b"), exporter("c")},
                           ScrapeLimits{.in_flight = 4, .each = 2000ms, .all = 400ms});
  CHECK(std::chrono::steady_clock::now() - begin < 900ms);
  for (const Scraped& each : all) {
    CHECK(each.fault == ScrapeFault::late);
    CHECK_THAT(each.problem, Contains("within 0.4s with all the others"));
  }
}

TEST_CASE("where the first ones all cannot be reached, the rest is not asked") {
  HttpStub stub([](const std::string&, int) {
    return status("403 Forbidden",
                  R"(pods \"x\" is forbidden: User \"u\" cannot get resource \"pods/proxy\")");
  });
  ScrapeLimits limits;
  limits.in_flight = 4;
  std::vector<Exporter> exporters;
  for (int i = 0; i < 50; ++i) exporters.push_back(exporter("x" + std::to_string(i)));
  const auto all = scraped(stub, exporters, limits);
  CHECK(stub.requests() < 12);
  std::size_t asked = 0;
  for (const Scraped& each : all) {
    CHECK(each.fault == ScrapeFault::forbidden);
    asked += each.is_given_up ? 0 : 1;
    CHECK_THAT(each.problem, Contains(each.is_given_up ? "was not queried"
                                                       : "cannot get resource \"pods/proxy\""));
  }
  CHECK(asked >= 4);
  CHECK(asked < 12);
}

TEST_CASE("an empty answer is asked for once more") {
  std::string first;
  SECTION("no byte") {}
  SECTION("comments alone") { first = "# HELP x y\n"; }
  HttpStub later(
      [&](const std::string&, int index) { return text(index == 0 ? first : kTwoCards); });
  CHECK(scraped(later, {exporter("x")}, quick()).front().devices == 2);
  CHECK(later.requests() == 2);
  HttpStub never([&](const std::string&, int) { return text(first); });
  const Scraped empty = scraped(never, {exporter("x")}, quick()).front();
  CHECK(empty.fault == ScrapeFault::empty);
  CHECK(empty.problem == "it answered but has no metrics (starting or reloading)");
  CHECK(never.requests() == 2);
}

TEST_CASE("an answer that is no metrics of GPUs is said to be none") {
  const Scraped html = one(HttpStub::reply("200 OK", "text/html", "\n<html>log in</html>"));
  CHECK(html.fault == ScrapeFault::no_text);
  CHECK(html.problem == "it answered with HTML, not with metrics");
  CHECK(one(status("200 OK", "hm")).problem == "it answered with JSON, not with metrics");
  CHECK(one(text("not at all\n")).problem ==
        "it answered with text of another kind, not with metrics");
  const Scraped other = one(text("go_goroutines 7\nup 1\n"));
  CHECK(other.fault == ScrapeFault::no_gpus);
  CHECK(other.problem == "none of the 2 lines of its text reports GPUs");
  CHECK(one(HttpStub::reply("302 Found", "text/plain", "", "Location: /login\r\n")).fault ==
        ScrapeFault::refused);
}

TEST_CASE("who refuses: the API server, or the exporter") {
  CHECK(one(status("404 Not Found", "pods \\\"x\\\" not found")).fault == ScrapeFault::gone);
  CHECK(one(HttpStub::reply("404 Not Found", "text/plain", "404 page not found")).problem ==
        "it answered 404 at /metrics");
  CHECK(one(HttpStub::reply("401 Unauthorized", "text/plain", "Unauthorized")).problem ==
        "it wants a login of its own (it answered 401)");
  CHECK(one(HttpStub::reply("403 Forbidden", "text/plain", "Forbidden (user=x)")).fault ==
        ScrapeFault::refused);
  CHECK(one(HttpStub::reply("502 Bad Gateway", "text/plain",
                            "Error trying to reach service: 'dial tcp: connection refused'"))
            .fault == ScrapeFault::unreachable);
}

TEST_CASE("a wrong scheme is put right") {
  HttpStub speaks_tls([](const std::string& head, int) {
    return path_of(head).find("/https:x:") != std::string::npos
               ? text(kTwoCards)
               : HttpStub::reply("400 Bad Request", "text/plain",
                                 "Client sent an HTTP request to an HTTPS server.\n");
  });
  CHECK(scraped(speaks_tls, {exporter("x")}).front().devices == 2);
  HttpStub plain([](const std::string& head, int) {
    return path_of(head).find("/https:x:") == std::string::npos
               ? text(kTwoCards)
               : status("503 Service Unavailable",
                        "error trying to reach service: http: server gave HTTP response to HTTPS "
                        "client");
  });
  Exporter tls = exporter("x");
  tls.is_tls = true;
  CHECK(scraped(plain, {tls}).front().devices == 2);
  HttpStub confused([](const std::string&, int) {
    return HttpStub::reply("400 Bad Request", "text/plain",
                           "Client sent an HTTP request to an HTTPS server.\n");
  });
  CHECK(scraped(confused, {exporter("x")}).front().fault == ScrapeFault::refused);
  CHECK(confused.requests() == 2);
}

TEST_CASE("bad lines are told by number, and harm no other") {
  const Scraped told = one(text(kTwoCards + "DCGM_FI_DEV_FB_USED{gpu=\"0\" 7\n"));
  CHECK(told.fault == ScrapeFault::none);
  CHECK(told.devices == 2);
  CHECK(told.bad_lines == 1);
  CHECK_THAT(told.bad_text, Contains("line 6: "));
}

TEST_CASE("a text that ends within a number does not tell that number") {
  const std::string cut = kTwoCards.substr(0, kTwoCards.find(" 97\n") + 2);
  HttpStub stub([&](const std::string&, int) { return text(cut); });
  const Scraped told = scraped(stub, {exporter("x")}).front();
  CHECK(told.samples.empty());
}

TEST_CASE("of a text that is cut, the metric at the cut is not believed") {
  ScrapeLimits limits;
  limits.text_bytes = kTwoCards.size() - 3;  // "3" of 31 is left
  const Scraped cut = one(text(kTwoCards), limits);
  CHECK(cut.fault == ScrapeFault::none);
  REQUIRE(cut.samples.size() == 2);
  CHECK(cut.samples[1].measures.utilization == 0.0);
  CHECK_FALSE(cut.samples[0].measures.temperature_celsius);
  CHECK_FALSE(cut.samples[1].measures.temperature_celsius);
  CHECK_THAT(cut.remark, Contains("its text was cut after"));
  CHECK(cut.bad_lines == 0);
  // What its connection lost is no text at all.
  const std::string whole = text(kTwoCards, "Connection: close\r\n");
  const Scraped lost = one(whole.substr(0, whole.size() - 3));
  CHECK(lost.fault == ScrapeFault::no_answer);
  CHECK(lost.samples.empty());
}

TEST_CASE("what one exporter tells is bounded") {
  std::string many;
  for (int i = 0; i < 3000; ++i)
    many += "DCGM_FI_DEV_GPU_UTIL{UUID=\"GPU-" + std::to_string(i) + "\"} 1\n";
  const Scraped full = one(text(many + kTwoCards));
  CHECK(full.samples.size() == 1024);
  CHECK_THAT(full.remark, Contains("of its 3002 devices the first 1024 were taken"));
  ScrapeLimits limits;
  limits.stored_bytes = 100'000;
  const Scraped bounded = one(text(kTwoCards + many), limits);
  CHECK_THAT(bounded.remark, Contains("only the first"));
  // Of the metric at which it stopped nothing is believed.
  REQUIRE(bounded.samples.size() == 2);
  CHECK(bounded.samples[0].measures.temperature_celsius == 60.0);
  CHECK_FALSE(bounded.samples[0].measures.utilization);
}

TEST_CASE("an exporter's 401, 429 and 503 are no word of the API server") {
  HttpStub stub([](const std::string& head, int) {
    if (path_of(head).find("/busy:") != std::string::npos)
      return HttpStub::reply("429 Too Many Requests", "text/plain", "", "Retry-After: 60\r\n");
    if (path_of(head).find("/down:") != std::string::npos)
      return HttpStub::reply("503 Service Unavailable", "text/plain", "", "Retry-After: 1\r\n");
    return text(kTwoCards);
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto all = scraped(stub, {exporter("busy"), exporter("down"), exporter("good")}, quick());
  CHECK(std::chrono::steady_clock::now() - begin < 800ms);
  CHECK(all[0].fault == ScrapeFault::refused);
  CHECK(all[1].fault == ScrapeFault::refused);
  CHECK(all[2].devices == 2);
}

}  // namespace gpu::telemetry::exporters_scrape_test
