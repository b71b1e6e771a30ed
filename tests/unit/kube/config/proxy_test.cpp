#include "kube/config/proxy.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace config_proxy_test {

using namespace gpu::kube;
using gpu::Environment;

namespace {

std::string proxy_of(const std::string& server, const std::string& no_proxy = "") {
  return environment_proxy(server_url(server), Environment({{"HTTPS_PROXY", "http://p:3128"},
                                                            {"HTTP_PROXY", "http://plain"},
                                                            {"NO_PROXY", no_proxy}}));
}

}  // namespace

TEST_CASE("a proxy-url is http, https or socks5, and names its port for libcurl") {
  CHECK(explicit_proxy("http://p:3128") == "http://p:3128");
  CHECK(explicit_proxy("http://p") == "http://p:80");
  CHECK(explicit_proxy("https://u:pw@p/") == "https://u:pw@p:443");
  CHECK(explicit_proxy("socks5://p") == "socks5h://p:1080");
  CHECK(explicit_proxy("socks5://[::1]:99") == "socks5h://[::1]:99");
  CHECK(proxy_problem("socks5h://p") ==
        "unsupported scheme \"socks5h\", must be http, https, or socks5");
  CHECK(proxy_problem("p:3128") == "unsupported scheme \"p\", must be http, https, or socks5");
  CHECK(proxy_problem("http://u:secret@p:x") == "could not parse: http://u@p:x");
  CHECK_THROWS_AS(explicit_proxy("ftp://p"), gpu::Error);
}

TEST_CASE("the environment's proxy goes by the server's scheme") {
  CHECK(proxy_of("https://h") == "http://p:3128");
  CHECK(proxy_of("http://h") == "http://plain:80");
  const Url server = server_url("https://h");
  const auto with = [&](const char* name, const char* value) {
    std::map<std::string, std::string, std::less<>> variables;
    variables[name] = value;
    return environment_proxy(server, Environment(std::move(variables)));
  };
  CHECK(with("https_proxy", "p:1") == "http://p:1");
  CHECK(with("HTTPS_PROXY", "socks5://u:pw@p") == "socks5h://u:pw@p:1080");
  CHECK(with("ALL_PROXY", "http://p") == "");
  CHECK(with("HTTPS_PROXY", "http://p\x01q") == "");
  CHECK(environment_proxy(server, Environment({{"HTTPS_PROXY", "http://upper"},
                                               {"https_proxy", "http://lower"}})) ==
        "http://upper:80");
}

TEST_CASE("loopback is never proxied") {
  for (const char* server :
       {"https://localhost", "https://127.0.0.1:6443", "https://127.9.9.9", "https://[::1]:1"}) {
    INFO(server);
    CHECK(proxy_of(server) == "");
  }
  CHECK(proxy_of("https://localhost.example.com") != "");
}

TEST_CASE("NO_PROXY: names, suffixes, ports, addresses, CIDR") {
  const auto direct = [](const char* server, const char* no_proxy) {
    return proxy_of(server, no_proxy).empty();
  };
  CHECK(direct("https://a.example.com", "example.com"));
  CHECK(direct("https://example.com", "example.com"));
  CHECK(direct("https://EXAMPLE.com", " Example.COM "));
  CHECK_FALSE(direct("https://notexample.com", "example.com"));
  CHECK(direct("https://a.example.com", ".example.com"));
  CHECK(direct("https://a.example.com", "*.example.com"));
  CHECK_FALSE(direct("https://example.com", ".example.com"));
  CHECK(direct("https://x", "other,*"));
  CHECK(direct("https://h:6443", "h:6443"));
  CHECK(direct("https://h", "h:443"));
  CHECK_FALSE(direct("https://h:1", "h:6443"));
  CHECK(direct("https://10.1.2.3", "10.0.0.0/8"));
  CHECK(direct("https://10.1.2.3", "10.1.2.3"));
  CHECK(direct("https://10.1.2.3:6443", "10.1.2.3:6443"));
  CHECK_FALSE(direct("https://11.1.2.3", "10.0.0.0/8"));
  CHECK_FALSE(direct("https://10.1.2.3", "2.3"));
  CHECK(direct("https://[fd00::1]:6443", "fd00::/8"));
  CHECK(direct("https://[fd00::1]:6443", "[fd00::1]:6443"));
  CHECK(direct("https://[fd00::1]", "fd00::1"));
  CHECK_FALSE(direct("https://h", ":6443"));
}

TEST_CASE("without_password") {
  CHECK(without_password("http://u:secret@p:1") == "http://u@p:1");
  CHECK(without_password("http://u:s@cret@p") == "http://u@p");
  CHECK(without_password("http://p:1") == "http://p:1");
  CHECK(without_password("") == "");
}

}  // namespace config_proxy_test
