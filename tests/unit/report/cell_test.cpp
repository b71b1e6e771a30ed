#include "report/cell.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "report/fixture.hpp"
#include "report/shrink.hpp"

namespace report_cell_test {

using namespace gpu::report;
using namespace gpu::report::fixture;

namespace {

// The first cell of a column, drawn at `width` columns and followed by a bar.
std::string drawn(Column column, std::initializer_list<Cell> cells, const Style& style,
                  Paint ground = Paint::plain) {
  const Report report = one_column(std::move(column), cells);
  const DrawnColumn field = fields_of(report.table, Format::text, style)[0];
  std::string out;
  Line line(out, style);
  draw_cell(line, field, report.table.rows[0][0], field.width(), ground, style);
  line.put("|", Paint::plain);
  return out;
}

}  // namespace

TEST_CASE("numbers stand at the right of a right column, words at the left of a left one") {
  CHECK(drawn(right("", "GPUS", kPeople), {8, "9 mig"}, terminal(100)) == "    8|");
  CHECK(drawn(right("", "GPUS", kPeople), {Cell()}, terminal(100)) == "   -|");
  CHECK(drawn(left("", "STATE", kPeople), {"Ready"}, terminal(100)) == "Ready|");
}

TEST_CASE("a share or ratio in a right column is its number alone") {
  CHECK(drawn(right("", "SM", kPeople), {Ratio{.5}, Ratio{1}}, terminal(100)) == " 50%|");
  CHECK(drawn(right("", "GPUS", kPeople), {Share{6, 8}}, terminal(100)) == " 6/8|");
}

TEST_CASE("100% keeps the numbers of a column in line") {
  CHECK(drawn(left("", "UTIL", kPeople), {Ratio{.5}, Ratio{1}}, terminal(100)) ==
        "━━━━━─────   50%|");
}

TEST_CASE("a number that is none is unknown") {
  CHECK(drawn(left("", "UTIL", kPeople), {Ratio{std::nan("")}}, terminal(100)) == "-|");
  CHECK(drawn(right("", "TEMP", kPeople), {Celsius{std::nan("")}}, terminal(100)) == "   -|");
}

TEST_CASE("a concern colours the whole cell but its empty part and its unit") {
  CHECK(drawn(left("", "MEMORY", kPeople), {Cell(BytesOf{kGi, 2 * kGi}, Concern::warning)},
              colored(100)) ==
        "\x1b[33m━━━━━\x1b[0m\x1b[2m─────\x1b[0m \x1b[33m1/2\x1b[0m\x1b[2mGi\x1b[0m|");
  CHECK(drawn(left("", "X", kPeople), {Cell("hot", Concern::broken)}, colored(100), Paint::dim) ==
        "\x1b[31mhot\x1b[0m|");
  CHECK(drawn(left("", "X", kPeople), {"ml"}, colored(100), Paint::dim) == "\x1b[2mml\x1b[0m|");
}

TEST_CASE("marks of broken GPUs are red") {
  Share share{1, 3, 1};
  share.unavailable_concern = Concern::broken;
  CHECK(drawn(left("", "", kPeople), {share}, colored(100)) ==
        "■\x1b[2m□\x1b[0m\x1b[31m×\x1b[0m  1/3|");
}

}  // namespace report_cell_test
