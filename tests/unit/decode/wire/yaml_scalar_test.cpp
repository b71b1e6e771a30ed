#include "decode/wire/yaml_scalar.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

namespace wire_yaml_scalar_test {

using gpu::decode::yaml_key;
using gpu::decode::yaml_scalar;
using nlohmann::json;

TEST_CASE("plain scalars, as go-yaml v2 resolves them") {
  const std::pair<const char*, json> cases[] = {
      {"y", true},
      {"Y", true},
      {"yes", true},
      {"ON", true},
      {"True", true},
      {"tRUE", "tRUE"},
      {"n", false},
      {"Off", false},
      {"~", nullptr},
      {"", nullptr},
      {"Null", nullptr},
      {"nULL", "nULL"},
      {"0", 0},
      {"-0", 0},
      {"08", 8},
      {"0777", 511},
      {"0o17", 15},
      {"0b101", 5},
      {"-0x10", -16},
      {"+5", 5},
      {"1__0", 10},
      {"_1", "_1"},
      {".5", 0.5},
      {"5.", 5},
      {"1e", "1e"},
      {"1e999", "1e999"},
      {"0x", "0x"},
      {"-", "-"},
      {".", "."},
      {"inf", "inf"},
      {"-inf", "-inf"},
      {"1.2.3", "1.2.3"},
      {"12:30", "12:30"},
      {"2026-11-28T10:00:00Z", "2026-11-28T10:00:00Z"},
      {"1.0", 1},
      {"1.25", 1.25},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"18446744073709551615", UINT64_MAX},
  };
  for (const auto& [text, wanted] : cases) {
    INFO(text);
    CHECK(yaml_scalar("?", text) == wanted);
  }
  CHECK_FALSE(yaml_scalar("?", ".inf"));
  CHECK_FALSE(yaml_scalar("?", "-.Inf"));
}

TEST_CASE("quotes and tags decide") {
  const auto tagged = [](const std::string& tag, const char* text) {
    return yaml_scalar("tag:yaml.org,2002:" + tag, text);
  };
  CHECK(yaml_scalar("!", "y") == json("y"));
  CHECK(yaml_scalar("!own", "5") == json("5"));
  CHECK(tagged("str", "5") == json("5"));
  CHECK(tagged("int", "5") == json(5));
  CHECK(tagged("bool", "yes") == json(true));
  CHECK(tagged("null", "") == json());
  CHECK(tagged("float", "5") == json(5));
  CHECK(tagged("binary", "aGVs\nbG8=") == json("hello"));
  CHECK_FALSE(tagged("int", "x"));
  CHECK_FALSE(tagged("bool", "5"));
  CHECK_FALSE(tagged("null", "x"));
  CHECK_FALSE(tagged("binary", "a b"));
}

TEST_CASE("keys are text") {
  CHECK(yaml_key("a") == "a");
  CHECK(yaml_key(-5) == "-5");
  CHECK(yaml_key(true) == "true");
  CHECK(yaml_key(false) == "false");
  CHECK(yaml_key(1.5) == "1.5");
  CHECK_FALSE(yaml_key(nullptr));
  CHECK_FALSE(yaml_key(json::array()));
}

}  // namespace wire_yaml_scalar_test
