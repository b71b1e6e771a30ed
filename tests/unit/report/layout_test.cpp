#include "report/layout.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

// One name, one number that may go, one bar of each kind.
Report wide(std::size_t name_length) {
  Report report;
  report.table.columns = {name("name", "NAME", kPeople), left("util", "UTIL", kPeople),
                          left("memory", "MEMORY", kPeople),
                          dropping(right("power", "POWER", kPeople))};
  report.table.rows = {
      {std::string(name_length, 'n'), Ratio{.5}, BytesOf{40 * kGi, 80 * kGi}, Watts{690}}};
  return report;
}

struct Shape {
  std::size_t fields, name, bar, memory_bar;
  bool operator==(const Shape&) const = default;
};

Shape shape(const Report& report, std::size_t width) {
  const std::vector<Field> fields = fields_of(report.table, Format::text, terminal(width));
  return {fields.size(), fields[0].width(), fields[1].bar, fields[2].memory_bar};
}

}  // namespace

TEST_CASE("a roomy terminal shrinks step by step until a row fits") {
  // 2 + 15 + 2 + 18 + 2 + 5 = 44 columns beside the name
  CHECK(shape(wide(56), 100) == Shape{4, 56, 10, 10});
  CHECK(shape(wide(57), 100) == Shape{4, 57, 10, 6});
  CHECK(shape(wide(60), 100) == Shape{4, 60, 10, 6});
  CHECK(shape(wide(61), 100) == Shape{3, 61, 10, 6});
  CHECK(shape(wide(67), 100) == Shape{3, 67, 10, 6});
  CHECK(shape(wide(68), 100) == Shape{3, 68, 6, 6});
  CHECK(shape(wide(71), 100) == Shape{3, 71, 6, 6});
  CHECK(shape(wide(72), 100) == Shape{3, 72, 6, 0});
  CHECK(shape(wide(78), 100) == Shape{3, 78, 6, 0});
  CHECK(shape(wide(200), 100) == Shape{3, 78, 6, 0});
}

TEST_CASE("below 100 columns all but names shrinks at once") {
  CHECK(shape(wide(5), 100) == Shape{4, 5, 10, 10});
  CHECK(shape(wide(5), 99) == Shape{3, 5, 6, 0});
  CHECK(shape(wide(200), 60) == Shape{3, 38, 6, 0});
}

TEST_CASE("a name keeps eight columns, and its title") {
  CHECK(shape(wide(200), 10).name == 8);
  CHECK(shape(wide(7), 10).name == 7);
  Report report = wide(200);
  report.table.columns[0].title = "NAMES OF ALL";
  CHECK(shape(report, 10).name == 12);
}

TEST_CASE("the widest name gives first") {
  Report report = wide(30);
  report.table.columns.push_back(name("pod", "POD", kPeople));
  report.table.rows[0].emplace_back(std::string(10, 'p'));
  const std::vector<Field> fields = fields_of(report.table, Format::text, terminal(62));
  CHECK(fields[0].width() == 28);
  CHECK(fields[3].width() == 10);
  CHECK(total_width(fields) == 62);
}

TEST_CASE("one unit of power for a whole column") {
  const auto unit = [](std::initializer_list<Cell> cells) {
    const Report report = one_column(right("power", "POWER", kPeople), cells);
    return fields_of(report.table, Format::text, terminal(100))[0].power;
  };
  CHECK(unit({Watts{999}, Cell()}) == PowerUnit::watts);
  CHECK(unit({Watts{72}, Watts{1000}}) == PowerUnit::kilowatts);
}
