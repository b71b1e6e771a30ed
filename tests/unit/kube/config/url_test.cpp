#include "kube/config/url.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace config_url_test {

using namespace gpu::kube;

namespace {

std::string normal(const std::string& server) {
  const Url url = server_url(server);
  return url.scheme + "://" + url.authority() + url.path;
}

std::string error_of(const std::string& server) {
  try {
    return normal(server);
  } catch (const gpu::Error& error) {
    return error.message();
  }
}

}  // namespace

TEST_CASE("server URLs as kubectl takes them") {
  CHECK(normal("https://h:6443") == "https://h:6443");
  CHECK(normal("https://h:6443/") == "https://h:6443");
  CHECK(normal("https://h/k8s/clusters/c-m-1/") == "https://h/k8s/clusters/c-m-1");
  CHECK(normal("HTTPS://H.example.com") == "https://H.example.com");
  CHECK(normal("https://[::1]:6443/x") == "https://[::1]:6443/x");
  CHECK(normal("https://h?a=b#c") == "https://h");
}

TEST_CASE("without a scheme it is http") {
  CHECK(normal("localhost:8080") == "http://localhost:8080");
  CHECK(normal("127.0.0.1:6443") == "http://127.0.0.1:6443");
  CHECK(normal("h") == "http://h");
}

TEST_CASE("what is no server") {
  CHECK(error_of("ftp://h") ==
        "Unable to connect to the server: unsupported protocol scheme \"ftp\"");
  CHECK(error_of("h/x") == "host must be a URL or a host:port pair: \"h/x\"");
  CHECK(error_of("https://h:abc").starts_with("host must be a URL or a host:port pair"));
  CHECK(error_of("https://u:secret@h:abc").find("secret") == std::string::npos);
  CHECK(error_of("").starts_with("host must be a URL"));
}

TEST_CASE("user information is taken apart") {
  const Url url = server_url("https://u:p%40w@h:1/x");
  CHECK(url.userinfo == "u:p%40w");
  CHECK(url.host == "h");
  CHECK(url.port == "1");
  CHECK(percent_decoded("p%40w%") == "p@w%");
  CHECK_FALSE(parse_url("https://[::1"));
  CHECK_FALSE(parse_url("http://a\nb"));
}

TEST_CASE("user names and passwords are never shown") {
  CHECK(without_userinfo("http://joe:pa@ss@proxy:3128/x@y") == "http://proxy:3128/x@y");
  CHECK(without_userinfo("joe:pass@proxy:3128") == "proxy:3128");
  CHECK(without_userinfo("https://host/a@b") == "https://host/a@b");
}

}  // namespace config_url_test
