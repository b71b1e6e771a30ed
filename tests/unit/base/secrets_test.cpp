#include "base/secrets.hpp"

#include <catch2/catch.hpp>

namespace base_secrets_test {

using namespace gpu;

TEST_CASE("secrets: registered ones are masked wherever they stand") {
  register_secret("s3cr3t-value");
  CHECK(without_secrets("token s3cr3t-value is bad") == "token <masked> is bad");
  CHECK(without_secrets("s3cr3t-values3cr3t-value") == "<masked><masked>");
  CHECK(without_secrets("nothing of it") == "nothing of it");
}

TEST_CASE("secrets: as JSON and URLs write them") {
  register_secret(R"(pass"w/rd 7)");
  CHECK(without_secrets(R"({"why":"pass\"w/rd 7"})") == R"({"why":"<masked>"})");
  CHECK(without_secrets("?p=pass%22w%2Frd%207&") == "?p=<masked>&");
}

TEST_CASE("secrets: the longer of two that begin alike") {
  register_secret("beginning");
  register_secret("beginning-and-end");
  CHECK(without_secrets("a beginning-and-end.") == "a <masked>.");
}

TEST_CASE("secrets: short ones would be found in half of all words") {
  register_secret("gpu");
  CHECK(without_secrets("gpu-a1") == "gpu-a1");
}

TEST_CASE("secrets: a header's value that may be the name of an object stays") {
  register_header_value("production");
  register_header_value("Key_8f3A");
  CHECK(without_secrets("namespace production") == "namespace production");
  CHECK(without_secrets("tenant Key_8f3A") == "tenant <masked>");
}

TEST_CASE("secrets: what stands behind a scheme, whoever's it is") {
  CHECK(without_secrets("bad header Bearer eyJhbGciOi.J9_x-y: no") ==
        "bad header Bearer <masked>: no");
  CHECK(without_secrets("authorization: basic amFuZTpwdw==") == "authorization: basic <masked>");
  CHECK(without_secrets("Basic authentication is off. Bearer tokens are not.") ==
        "Basic authentication is off. Bearer tokens are not.");
}

TEST_CASE("secrets: each line of a key") {
  register_pem(
      "-----BEGIN PRIVATE KEY-----\nMIIEvAIBADAN\nBgkqhkiG9w0B\n-----END PRIVATE KEY-----\n");
  CHECK(without_secrets("key MIIEvAIBADAN") == "key <masked>");
  CHECK(without_secrets("-----BEGIN PRIVATE KEY-----") == "-----BEGIN PRIVATE KEY-----");
}

}  // namespace base_secrets_test
