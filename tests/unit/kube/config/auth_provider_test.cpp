#include "kube/config/auth_provider.hpp"

#include <catch2/catch.hpp>

#include "base/base64.hpp"
#include "base/error.hpp"

namespace config_auth_provider_test {

using namespace gpu::kube;
using std::chrono::seconds;

namespace {

constexpr std::chrono::system_clock::time_point kNow{seconds(1'800'000'000)};

std::string jwt(const std::string& claims) {
  std::string payload = gpu::encode_base64(claims);
  payload.erase(payload.find_last_not_of('=') + 1);
  return "e30." + payload + ".S3CRET";
}

AuthProviderEntry oidc(const std::string& id_token, const std::string& refresh_token = "") {
  return {.name = "oidc",
          .config = {{"idp-issuer-url", "https://issuer"},
                     {"client-id", "id"},
                     {"id-token", id_token},
                     {"refresh-token", refresh_token}}};
}

std::string error_of(const AuthProviderEntry& provider) {
  try {
    return auth_provider_token(provider, kNow);
  } catch (const gpu::Error& error) {
    CHECK((error.message() + error.help()).find("S3CRET") == std::string::npos);
    return error.message();
  }
}

}  // namespace

TEST_CASE("oidc: an id-token is used until ten seconds before its end") {
  const std::string good = jwt(R"({"exp":1800000011})");
  CHECK(auth_provider_token(oidc(good), kNow) == good);
  CHECK(error_of(oidc(jwt(R"({"exp":1800000010})"))) ==
        "No valid id-token, and cannot refresh without refresh-token");
  CHECK(error_of(oidc(jwt("{}"))).starts_with("No valid id-token"));
  CHECK(error_of(oidc("")).starts_with("No valid id-token"));
  CHECK(error_of(oidc("", "S3CRET")) == "the oidc id-token has expired");
  CHECK(error_of(oidc("a.b")) == "ID Token is not a valid JWT");
  CHECK(error_of(oidc("a.!!.S3CRET")) == "ID Token is not a valid JWT");
}

TEST_CASE("entries that kubectl cannot use") {
  CHECK(error_of({.name = "gcp", .config = {}}) == "The gcp auth plugin has been removed");
  CHECK(error_of({.name = "azure", .config = {}}) == "The azure auth plugin has been removed");
  CHECK(error_of({.name = "x", .config = {}}) == "no Auth Provider found for name \"x\"");
  CHECK(error_of({.name = "oidc", .config = {}}) == "Must provide idp-issuer-url");
  CHECK(error_of({.name = "oidc", .config = {{"idp-issuer-url", "i"}}}) ==
        "Must provide client-id");
}

}  // namespace config_auth_provider_test
