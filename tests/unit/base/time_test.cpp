#include "base/time.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

namespace gpu::base_time_test {
namespace {

std::optional<std::int64_t> seconds_of(std::string_view text) {
  const auto time = parse_time(text);
  if (!time) return std::nullopt;
  return time->time_since_epoch().count();
}

}  // namespace

TEST_CASE("RFC 3339 times are read to the second") {
  CHECK(seconds_of("1970-01-01T00:00:00Z") == 0);
  CHECK(seconds_of("2026-11-01T10:00:00Z") == 1793527200);
  CHECK(seconds_of("2026-11-01t10:00:00z") == 1793527200);
  CHECK(seconds_of("2026-11-01T11:00:00.123456+01:00") == 1793527200);
  CHECK(seconds_of("2026-11-01T04:30:00-05:30") == 1793527200);
  CHECK(seconds_of("2026-11-01T10:00:00.9999999999999Z") == 1793527200);
  CHECK(seconds_of("2026-11-01T10:00:00-00:00") == 1793527200);
  CHECK(seconds_of("1969-12-31T23:59:59Z") == -1);
  CHECK(seconds_of("0001-01-01T00:00:00Z") == -62135596800);
  CHECK(seconds_of("9999-12-31T23:59:59Z") == 253402300799);
}

TEST_CASE("leap days exist in leap years only") {
  CHECK(seconds_of("2024-02-29T00:00:00Z") == 1709164800);
  CHECK(seconds_of("2000-02-29T00:00:00Z") == 951782400);
  CHECK_FALSE(seconds_of("2023-02-29T00:00:00Z"));
  CHECK_FALSE(seconds_of("1900-02-29T00:00:00Z"));
  CHECK_FALSE(seconds_of("2026-04-31T00:00:00Z"));
}

TEST_CASE("what is not RFC 3339 is no time") {
  for (const std::string_view text : {"",
                                      " ",
                                      "now",
                                      "2026-11-01",
                                      "2026-11-01T10:00:00",
                                      "2026-11-01 10:00:00Z",
                                      "2026-11-01T10:00Z",
                                      "2026-11-01T10:00:00.Z",
                                      "2026-11-01T10:00:00.5",
                                      "2026-11-01T10:00:00,5Z",
                                      "2026-11-01T10:00:00Zx",
                                      " 2026-11-01T10:00:00Z",
                                      "2026-11-01T10:00:00Z ",
                                      "2026-13-01T10:00:00Z",
                                      "2026-00-01T10:00:00Z",
                                      "2026-11-00T10:00:00Z",
                                      "2026-11-32T10:00:00Z",
                                      "2026-11-01T24:00:00Z",
                                      "2026-11-01T10:60:00Z",
                                      "2026-11-01T10:00:60Z",
                                      "2026-11-01T10:00:00+1:00",
                                      "2026-11-01T10:00:00+0100",
                                      "2026-11-01T10:00:00+24:00",
                                      "2026-11-01T10:00:00+01:60",
                                      "2026-11-01T10:00:00+",
                                      "26-11-01T10:00:00Z",
                                      "12026-11-01T10:00:00Z",
                                      "-026-11-01T10:00:00Z",
                                      "2026-1-01T10:00:00Z",
                                      "2026/11/01T10:00:00Z",
                                      "2026-11-01T10:00:00ZZ",
                                      "20261101T100000Z",
                                      "2026-11-01T+1:00:00Z"}) {
    INFO(text);
    CHECK_FALSE(parse_time(text));
  }
}

TEST_CASE("a time that its offset leads out of the years 0 to 9999 is none") {
  CHECK(seconds_of("0000-01-01T14:00:00+14:00") == -62167219200);
  CHECK_FALSE(seconds_of("0000-01-01T14:00:35+21:05"));
  CHECK_FALSE(seconds_of("9999-12-31T23:59:59-00:01"));
}

TEST_CASE("times are written as the API writes them") {
  for (const std::string_view text : {"1970-01-01T00:00:00Z", "2026-11-01T10:00:07Z",
                                      "2024-02-29T23:59:59Z", "0099-12-31T23:59:59Z"})
    CHECK(format_time(*parse_time(text)) == text);
}

TEST_CASE("ages read as kubectl prints them") {
  struct Row {
    std::int64_t seconds;
    std::string_view text;
  };
  // Printed by HumanDuration of k8s.io/apimachinery v0.36.1.
  static constexpr Row kRows[] = {
      {-3600, "<invalid>"},
      {-2, "<invalid>"},
      {-1, "0s"},
      {0, "0s"},
      {1, "1s"},
      {45, "45s"},
      {119, "119s"},
      {120, "2m"},
      {121, "2m1s"},
      {312, "5m12s"},
      {599, "9m59s"},
      {600, "10m"},
      {659, "10m"},
      {2520, "42m"},
      {10799, "179m"},
      {10800, "3h"},
      {11100, "3h5m"},
      {25260, "7h1m"},
      {28799, "7h59m"},
      {28800, "8h"},
      {46740, "12h"},
      {172799, "47h"},
      {172800, "2d"},
      {176400, "2d1h"},
      {190740, "2d4h"},
      {691199, "7d23h"},
      {691200, "8d"},
      {1036800, "12d"},
      {62985600, "729d"},
      {63071999, "729d"},
      {63072000, "2y"},
      {63158400, "2y1d"},
      {66096000, "2y35d"},
      {252287999, "7y364d"},
      {252288000, "8y"},
      {292464000, "9y"},
  };
  for (const Row& row : kRows) {
    INFO(row.seconds);
    CHECK(human_duration(std::chrono::seconds{row.seconds}) == row.text);
  }
}

TEST_CASE("an age beyond all bounds has a text") {
  CHECK(human_duration(std::chrono::seconds::max()) == "292471208677y");
  CHECK(human_duration(std::chrono::seconds::min()) == "<invalid>");
}

}  // namespace gpu::base_time_test
