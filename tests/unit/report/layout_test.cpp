#include "report/layout.hpp"

#include <catch2/catch.hpp>

#include "report/fixture.hpp"
#include "report/shrink.hpp"

namespace report_layout_test {

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
  const std::vector<DrawnColumn> fields = fields_of(report.table, Format::text, terminal(width));
  return {fields.size(), fields[0].width(), fields[1].bar, fields[2].memory_bar};
}

}  // namespace

TEST_CASE("a roomy terminal shrinks step by step until a row fits") {
  // 2 + 15 + 2 + 18 + 2 + 5 = 44 columns beside the name
  CHECK(shape(wide(56), 100) == Shape{4, 56, 10, 10});
  CHECK(shape(wide(57), 100) == Shape{4, 57, 10, 6});
  CHECK(shape(wide(60), 100) == Shape{4, 60, 10, 6});
  CHECK(shape(wide(61), 100) == Shape{4, 61, 6, 6});
  CHECK(shape(wide(64), 100) == Shape{4, 64, 6, 6});
  // The memory's bar goes, and what is more than that is given back.
  CHECK(shape(wide(65), 100) == Shape{4, 65, 10, 0});
  CHECK(shape(wide(68), 100) == Shape{4, 68, 6, 0});
  CHECK(shape(wide(71), 100) == Shape{4, 71, 6, 0});
  // A column goes only when the bars have, and when a quarter of the name is not enough.
  CHECK(shape(wide(72), 100) == Shape{4, 71, 6, 0});
  CHECK(shape(wide(95), 100) == Shape{4, 71, 6, 0});
  CHECK(shape(wide(96), 100) == Shape{3, 85, 0, 0});
  CHECK(shape(wide(200), 100) == Shape{3, 85, 0, 0});
}

TEST_CASE("below 100 columns all but names shrinks at once") {
  CHECK(shape(wide(5), 100) == Shape{4, 5, 10, 10});
  CHECK(shape(wide(5), 99) == Shape{3, 5, 6, 0});
  CHECK(shape(wide(200), 60) == Shape{3, 45, 0, 0});
}

TEST_CASE("what may go next goes where the rest leaves too little room") {
  Report report = wide(5);
  report.table.columns.push_back(left("model", "MODEL", kPeople));
  report.table.columns.back().drops_next = true;
  report.table.rows[0].emplace_back(std::string(40, 'm'));
  CHECK(fields_of(report.table, Format::text, terminal(80)).size() == 4);
  CHECK(fields_of(report.table, Format::text, terminal(60)).size() == 3);
}

TEST_CASE("a column of unknowns goes before bars get shorter") {
  Report report = wide(57);
  report.table.rows[0][3] = Cell();
  CHECK(shape(report, 100) == Shape{3, 57, 10, 10});
}

TEST_CASE("notes are whole where room is left once columns went") {
  const auto note = [](std::size_t dropping_length) {
    Report report = wide(20);
    report.table.columns.push_back(dropping(left("", "OTHER", kPeople)));
    report.table.rows[0].emplace_back(std::string(dropping_length, 'o'));
    report.table.columns.push_back(left("", "", kPeople));
    report.table.columns.back().is_note = true;
    report.table.rows[0].emplace_back("shared x4, 2m");
    return fields_of(report.table, Format::text, terminal(100)).back().width();
  };
  // 20 + 2 + 11 + 2 + 7 + 2 + 5 + 2 + 2 + 13 = 66 columns beside the other, once the bars gave
  CHECK(note(34) == 13);
  CHECK(note(35) == 9);
  CHECK(note(38) == 9);
  // The other goes, and leaves room for all of the note.
  CHECK(note(39) == 13);
}

TEST_CASE("of what -o wide adds, columns of unknowns are left out, and ids give before names") {
  constexpr auto kWideOnly = static_cast<unsigned>(Audience::people_wide);
  Report report = wide(30);
  report.table.columns.push_back(left("device", "DEVICE", kWideOnly));
  report.table.columns.push_back(left("uuid", "UUID", kWideOnly));
  report.table.rows[0].emplace_back();
  report.table.rows[0].emplace_back(std::string(40, 'u'));
  std::vector<DrawnColumn> fields = fields_of(report.table, Format::wide, terminal(200));
  REQUIRE(fields.size() == 5);
  CHECK(fields[4].column->title == "UUID");
  fields = fields_of(report.table, Format::wide, terminal(90));
  CHECK(fields[0].width() == 30);
  CHECK(total_width(fields) == 90);
  // A line that is too long all the same is not worth a cut name.
  fields = fields_of(report.table, Format::wide, terminal(40));
  CHECK(fields[0].width() == 30);
  CHECK(fields[4].width() == 40);
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
  const std::vector<DrawnColumn> fields = fields_of(report.table, Format::text, terminal(55));
  CHECK(fields[0].width() == 28);
  CHECK(fields[3].width() == 10);
  CHECK(total_width(fields) == 55);
}

TEST_CASE("one unit of power for a whole column") {
  const auto unit = [](std::initializer_list<Cell> cells) {
    const Report report = one_column(right("power", "POWER", kPeople), cells);
    return fields_of(report.table, Format::text, terminal(100))[0].power;
  };
  CHECK(unit({Watts{999}, Cell()}) == PowerUnit::watts);
  CHECK(unit({Watts{72}, Watts{1000}}) == PowerUnit::kilowatts);
}

TEST_CASE("prose gives before names do, as long as these tell apart") {
  Report report;
  report.table.columns = {name("name", "NAME", kPeople), left("note", "NOTE", kPeople)};
  report.table.columns.back().is_note = true;
  report.table.rows = {{std::string(30, 'n'), std::string(60, 'p')}};
  const auto widths = [&](std::size_t width) {
    const std::vector<DrawnColumn> fields = fields_of(report.table, Format::text, terminal(width));
    return std::pair(fields[0].width(), fields[1].width());
  };
  CHECK(widths(92) == std::pair<std::size_t, std::size_t>(30, 60));
  CHECK(widths(70) == std::pair<std::size_t, std::size_t>(30, 38));
  CHECK(widths(52) == std::pair<std::size_t, std::size_t>(30, 20));
  CHECK(widths(40) == std::pair<std::size_t, std::size_t>(26, 12));
  CHECK(widths(30) == std::pair<std::size_t, std::size_t>(16, 12));
}

}  // namespace report_layout_test
