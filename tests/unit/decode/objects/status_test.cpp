#include "decode/objects/status.hpp"

#include <catch2/catch.hpp>

#include "decode/data/samples.hpp"
#include "decode/hex.hpp"

namespace gpu::decode::objects_status_test {

TEST_CASE("a Status that Go wrote reads the same from protobuf and JSON") {
  for (const std::string& body :
       {bytes_of_hex(samples::kStatusBody), std::string(samples::kStatusJson)}) {
    const auto status = status_from_body(body);
    REQUIRE(status);
    CHECK(status->code == 410);
    CHECK(status->reason == "Expired");
    CHECK(status->message == "The provided continue parameter is too old");
    CHECK(status->retry_after_seconds == 3);
    CHECK(status->continue_token == "goes-on");
  }
}

TEST_CASE("a zero in retryAfterSeconds is none") {
  const auto forbidden = status_from_body(bytes_of_hex(samples::kForbiddenBody));
  REQUIRE(forbidden);
  CHECK(forbidden->code == 403);
  CHECK(forbidden->message == "pods is forbidden: User \"alice\" cannot list resource \"pods\"");
  CHECK_FALSE(forbidden->retry_after_seconds);
  CHECK(forbidden->continue_token.empty());
}

TEST_CASE("a Status without a kind, as a timeout has, is one") {
  const auto status = status_from_body(
      R"({"metadata":{},"status":"Failure","message":"Timeout: request did not complete","code":504})");
  REQUIRE(status);
  CHECK(status->code == 504);
}

TEST_CASE("null members of a Status are absent") {
  const auto status = status_from_body(
      R"({"kind":"Status","metadata":null,"message":null,"reason":null,"details":null,"code":null})");
  REQUIRE(status);
  CHECK(status->code == 0);
  CHECK(status->message.empty());
}

TEST_CASE("what is no Status is none, and nothing is thrown") {
  for (const std::string_view body :
       {"", "{", "{}", "[]", "null", "7", "\"Status\"",
        "Too many requests, please try again later.", "404 page not found",
        "<html><body>login</body></html>", R"({"kind":"PodList","items":[]})", R"({"kind":7})",
        R"({"kind":"Status","code":"403"})", R"({"kind":"Status","details":[]})",
        R"({"kind":"Status"} x)", "k8s", "\xff\xfe"}) {
    INFO(body);
    CHECK_FALSE(status_from_body(body));
  }
  CHECK_FALSE(status_from_body(bytes_of_hex(samples::kPodListBody)));
  CHECK_FALSE(status_from_body(std::string(100'000, '[')));
}

TEST_CASE("a Status in protobuf that is cut off is none") {
  const std::string body = bytes_of_hex(samples::kForbiddenBody);
  REQUIRE(status_from_body(body));
  // The envelope ends with two empty strings of two bytes each, which may lack.
  for (std::size_t size = 0; size < body.size() - 4; ++size)
    CHECK_FALSE(status_from_body(std::string_view(body).substr(0, size)));
}

}  // namespace gpu::decode::objects_status_test
