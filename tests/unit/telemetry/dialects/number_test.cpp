#include "telemetry/dialects/number.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

namespace dialects_number_test {

using gpu::telemetry::parse_float;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("values are read as Go reads them") {
  CHECK(parse_float("0") == 0);
  CHECK(parse_float("97") == 97);
  CHECK(parse_float("-1.5") == -1.5);
  CHECK(parse_float("+1") == 1);
  CHECK(parse_float("1.") == 1);
  CHECK(parse_float(".5") == 0.5);
  CHECK(parse_float("5.32523487232e+011") == 532523487232.0);
  CHECK(parse_float("1E-2") == 0.01);
  CHECK(parse_float("9223372036854775794") == 9223372036854775808.0);
  CHECK(parse_float("0.1") == 0.1);
}

TEST_CASE("infinite values and NaN are values, in any case of letters") {
  for (const char* text : {"Inf", "+Inf", "inf", "+INFINITY", "infinity"})
    CHECK(parse_float(text) == kInfinity);
  for (const char* text : {"-Inf", "-infinity"}) CHECK(parse_float(text) == -kInfinity);
  for (const char* text : {"NaN", "nan", "Nan", "NAN"}) {
    REQUIRE(parse_float(text).has_value());
    CHECK(std::isnan(*parse_float(text)));
  }
}

TEST_CASE("what no double holds is infinite or 0") {
  CHECK(parse_float("1e999") == kInfinity);
  CHECK(parse_float("-1e999") == -kInfinity);
  CHECK(parse_float("1e-999") == 0);
  CHECK(parse_float("1e99999999999999999999999") == kInfinity);
  CHECK(parse_float("1e-99999999999999999999999") == 0);
  CHECK(parse_float(std::string(400, '9')) == kInfinity);
  CHECK(parse_float("0." + std::string(400, '0') + "1") == 0);
  CHECK(parse_float("0." + std::string(400, '0') + "1e401") == 1);
  CHECK(parse_float("0." + std::string(400, '0') + "1e999") == kInfinity);
  CHECK(parse_float("1" + std::string(400, '0') + "e-900") == 0);
}

TEST_CASE("other texts are no values") {
  for (const char* text :
       {"",   "+",  "-",   ".",   "e5", "1e",   "1e+",  "1_000",  "0x10", "0x1p-2", "1,5",
        "1 ", " 1", "--1", "+-1", "in", "infi", "nano", "nan(1)", "N/A",  "1f"})
    CHECK_FALSE(parse_float(text).has_value());
  CHECK_FALSE(parse_float(std::string_view("1\0", 2)).has_value());
}

}  // namespace dialects_number_test
