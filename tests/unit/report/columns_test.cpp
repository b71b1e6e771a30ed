#include "report/columns.hpp"

#include <catch2/catch.hpp>

namespace report_columns_test {

using namespace gpu::report;

namespace {

struct Pair {
  std::string name;
  std::int64_t amount = 0;
};

const Fields<Pair>& pair_fields() {
  static const Fields<Pair> fields = {
      {{"name", Type::text()}, &Pair::name},
      {{"amount", Type::count(), "How many."}, &Pair::amount},
  };
  return fields;
}

bool is_for(const Column& column, Audience audience) {
  return (column.audience & static_cast<unsigned>(audience)) != 0;
}

template <class Some>
concept TakesBareKey = requires(Some columns) { columns.machine("name", &Pair::name); };
static_assert(!TakesBareKey<Columns<Pair>>, "a key for machines needs a type");

}  // namespace

TEST_CASE("a column with a field is for machines too") {
  Columns<Pair> columns;
  columns.text({"name", Type::text()}, "NAME", kPeople, &Pair::name);
  columns.text("", kPlain, &Pair::name);
  const Table table = columns.table({{"a", 1}});
  CHECK(table.columns[0].key == "name");
  CHECK(table.columns[0].type.has_value());
  CHECK(is_for(table.columns[0], Audience::people));
  CHECK(is_for(table.columns[0], Audience::machine));
  CHECK_FALSE(is_for(table.columns[1], Audience::machine));
}

TEST_CASE("columns that are not wanted are not filled") {
  int filled = 0;
  Columns<Pair> columns;
  columns.text("A", kPeople, [&](const Pair&) {
    ++filled;
    return Cell();
  });
  columns.text("B", kPeople, &Pair::name);
  columns.number("C", kPeople, &Pair::amount);
  columns.keep([](std::size_t i) { return i > 0; });
  const Table table = columns.table({{"a", 1}});
  REQUIRE(table.columns.size() == 2);
  CHECK(table.columns[1].title == "C");
  CHECK(std::get<std::string>(table.rows[0][0].value) == "a");
  CHECK(std::get<std::int64_t>(table.rows[0][1].value) == 1);
  CHECK(filled == 0);
}

TEST_CASE("numbers stand at the right") {
  Columns<Pair> columns;
  columns.number("AMOUNT", kPeople, &Pair::amount);
  CHECK(columns.table({}).columns[0].align == Align::right);
}

TEST_CASE("fields fill records, lists of them, and columns for machines") {
  const Record record = pair_fields().record({"a", 7});
  REQUIRE(record.size() == 2);
  CHECK(record[1].first == "amount");
  CHECK(std::get<std::int64_t>(record[1].second.value) == 7);
  CHECK(pair_fields().list({{"a", 1}, {"b", 2}}).size() == 2);

  Columns<Pair> columns;
  columns.machine(pair_fields());
  const Table table = columns.table({{"a", 7}});
  CHECK(table.columns[1].key == "amount");
  CHECK(table.columns[1].says == "How many.");
  CHECK(std::get<std::int64_t>(table.rows[0][1].value) == 7);
}

}  // namespace report_columns_test
