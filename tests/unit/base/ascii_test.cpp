#include "base/ascii.hpp"

#include <catch2/catch.hpp>

namespace base_ascii_test {

using namespace gpu;

TEST_CASE("letter case changes for ASCII letters only") {
  CHECK(lower_case("MiXed_09@[`{ \xC3\x84") == "mixed_09@[`{ \xC3\x84");
  CHECK(upper_case("MiXed_09@[`{ \xC3\xA4") == "MIXED_09@[`{ \xC3\xA4");
}

TEST_CASE("texts are compared without the case of their letters") {
  CHECK(equal_ignoring_case("Content-Type", "content-TYPE"));
  CHECK(equal_ignoring_case("", ""));
  CHECK_FALSE(equal_ignoring_case("Content-Type", "Content-Typ"));
  CHECK_FALSE(equal_ignoring_case("@", "`"));  // the neighbours of A and a
}

TEST_CASE("white space goes from the ends only") {
  CHECK(trimmed(" \t\r\n\v\fa b\n") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \n ").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("a whole number is all of the text") {
  CHECK(whole_number("42") == 42);
  CHECK(whole_number("-7") == -7);
  CHECK(whole_number("9223372036854775807") == INT64_MAX);
  CHECK(whole_number("-9223372036854775808") == INT64_MIN);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808"}) {
    INFO(text);
    CHECK_FALSE(whole_number(text).has_value());
  }
}

TEST_CASE("simple text needs no escape in any format") {
  CHECK(is_simple("gpu-a1, #: ~"));
  CHECK(is_simple(""));
  for (const char* text : {"\"", "\\", "\n", "é", "\x7f"}) CHECK_FALSE(is_simple(text));
}

}  // namespace base_ascii_test
