#include "kube/http/headers.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "base/error.hpp"

namespace http_headers_test {

using gpu::kube::Connection;
using gpu::kube::endpoint_of;
using gpu::kube::Header;
using gpu::kube::request_headers;
using gpu::kube::ResolvedCredentials;

namespace {

std::multimap<std::string, std::string> sent(const Connection& connection,
                                             const ResolvedCredentials& credentials) {
  std::multimap<std::string, std::string> found;
  for (const Header& header :
       request_headers(connection, endpoint_of(connection), credentials, "kubectl-gpu/1"))
    found.emplace(header.name, header.value);
  return found;
}

Connection to(std::string server) {
  Connection connection;
  connection.server = std::move(server);
  return connection;
}

}  // namespace

TEST_CASE("a token goes over TLS only") {
  CHECK(sent(to("https://h"), {"Bearer t", {}, {}}).find("Authorization")->second == "Bearer t");
  CHECK(sent(to("http://h"), {"Bearer t", {}, {}}).count("Authorization") == 0);
  CHECK(sent(to("https://h"), {}).count("Authorization") == 0);
}

TEST_CASE("impersonation, with keys that are no header names") {
  Connection connection = to("https://h");
  connection.credentials.impersonate_user = "jane";
  connection.credentials.impersonate_uid = "7";
  connection.credentials.impersonate_groups = {"a", "b"};
  connection.credentials.impersonate_extra = {{"Scopes.example/x y%", "secret"}};
  const auto headers = sent(connection, {});
  CHECK(headers.find("Impersonate-User")->second == "jane");
  CHECK(headers.find("Impersonate-Uid")->second == "7");
  CHECK(headers.count("Impersonate-Group") == 2);
  CHECK(headers.find("Impersonate-Extra-Scopes.example%2Fx%20y%25")->second == "secret");
}

TEST_CASE("what is shown of a header holds no secret") {
  Connection connection = to("https://h");
  connection.credentials.impersonate_user = "jane";
  connection.credentials.impersonate_extra = {{"scopes", "secret"}};
  for (const Header& header : request_headers(connection, endpoint_of(connection),
                                              {"Bearer secret", {}, {}}, "kubectl-gpu/1"))
    CHECK(header.shown.find("secret") == std::string::npos);
  for (const Header& header : request_headers(connection, endpoint_of(connection),
                                              {"secret-without-scheme", {}, {}}, "kubectl-gpu/1"))
    CHECK(header.shown.find("secret") == std::string::npos);
}

TEST_CASE("a value cannot break out of its header") {
  Connection connection = to("https://h");
  CHECK_THROWS_WITH(sent(connection, {"Bearer a\r\nX: y", {}, {}}),
                    "Unable to connect to the server: net/http: invalid header field value for "
                    "\"Authorization\"");
  connection.credentials.impersonate_groups = {"a\nb"};
  CHECK_THROWS_AS(sent(connection, {}), gpu::Error);
  CHECK_NOTHROW(gpu::kube::check_header_value("X", "tab\tand \xc3\xa4"));
  CHECK_THROWS_AS(gpu::kube::check_header_value("X", "\x7f"), gpu::Error);
}

}  // namespace http_headers_test
