#include "telemetry/prometheus/refusal.hpp"

#include <catch2/catch.hpp>

namespace gpu::telemetry::prometheus_refusal_test {

TEST_CASE("what a server that refuses says is short and clean") {
  CHECK(words_in("no org id\n") == "no org id");
  CHECK(words_in(" \r\n Unauthorized\nsecond line") == "Unauthorized");
  CHECK(words_in(R"({"status":"error","error":"no  credentials\nprovided"})") ==
        "no credentials provided");
  CHECK(words_in(R"({"message":"invalid token"})") == "invalid token");
  CHECK(words_in("<html><head><title>t</title></head><body><h1>401 Authorization Required</h1>"
                 "<hr>nginx</body></html>") == "401 Authorization Required nginx");
  CHECK(words_in("").empty());
  CHECK(words_in("{}").empty());
  CHECK(words_in("{\"error\":") == "{\"error\":");
  CHECK(words_in("\x1b[2Jgone") == "\\x1b[2Jgone");
  const std::string long_words = words_in(std::string(5000, 'x'));
  CHECK(long_words == std::string(200, 'x') + "...");
  // No letter is cut in two.
  CHECK(words_in(std::string(199, 'x') + "\u00e9\u00e9") == std::string(199, 'x') + "...");
}

TEST_CASE("who asks for a tenant is known by its words") {
  CHECK(speaks_of_tenants("no org id"));
  CHECK(speaks_of_tenants("missing X-Scope-OrgID header"));
  CHECK(speaks_of_tenants("Unknown Tenant"));
  CHECK_FALSE(speaks_of_tenants("Unauthorized"));
}

}  // namespace gpu::telemetry::prometheus_refusal_test
