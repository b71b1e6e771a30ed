#include "cmd/why_pending/reason_pages.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace why_pending_reason_pages_test {

using namespace gpu;

TEST_CASE("each code has a page in docs/reasons, under its name") {
  for (const diagnose::Code code : diagnose::codes()) {
    const std::string name(diagnose::name_of(code));
    INFO("docs/reasons/" << name << ".md");
    CHECK(cmd::reason_page(code).starts_with("# " + name + "\n"));
  }
}

}  // namespace why_pending_reason_pages_test
