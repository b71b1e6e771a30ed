#include "kube/http/client.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <sstream>
#include <stdexcept>

#include "kube/http_stub.hpp"

namespace http_client_test {

using namespace std::chrono_literals;
using Catch::Contains;
using gpu::Environment;
using gpu::ErrorKind;
using gpu::kube::Client;
using gpu::kube::ClientOptions;
using gpu::kube::Connection;
using gpu::kube::Reply;
using gpu::kube::Request;

namespace {

Connection to(const HttpStub& stub) {
  Connection connection;
  connection.server = stub.url();
  return connection;
}

ClientOptions quick() {
  ClientOptions options;
  options.user_agent = "kubectl-gpu/test";
  options.connect_timeout = 2s;
  options.silence_timeout = 2s;
  return options;
}

Client client_of(const HttpStub& stub) { return {to(stub), Environment(), quick()}; }

Request get(std::string path) {
  Request request;
  request.path = std::move(path);
  return request;
}

std::string path_of(const std::string& head) { return head.substr(4, head.find(' ', 4) - 4); }

const HttpStub::Answer kEcho = [](const std::string& head, int) {
  return HttpStub::reply("200 OK", "application/json", path_of(head));
};

}  // namespace

TEST_CASE("replies come in the order of the requests, over a bounded number of connections") {
  HttpStub stub(kEcho);
  Client client = client_of(stub);
  std::vector<Request> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(get("/r" + std::to_string(i)));
  const std::vector<Reply> replies = client.fetch(requests);
  REQUIRE(replies.size() == 200);
  for (std::size_t i = 0; i < replies.size(); ++i) {
    CHECK(replies[i].ok());
    CHECK(replies[i].body == "/r" + std::to_string(i));
  }
  CHECK(stub.connections() <= 16);
  CHECK(stub.requests() == 200);
}

TEST_CASE("one connection serves one request after another") {
  HttpStub stub(kEcho);
  Client client = client_of(stub);
  for (int i = 0; i < 5; ++i) CHECK(client.fetch(get("/x")).ok());
  CHECK(stub.connections() == 1);
}

TEST_CASE("what a request carries") {
  HttpStub stub(kEcho);
  Connection connection = to(stub);
  connection.credentials.token = "secret";
  connection.request_timeout = 5s;
  Client client(connection, Environment(), quick());
  Request request = get("/api?x=1");
  request.accept = "application/vnd.kubernetes.protobuf";
  CHECK(client.fetch(request).body == "/api?x=1&timeout=5s");
  const std::string head = stub.last_head();
  CHECK_THAT(head, Contains("User-Agent: kubectl-gpu/test") &&
                       Contains("Accept: application/vnd.kubernetes.protobuf") &&
                       Contains("Accept-Encoding: gzip") && !Contains("secret"));
  connection.compression = false;
  CHECK(Client(connection, Environment(), quick()).fetch(get("/")).ok());
  CHECK_THAT(stub.last_head(), !Contains("Accept-Encoding"));
}

TEST_CASE("a 2xx body streams, and is not stored") {
  const std::string body(1'000'000, 'x');
  HttpStub stub(
      [&](const std::string&, int) { return HttpStub::reply("200 OK", "application/json", body); });
  Request request = get("/");
  std::string type;
  std::size_t received = 0;
  request.on_start = [&](std::string_view content_type) { type = content_type; };
  request.on_data = [&](std::string_view bytes) {
    CHECK_FALSE(type.empty());
    received += bytes.size();
  };
  const Reply reply = client_of(stub).fetch(request);
  CHECK(reply.ok());
  CHECK(reply.body.empty());
  CHECK(type == "application/json");
  CHECK(received == body.size());
}

TEST_CASE("an empty body is no list") {
  HttpStub stub(
      [](const std::string&, int) { return HttpStub::reply("200 OK", "application/json", ""); });
  Request request = get("/");
  Client client = client_of(stub);
  CHECK(client.fetch(request).ok());
  request.on_data = [](std::string_view) { FAIL("there is no data"); };
  const Reply reply = client.fetch(request);
  REQUIRE(reply.error);
  CHECK(reply.error->kind() == ErrorKind::data);
  CHECK_THAT(reply.error->help(), Contains(stub.url()));
}

TEST_CASE("an error's body is kept, and does not stream") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("403 Forbidden", "application/json", "{no}");
  });
  Request request = get("/");
  request.on_data = [](std::string_view) { FAIL("errors do not stream"); };
  const Reply reply = client_of(stub).fetch(request);
  CHECK(reply.status == 403);
  CHECK_FALSE(reply.ok());
  CHECK_FALSE(reply.error);
  CHECK(reply.body == "{no}");
}

TEST_CASE("what a callback throws ends everything") {
  HttpStub stub(kEcho);
  Client client = client_of(stub);
  std::vector<Request> requests(20, get("/x"));
  requests[3].on_data = [](std::string_view) { throw std::runtime_error("enough"); };
  CHECK_THROWS_WITH(client.fetch(requests), "enough");
  CHECK(client.fetch(get("/y")).body == "/y");
}

TEST_CASE("bodies have a limit") {
  const std::string body((1U << 20U) + 1, 'x');
  HttpStub stub([&](const std::string& head, int) {
    return HttpStub::reply(path_of(head) == "/bad" ? "500 No" : "200 OK", "text/plain", body);
  });
  Client client = client_of(stub);
  const Reply bad = client.fetch(get("/bad"));
  REQUIRE(bad.error);
  CHECK(bad.error->kind() == ErrorKind::data);
  CHECK(client.fetch(get("/good")).body.size() == body.size());
}

TEST_CASE("429 is asked again when the server says, and told once") {
  HttpStub stub([](const std::string& head, int index) {
    if (index < 2)
      return HttpStub::reply("429 Too Many Requests", "text/plain", "", "Retry-After: 1\r\n");
    return kEcho(head, index);
  });
  std::ostringstream log;
  ClientOptions options = quick();
  options.log = &log;
  Client client(to(stub), Environment(), options);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Reply> replies = client.fetch({get("/a"), get("/b")});
  CHECK(std::chrono::steady_clock::now() - start >= 1s);
  CHECK(replies[0].body == "/a");
  CHECK(replies[1].body == "/b");
  CHECK(stub.requests() == 4);
  CHECK(log.str() == "waiting 1 s: the API server is busy (429)\n");
}

TEST_CASE("a caller that knows a cheaper way hears of 429 at once") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("429 Too Many Requests", "text/plain", "", "Retry-After: 60\r\n");
  });
  Client client = client_of(stub);
  std::vector<Request> requests(200, get("/x"));
  for (Request& request : requests) request.on_throttle = gpu::kube::OnThrottle::report;
  for (const Reply& reply : client.fetch(requests)) CHECK(reply.status == 429);
  CHECK(stub.requests() <= 32);
}

TEST_CASE("a decoder's error says which server it was") {
  HttpStub stub(kEcho);
  Request request = get("/x");
  request.on_data = [](std::string_view) { throw gpu::Error(ErrorKind::data, "no list"); };
  Client client = client_of(stub);
  try {
    client.fetch(request);
    FAIL("nothing was thrown");
  } catch (const gpu::Error& error) {
    CHECK(error.message() == "no list");
    CHECK_THAT(error.help(), Contains(stub.url()));
  }
}

TEST_CASE("a server that stays busy has the last word") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("429 Too Many Requests", "text/plain", "busy\n", "Retry-After: 1\r\n");
  });
  ClientOptions options = quick();
  options.retry_budget = 1s;
  const Reply reply = Client(to(stub), Environment(), options).fetch(get("/"));
  CHECK(reply.status == 429);
  CHECK(stub.requests() == 2);
}

TEST_CASE("5xx without Retry-After is not asked again") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("503 Service Unavailable", "text/plain", "no\n");
  });
  CHECK(client_of(stub).fetch(get("/")).status == 503);
  CHECK(stub.requests() == 1);
}

TEST_CASE("a connection that was closed while it lay idle is replaced") {
  HttpStub stub([](const std::string& head, int) {
    return HttpStub::reply("200 OK", "text/plain", path_of(head), "Connection: close\r\n");
  });
  Client client = client_of(stub);
  for (int i = 0; i < 3; ++i) CHECK(client.fetch(get("/x")).ok());
}

TEST_CASE("a body that ends early is an error, and is not fetched again") {
  HttpStub stub([](const std::string&, int) {
    return std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\nhalf");
  });
  const Reply reply = client_of(stub).fetch(get("/"));
  REQUIRE(reply.error);
  CHECK(reply.error->message() == "Unable to connect to the server: unexpected EOF");
  CHECK(stub.requests() == 1);
}

TEST_CASE("silence has a limit, before and after the headers") {
  HttpStub stub([](const std::string& head, int) {
    return path_of(head) == "/silent" ? std::string()
                                      : std::string("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
  });
  ClientOptions options = quick();
  options.silence_timeout = 200ms;
  Client client(to(stub), Environment(), options);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Reply> replies = client.fetch({get("/silent"), get("/headers")});
  CHECK(std::chrono::steady_clock::now() - start < 1500ms);
  REQUIRE(replies[0].error);
  CHECK_THAT(replies[0].error->message(), Contains("while awaiting headers"));
  REQUIRE(replies[1].error);
  CHECK_THAT(replies[1].error->message(), Contains("while reading body"));
}

TEST_CASE("--request-timeout is for all attempts together") {
  HttpStub stub([](const std::string&, int) {
    return HttpStub::reply("429 Too Many Requests", "text/plain", "", "Retry-After: 1\r\n");
  });
  Connection connection = to(stub);
  connection.request_timeout = 1500ms;
  const Reply reply = Client(connection, Environment(), quick()).fetch(get("/"));
  CHECK(reply.status == 429);
  CHECK(stub.requests() == 2);
}

TEST_CASE("redirects and pages are no answers") {
  HttpStub stub([](const std::string& head, int) {
    if (path_of(head) == "/page") return HttpStub::reply("200 OK", "text/html", "<html>");
    return HttpStub::reply("302 Found", "text/plain", "",
                           "Location: https://joe:pw@login/x?code=secret\r\n");
  });
  Client client = client_of(stub);
  const Reply redirect = client.fetch(get("/r"));
  REQUIRE(redirect.error);
  CHECK_THAT(redirect.error->message(),
             Contains("points to https://login/x:") && !Contains("secret"));
  const Reply page = client.fetch(get("/page"));
  REQUIRE(page.error);
  CHECK_THAT(page.error->message(), Contains("answered with HTML, not Kubernetes"));
  CHECK(stub.requests() == 2);
}

TEST_CASE("nobody listens") {
  std::string url;
  {
    const HttpStub stub(kEcho);
    url = stub.url();
  }
  Connection connection;
  connection.server = url;
  const Reply reply = Client(connection, Environment(), quick()).fetch(get("/"));
  REQUIRE(reply.error);
  CHECK(reply.status == 0);
  CHECK_THAT(reply.error->message(), Contains("was refused - did you specify the right host"));
}

}  // namespace http_client_test
