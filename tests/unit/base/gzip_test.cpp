#include "base/gzip.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.hpp"

namespace gpu::base_gzip_test {
namespace {

std::string packed(const std::string& text) {
  std::string out;
  Gzip gzip([&](std::string_view bytes) { out += bytes; });
  gzip.feed(text);
  gzip.finish();
  return out;
}

/// Cut into pieces of `step` bytes.
std::string unpacked(const std::string& bytes, std::size_t step, std::uint64_t most = 1U << 30U) {
  std::string out;
  Gunzip gunzip([&](std::string_view part) { out += part; }, most);
  for (std::size_t at = 0; at < bytes.size(); at += step)
    gunzip.feed(std::string_view(bytes).substr(at, step));
  gunzip.finish();
  return out;
}

std::string error_of(const std::string& bytes, std::uint64_t most = 1U << 30U) {
  try {
    unpacked(bytes, bytes.size(), most);
  } catch (const Error& error) {
    REQUIRE(error.kind() == ErrorKind::data);
    return error.message();
  }
  return "";
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * 7919) + ",";
  return text;
}

}  // namespace

TEST_CASE("gzip: what was packed comes back, however it is cut") {
  for (const std::string& text : {std::string(), std::string("x"), long_text()}) {
    const std::string bytes = packed(text);
    CHECK(is_gzip(bytes));
    for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20U})
      CHECK(unpacked(bytes, step) == text);
  }
  CHECK(packed("same") == packed("same"));
  CHECK_FALSE(is_gzip("{\"kind\""));
}

TEST_CASE("gzip: members after one another are one text; zeros may follow") {
  CHECK(unpacked(packed("one ") + packed("two"), 1) == "one two");
  CHECK(unpacked(packed("one") + std::string(600, '\0'), 100) == "one");
  CHECK(error_of(packed("one") + "more").find("something follows the end") != std::string::npos);
  CHECK_THROWS_AS(unpacked(packed("one") + std::string(9, '\0') + "more", 1), Error);
}

TEST_CASE("gzip: damage and cuts are found, and where") {
  const std::string good = packed(long_text());
  CHECK(error_of(good.substr(0, good.size() - 1)) ==
        "gzip: byte " + std::to_string(good.size() - 1) + ": cut off: the rest is missing");
  CHECK(error_of(good.substr(0, 5)).find("cut off") != std::string::npos);
  std::string wrong_sum = good;
  wrong_sum[wrong_sum.size() - 6] = static_cast<char>(wrong_sum[wrong_sum.size() - 6] ^ 1);
  CHECK(error_of(wrong_sum).find("incorrect data check") != std::string::npos);
  std::string wrong_method = good;
  wrong_method[2] = 9;
  CHECK(error_of(wrong_method).starts_with("gzip: byte "));
}

TEST_CASE("gzip: a bomb is stopped at the limit") {
  const std::string bytes = packed(std::string(1U << 22U, 'a'));
  CHECK(bytes.size() < 8192);
  CHECK(error_of(bytes, 1U << 20U).find("unpacks to more than 1048576 bytes") != std::string::npos);
  CHECK(unpacked(bytes, bytes.size(), 1U << 22U).size() == 1U << 22U);
}

}  // namespace gpu::base_gzip_test
