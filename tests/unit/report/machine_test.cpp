#include "report/machine.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"

namespace report_machine_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

TEST_CASE("machines see their own columns, in order") {
  CHECK(machine_columns(top_nodes().table) ==
        std::vector<std::size_t>{0, 1, 3, 4, 5, 6, 8, 10, 11, 12, 13});
  CHECK(machine_columns({}).empty());
}

TEST_CASE("gaps are what, why and help") {
  Report report;
  report.gaps = {{"a", "b", "c"}};
  const Cell gaps = machine_gaps(report);
  const auto& record = std::get<Record>(std::get<List>(gaps.value).at(0).value);
  CHECK(record[0].first == "what");
  CHECK(std::get<std::string>(record[0].second.value) == "a");
  CHECK(record[1].first == "why");
  CHECK(record[2].first == "help");
}

}  // namespace report_machine_test
