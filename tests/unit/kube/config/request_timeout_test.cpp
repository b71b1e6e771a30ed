#include "kube/config/request_timeout.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace config_request_timeout_test {

using namespace std::chrono_literals;
using gpu::kube::parse_request_timeout;

TEST_CASE("seconds, or a Go duration") {
  CHECK(parse_request_timeout("5") == 5s);
  CHECK(parse_request_timeout("+4") == 4s);
  CHECK(parse_request_timeout("5s") == 5s);
  CHECK(parse_request_timeout("2m") == 2min);
  CHECK(parse_request_timeout("1m30s") == 90s);
  CHECK(parse_request_timeout("1.5h") == 90min);
  CHECK(parse_request_timeout("250ms") == 250ms);
  CHECK(parse_request_timeout("1ns") == 1ms);
  CHECK(parse_request_timeout("3\u00b5s") == 1ms);
}

TEST_CASE("no limit") {
  CHECK_FALSE(parse_request_timeout("0"));
  CHECK_FALSE(parse_request_timeout("0s"));
  CHECK_FALSE(parse_request_timeout("-3s"));
}

TEST_CASE("anything else is refused in kubectl's words") {
  for (const char* text : {"x", "5 s", "1h2", "s", "-", "1.2.3s", "99999999999h"}) {
    INFO(text);
    try {
      parse_request_timeout(text);
      FAIL("accepted");
    } catch (const gpu::Error& error) {
      CHECK(error.kind() == gpu::ErrorKind::usage);
      CHECK(error.message().starts_with("Invalid timeout value. Timeout must be"));
    }
  }
}

}  // namespace config_request_timeout_test
