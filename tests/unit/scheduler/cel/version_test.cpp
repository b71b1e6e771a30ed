#include "scheduler/cel/version.hpp"

#include <catch2/catch.hpp>

namespace gpu::scheduler::cel_version_test {
namespace {

std::string numbers(const std::optional<CelVersion>& version) {
  if (!version) return "none";
  return std::to_string(version->major()) + "." + std::to_string(version->minor()) + "." +
         std::to_string(version->patch());
}

std::string strictly(std::string_view text) { return numbers(CelVersion::parse(text)); }
std::string tolerantly(std::string_view text) {
  return numbers(CelVersion::parse_tolerantly(text));
}

/// "<", "=" or ">".
std::string order(std::string_view left, std::string_view right) {
  const auto order = *CelVersion::parse(left) <=> *CelVersion::parse(right);
  return order < 0 ? "<" : order > 0 ? ">" : "=";
}

}  // namespace

TEST_CASE("a version has three numbers, and names of letters, digits and dashes behind them") {
  for (const char* text : {"1.2.3", "1.2.3-rc.1", "1.2.3-a-b", "1.2.3+b.01", "1.2.3-rc+b-c"})
    CHECK(strictly(text) == "1.2.3");
  CHECK(strictly("0.10.18446744073709551615") == "0.10.18446744073709551615");
  for (const char* text :
       {"", "1.2", "1.2.3.4", "1..3", "01.2.3", "1.2.18446744073709551616", "a.2.3", "1.2.3-",
        "1.2.3-rc..1", "1.2.3-01", "1.2.3-r_c", "1.2.3+", "1.2.3+b_c", "v1.2.3"})
    CHECK(strictly(text) == "none");
}

TEST_CASE("read tolerantly, it may start with v, lack numbers and have zeros before them") {
  CHECK(tolerantly("v1.2.3") == "1.2.3");
  CHECK(tolerantly("1.2") == "1.2.0");
  CHECK(tolerantly("1") == "1.0.0");
  CHECK(tolerantly("0") == "0.0.0");
  CHECK(tolerantly("01.002.00") == "1.2.0");
  CHECK(tolerantly("1.2.03-rc.1") == "1.2.3");
  CHECK(tolerantly("1.2.0-rc.1") == "1.2.0");
  for (const char* text : {"vv1", "1.2-rc", "1.2+b", "", "1.2.3.4", "1."})
    CHECK(tolerantly(text) == "none");
}

TEST_CASE("versions are ordered by numbers, then by what comes before the release") {
  CHECK(order("1.2.3", "1.2.3+build") == "=");
  CHECK(order("1.2.3", "1.2.10") == "<");
  CHECK(order("1.3.0", "1.2.10") == ">");
  CHECK(order("1.2.3-rc", "1.2.3") == "<");
  CHECK(order("1.2.3", "1.2.3-rc") == ">");
  CHECK(order("1.2.3-2", "1.2.3-10") == "<");
  CHECK(order("1.2.3-2", "1.2.3-a") == "<");
  CHECK(order("1.2.3-a", "1.2.3-2") == ">");
  CHECK(order("1.2.3-a", "1.2.3-b") == "<");
  CHECK(order("1.2.3-a", "1.2.3-a.1") == "<");
  CHECK(order("1.2.3-a.1", "1.2.3-a") == ">");
  CHECK(order("1.2.3-b", "1.2.3-a.1") == ">");
}

}  // namespace gpu::scheduler::cel_version_test
