#include "report/render.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/mockups.hpp"

namespace report_render_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

TEST_CASE("each format has its renderer") {
  const auto start = [](Format format) {
    return render(top_nodes(), format, piped()).substr(0, 5);
  };
  CHECK(start(Format::text) == "NODE ");
  CHECK(start(Format::wide) == "NODE ");
  CHECK(start(Format::json) == "{\n  \"");
  CHECK(start(Format::yaml) == "apiVe");
  CHECK(start(Format::csv) == "name,");
  CHECK(start(Format::name) == "node/");
}

TEST_CASE("a width makes a terminal; colour and UTF-8 alone do not") {
  CHECK(render(top_nodes(), Format::text, {.width = {}, .color = true, .utf8 = true}) ==
        mockup::kNodesPiped);
  CHECK(render(top_nodes(), Format::text, terminal(100)) != mockup::kNodesPiped);
}

}  // namespace report_render_test
