#include "diagnose/answer/code.hpp"

#include <catch2/catch.hpp>

namespace answer_code_test {

using namespace gpu::diagnose;

TEST_CASE("every code is found by its name") {
  for (const Code code : codes()) CHECK(code_named(name_of(code)) == code);
  CHECK(name_of(Code::gpus_scattered) == "gpus-scattered");
  CHECK_FALSE(code_named("gpus_scattered"));
  CHECK_FALSE(code_named(""));
}

}  // namespace answer_code_test
