#include "report/sort.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "base/error.hpp"

namespace report_sort_test {

using namespace gpu;
using namespace gpu::report;

namespace {

Table table() {
  Table table;
  table.columns = {{.key = "name", .title = "NODE"}, {.key = "free", .title = "FREE"}};
  table.rows = {{"b", std::int64_t{2}}, {"a", Cell()}, {"c", std::int64_t{10}}};
  return table;
}

std::string order(const Table& table) {
  std::string names;
  for (const auto& row : table.rows) names += std::get<std::string>(row[0].value);
  return names;
}

}  // namespace

TEST_CASE("numbers from the largest, unknown last") {
  Table sorted = table();
  sort_rows(sorted, "free");
  CHECK(order(sorted) == "cba");
}

TEST_CASE("text from A, by key or title, in any case") {
  for (const char* name : {"name", "NODE", "Node", ".name"}) {
    Table sorted = table();
    sort_rows(sorted, name);
    CHECK(order(sorted) == "abc");
  }
}

TEST_CASE("an unknown column names the nearest") {
  Table sorted = table();
  try {
    sort_rows(sorted, "fre");
    FAIL("must throw");
  } catch (const Error& error) {
    CHECK(error.help().find("`free`") != std::string::npos);
  }
}

TEST_CASE("the order of rows without moving them") {
  CHECK(sorted_order(table(), "free") == std::vector<std::size_t>{2, 0, 1});
  CHECK_THROWS_AS(sorted_order(table(), "fre"), Error);
}

TEST_CASE("the second key decides among equals, and numbers may go up") {
  Table sorted;
  sorted.columns = {{.key = "name"}, {.key = "idleSeconds"}, {.key = "utilization"}};
  sorted.rows = {{"a", Seconds{std::chrono::hours{1}}, Ratio{.04}},
                 {"b", Cell(), Ratio{.9}},
                 {"c", Seconds{std::chrono::hours{5}}, Ratio{.03}},
                 {"d", Seconds{std::chrono::hours{1}}, Ratio{.01}},
                 {"e", Cell(), Cell()},
                 {"f", Cell(), Ratio{.0}}};
  const std::array<SortKey, 2> keys = {
      {{.name = "idleSeconds"}, {.name = "utilization", .numbers = NumberOrder::smallest_first}}};
  arrange_rows(sorted, sorted_order(sorted, keys));
  CHECK(order(sorted) == "cdafbe");
}

}  // namespace report_sort_test
