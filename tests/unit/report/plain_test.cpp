#include <catch2/catch.hpp>
#include <sstream>

#include "report/fixture.hpp"
#include "report/mockups.hpp"
#include "report/render.hpp"

namespace report_plain_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

std::string plain(const Report& report) { return render(report, Format::text, piped()); }

}  // namespace

TEST_CASE("top nodes in a pipe is its mock-up") {
  CHECK(plain(top_nodes()) == mockup::kNodesPiped);
}

TEST_CASE("every line of a pipe has as many words as there are columns") {
  Report report = top_pods();
  report.table.rows[0][1] = "a b\tc\u3000d\u00a0e";
  report.table.rows[1][1] = "";
  report.table.rows[2][1] = "\x1b[31m\u2028";
  std::istringstream in(plain(report));
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    INFO(line);
    std::istringstream words(line);
    int count = 0;
    for (std::string word; words >> word;) ++count;
    CHECK(count == 8);
  }
  CHECK(lines == 9);
}

TEST_CASE("cells of a pipe have no space, no control code, and are never empty") {
  const Report report = one_column(
      left("pod", "", kPlain), {"asr (9 pods)", "", Cell(), "a\u3000b", "\x1b[31m", "图", "a\nb"});
  CHECK(plain(report) == "POD\nasr_(9_pods)\n-\n-\na_b\n\\x1b[31m\n图\na\\nb\n");
}

TEST_CASE("a pipe has no colour and no totals, whatever the style says") {
  Style style = piped();
  style.color = true;
  CHECK(render(top_nodes(), Format::text, style) == mockup::kNodesPiped);
}

TEST_CASE("--no-headers leaves only rows in a pipe") {
  Style style = piped();
  style.headers = false;
  const Report report = one_column(left("name", "NODE", kPlain), {"gpu-a1", "b"});
  CHECK(render(report, Format::text, style) == "gpu-a1\nb\n");
}

TEST_CASE("-o wide adds columns in a pipe too") {
  Report report = one_column(left("name", "NODE", kPlain), {"gpu-a1"});
  report.table.columns.push_back(
      right("zone", "CARDS", static_cast<unsigned>(Audience::plain_wide)));
  report.table.rows[0].emplace_back(8);
  CHECK(render(report, Format::wide, piped()) == "NODE    CARDS\ngpu-a1      8\n");
  CHECK(plain(report) == "NODE\ngpu-a1\n");
}

TEST_CASE("one hostile name does not pad all other rows") {
  Report report = one_column(left("name", "NODE", kPlain), {std::string(1 << 20, 'x'), "gpu-a1"});
  report.table.columns.push_back(left("state", "STATE", kPlain));
  for (auto& row : report.table.rows) row.emplace_back("Ready");
  const std::string out = plain(report);
  CHECK(out.size() < (1 << 20) + 1000);
  CHECK(out.find("x  Ready\n") != std::string::npos);  // never truncated
  CHECK(out.find(std::string(1 << 20, 'x')) != std::string::npos);
}

TEST_CASE("nothing to show is nothing at all") {
  Report report = top_nodes();
  report.table.rows.clear();
  CHECK(plain(report).empty());
  CHECK(plain(Report()).empty());
}

}  // namespace report_plain_test
