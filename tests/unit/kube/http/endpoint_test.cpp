#include "kube/http/endpoint.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace http_endpoint_test {

using namespace std::chrono_literals;
using gpu::kube::Connection;
using gpu::kube::endpoint_of;
using gpu::kube::request_url;

namespace {

Connection connection_to(std::string server, std::string tls_server_name = {}) {
  Connection connection;
  connection.server = std::move(server);
  connection.tls_server_name = std::move(tls_server_name);
  return connection;
}

}  // namespace

TEST_CASE("a server's address in parts") {
  const auto plain = endpoint_of(connection_to("https://10.0.0.1:6443"));
  CHECK(plain.base == "https://10.0.0.1:6443");
  CHECK(plain.authority == "10.0.0.1:6443");
  CHECK(plain.connect_to.empty());
  CHECK(plain.host_header.empty());
  CHECK(plain.tls);
  CHECK_FALSE(endpoint_of(connection_to("http://localhost:8080")).tls);
  CHECK(endpoint_of(connection_to("HTTPS://Host/prefix/")).base == "https://Host/prefix");
  CHECK(endpoint_of(connection_to("https://h")).authority == "h");
}

TEST_CASE("IPv6 keeps its brackets, but not in names") {
  const auto endpoint = endpoint_of(connection_to("https://[::1]:6443/p"));
  CHECK(endpoint.base == "https://[::1]:6443/p");
  CHECK(endpoint.host == "::1");
  CHECK(endpoint.authority == "[::1]:6443");
}

TEST_CASE("a TLS server name takes the host's place, and the Host header keeps it") {
  const auto endpoint = endpoint_of(connection_to("https://[::1]:6443/p", "kubernetes"));
  CHECK(endpoint.base == "https://kubernetes:6443/p");
  CHECK(endpoint.connect_to == "::[::1]:6443");
  CHECK(endpoint.host_header == "[::1]:6443");
  CHECK(endpoint.shown_base == "https://[::1]:6443/p");
  CHECK(endpoint_of(connection_to("https://h", "name")).connect_to == "::h:443");
  CHECK(endpoint_of(connection_to("https://h", "h")).connect_to.empty());
  CHECK(endpoint_of(connection_to("http://h", "name")).connect_to.empty());
}

TEST_CASE("addresses that cannot be used") {
  CHECK_THROWS_WITH(endpoint_of(connection_to("ftp://h")),
                    Catch::Contains("unsupported protocol scheme \"ftp\""));
  CHECK_THROWS_AS(endpoint_of(connection_to("https://")), gpu::Error);
  CHECK_THROWS_WITH(endpoint_of(connection_to("https://joe:secret@h:port")),
                    !Catch::Contains("secret"));
}

TEST_CASE("one slash between prefix and path, and kubectl's timeout") {
  Connection connection;
  CHECK(request_url("https://h/p", "/api", connection) == "https://h/p/api");
  CHECK(request_url("https://h", "api?x=1", connection) == "https://h/api?x=1");
  connection.request_timeout = 90s;
  CHECK(request_url("https://h", "/api", connection) == "https://h/api?timeout=1m30s");
  CHECK(request_url("https://h", "/api?x=1", connection) == "https://h/api?x=1&timeout=1m30s");
  connection.request_timeout = 0s;
  CHECK(request_url("https://h", "/api", connection) == "https://h/api");
}

TEST_CASE("durations as Go writes them") {
  using gpu::kube::go_duration;
  CHECK(go_duration(5s) == "5s");
  CHECK(go_duration(120s) == "2m0s");
  CHECK(go_duration(3600s) == "1h0m0s");
  CHECK(go_duration(1500ms) == "1.5s");
  CHECK(go_duration(250ms) == "250ms");
}

TEST_CASE("user names and passwords are not shown") {
  CHECK(endpoint_of(connection_to("https://joe:secret@h:1")).shown_base == "https://h:1");
}

}  // namespace http_endpoint_test
