#include "kube/http/trace.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace http_trace_test {

using namespace std::chrono_literals;
using Catch::Contains;
using gpu::kube::Header;
using gpu::kube::Trace;

namespace {

const std::vector<Header> kHeaders = {{"Authorization", "Bearer secret", "Bearer <masked>"},
                                      {"X-Quote", "it's", "it's"}};

std::string all_of(int verbosity) {
  std::ostringstream log;
  Trace trace(&log, verbosity);
  trace.request("https://h/api", kHeaders);
  trace.answer("https://h/api", "200 OK", 12ms);
  trace.response_headers({"Content-Type: application/json", "Set-Cookie: session=secret"});
  trace.error_body(R"({"kind":"Status"})");
  return log.str();
}

}  // namespace

TEST_CASE("each level of -v adds to the one before") {
  CHECK(all_of(5).empty());
  CHECK(all_of(6) == "GET https://h/api 200 OK in 12 milliseconds\n");
  CHECK_THAT(all_of(7), Contains("Request Headers:\n    Authorization: Bearer <masked>\n"));
  CHECK_THAT(all_of(7), !Contains("Response Headers"));
  CHECK_THAT(all_of(8), Contains("Response Headers:\n    Content-Type: application/json\n"));
  CHECK_THAT(all_of(8), Contains("Response Body: {\"kind\":\"Status\"}\n"));
  CHECK_THAT(all_of(8), !Contains("curl "));
  CHECK_THAT(all_of(9), Contains(R"(curl -v -XGET -H 'Authorization: Bearer <masked>')"));
  CHECK_THAT(all_of(9), Contains(R"(-H 'X-Quote: it'\''s' https://h/api)"));
}

TEST_CASE("no level shows a secret") { CHECK_THAT(all_of(99), !Contains("secret")); }

TEST_CASE("bodies are cut and only JSON is shown") {
  std::ostringstream log;
  Trace trace(&log, 9);
  trace.error_body("<html>");
  CHECK(log.str().empty());
  trace.error_body("{" + std::string(5000, 'x'));
  CHECK(log.str().size() < 1100);
  CHECK_THAT(log.str(), Contains("[truncated]"));
}

TEST_CASE("each warning once, without what a terminal would obey") {
  std::ostringstream log;
  Trace trace(&log, 0);
  trace.warning(R"(299 - "v1 \"X\" is old")");
  trace.warning(R"(299 - "v1 \"X\" is old")");
  trace.warning("299 - \"\x1b[31mred\"");
  CHECK(log.str() == "Warning: v1 \"X\" is old\nWarning: \\x1b[31mred\n");
}

TEST_CASE("waiting is told once") {
  std::ostringstream log;
  Trace trace(&log, 0);
  trace.waiting(2s, 429);
  trace.waiting(4s, 429);
  CHECK(log.str() == "waiting 2 s: the API server is busy (429)\n");
}

TEST_CASE("without a log nothing is written") {
  Trace trace(nullptr, 9);
  trace.request("https://h", kHeaders);
  trace.warning("x");
  CHECK_NOTHROW(trace.waiting(1s, 429));
}

TEST_CASE("a warning of another form is shown as it is") {
  CHECK(gpu::kube::warning_text("299 something") == "299 something");
  CHECK(gpu::kube::warning_text("299 - \"open") == "open");
}

}  // namespace http_trace_test
