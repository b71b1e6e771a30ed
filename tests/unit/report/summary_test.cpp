#include "report/summary.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/mockups.hpp"

namespace report_summary_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

std::string summary(const Report& report, const Style& style) {
  std::string out;
  append_summary(out, report, style);
  return out;
}

}  // namespace

TEST_CASE("totals are aligned over the lines") {
  CHECK(summary(top_nodes(), terminal(100)) + '\n' == mockup::kSummary);
}

TEST_CASE("the count that people look for is bold, a concern coloured") {
  CHECK(summary(top_nodes(), colored(100)) ==
        "GPUs  36   22 allocated   \x1b[1m6 free\x1b[0m   \x1b[33m8 unavailable\x1b[0m   50% busy\n"
        "MIG   14    9 allocated   \x1b[1m5 free\x1b[0m\n");
}

TEST_CASE("what is unknown is said") {
  Report report;
  report.summary = {{"GPUs", 36, {{22, "allocated"}, {Cell(), "free", true}}}};
  CHECK(summary(report, terminal(100)) == "GPUs  36   22 allocated   - free\n");
}

TEST_CASE("a narrow terminal has a line for each count") {
  CHECK(summary(top_nodes(), terminal(58)) ==
        "GPUs  36\n  22 allocated\n  6 free\n  8 unavailable\n  50% busy\n"
        "MIG   14\n   9 allocated\n  5 free\n");
  CHECK(summary(top_nodes(), terminal(59)) + '\n' == mockup::kSummary);
}

TEST_CASE("a line may be a sentence, and its words are cleaned") {
  Report report;
  report.summary = {{"4 pods wait for 15 GPUs", "", {}}, {"\x1b", "", {{1, "\n"}}}};
  CHECK(summary(report, terminal(100)) ==
        "4 pods wait for 15 GPUs\n\\x1b                        1 \\n\n");
  CHECK(summary(Report(), terminal(100)).empty());
}

}  // namespace report_summary_test
