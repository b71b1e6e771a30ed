#include "base/base64.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace base_base64_test {

using namespace gpu;

TEST_CASE("base64 both ways") {
  CHECK(gpu::encode_base64("") == "");
  CHECK(gpu::encode_base64("f") == "Zg==");
  CHECK(encode_base64("fo") == "Zm8=");
  CHECK(encode_base64("foo") == "Zm9v");
  CHECK(encode_base64(std::string("\x00\xff\xfe", 3)) == "AP/+");
  for (const char* text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"})
    CHECK(gpu::decode_base64(encode_base64(text)).bytes == text);
  CHECK(gpu::decode_base64("AP/+").bytes == std::string("\x00\xff\xfe", 3));
}

TEST_CASE("line ends are skipped, anything else is an error with Go's position") {
  CHECK(gpu::decode_base64("Zm\n9v\r\nZg\n=\r=\n").bytes == "foof");
  CHECK(gpu::decode_base64("Zm9v Zg==").error_at == 4U);
  CHECK(decode_base64("!!").error_at == 0U);
  CHECK(decode_base64("=").error_at == 0U);
  CHECK(decode_base64("Z===").error_at == 1U);
  CHECK(decode_base64("Zg=").error_at == 3U);
  CHECK(decode_base64("Zg=x").error_at == 2U);
  CHECK(decode_base64("Zg==x").error_at == 4U);
  CHECK(decode_base64("Zm9vZ").error_at == 4U);
  CHECK(decode_base64("Zm9vZm8").error_at == 4U);
  CHECK(decode_base64("-_-_").error_at == 0U);
}

TEST_CASE("the URL alphabet has no padding") {
  CHECK(gpu::decode_base64_url("AP_-") == std::string("\x00\xff\xfe", 3));
  CHECK(gpu::decode_base64_url("Zg") == "f");
  CHECK_FALSE(decode_base64_url("Zg=="));
  CHECK_FALSE(decode_base64_url("AP/+"));
  CHECK_FALSE(decode_base64_url("Z"));
}

}  // namespace base_base64_test
